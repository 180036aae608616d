// Which steps the agents ask about, by the entries in their own files, and which rules need them. No agent is started.

import { loadInstallers } from "../../agents/roster.ts";
import {
  HOOK_SCOPES,
  type HookInstaller,
  type InstallContext,
} from "../../agents/steps/installer.ts";
import { quoteNames } from "../../core/command/names.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import type { HookRule, HookSet } from "../match/rule.ts";
import { isBlockingRule } from "../pipeline/guard-marker.ts";
import { type HooksSeen, lookAtHooks } from "./look.ts";

interface CallingAgent {
  readonly agent: string;
  readonly steps: readonly StepName[];
}

export async function findCallingAgents(context: InstallContext): Promise<CallingAgent[]> {
  const installers = await loadInstallers();
  return installers
    .map((installer) => ({ agent: installer.agent, steps: callingSteps(installer, context) }))
    .filter(({ steps }) => steps.length > 0);
}

function callingSteps(installer: HookInstaller, context: InstallContext): StepName[] {
  const installed = HOOK_SCOPES.map((scope) => lookAtHooks(installer, scope, context)).filter(
    ({ kind }) => kind === "installed",
  );
  if (installer.kind === "entries")
    return [...new Set(installed.flatMap((seen) => installedSteps(installer, seen)))];
  const { steps } = installer.abilities;
  return installed.length === 0 ? [] : STEPS.filter((step) => steps[step] !== undefined);
}

/** Our own commands call their steps themselves. */
const isOfAgents = (step: StepName): boolean => !step.endsWith("_command");

/** What to tell of rules that nobody will ask. */
export function listUncalled(
  rules: readonly HookRule[],
  agents: readonly CallingAgent[],
): string[] {
  const asked = rules.filter(({ isEnabled, on }) => isEnabled && on.some(isOfAgents));
  if (asked.length === 0) return [];
  if (agents.length === 0)
    return [
      "no agent calls these hooks; see which agents are here with `adj install`, then `adj install AGENT`",
    ];
  return asked.flatMap((rule) =>
    rule.on
      .filter((step) => isOfAgents(step) && !agents.some((agent) => calls(agent, rule, step)))
      .map((step) => describeUncalled(rule, step, agents)),
  );
}

const calls = ({ agent, steps }: CallingAgent, { match }: HookRule, step: StepName): boolean =>
  (match.agent === undefined || match.agent.includes(agent)) && steps.includes(step);

function describeUncalled(
  { name, match }: HookRule,
  step: StepName,
  agents: readonly CallingAgent[],
): string {
  const wanted = match.agent ?? agents.map(({ agent }) => agent);
  const listed = quoteNames(wanted);
  return `\`${name}\` is never asked at \`${step}\`: it is not installed in ${listed}; look with \`adj doctor\``;
}

/** The steps whose events have an entry of ours. */
export const installedSteps = (installer: HookInstaller, { ours, kind }: HooksSeen): StepName[] => {
  if (installer.kind === "plugin") return [];
  const events = new Set(kind === "installed" ? ours.map(({ event }) => event) : []);
  return installer.events.filter(({ event }) => events.has(event)).map(({ step }) => step);
};

/** Steps at which some rule in force blocks when it fails; there an agent that can fail closed is told to. */
export function listGuardedSteps({ rules, broken }: HookSet): ReadonlySet<StepName> {
  const steps = new Set<StepName>(broken.length > 0 ? ["before_tool"] : []);
  for (const rule of rules)
    for (const step of rule.on) if (isBlockingRule(rule, step)) steps.add(step);
  return steps;
}
