// Who calls the hooks at all: what is installed in the agents' own files, and the rules that nobody asks. No agent
// is started for it.
import { abilitiesOf } from "../../hooks/install/abilities.ts";
import {
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallPlace,
} from "../../hooks/install/installer.ts";
import { lookAtHooks } from "../../hooks/install/look.ts";
import { INSTALLERS } from "../../hooks/install/roster.ts";
import type { HookRule } from "../../hooks/rule.ts";
import { STEPS, type StepName } from "../../hooks/step.ts";
import { installedSteps } from "../doctor/entries.ts";

export interface CallingAgent {
  readonly agent: string;
  readonly steps: readonly StepName[];
}

export const findCallingAgents = (place: InstallPlace): CallingAgent[] =>
  INSTALLERS.map((installer) => ({
    agent: installer.agent,
    steps: callingSteps(installer, place),
  })).filter(({ steps }) => steps.length > 0);

function callingSteps(installer: HookInstaller, place: InstallPlace): StepName[] {
  const installed = INSTALL_SCOPES.map((scope) => lookAtHooks(installer, scope, place)).filter(
    ({ kind }) => kind === "installed",
  );
  if (installer.kind === "entries")
    return [...new Set(installed.flatMap((seen) => installedSteps(installer, seen)))];
  const { steps } = abilitiesOf(installer.agent);
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
  const listed = wanted.map((agent) => `\`${agent}\``).join(", ");
  return `\`${name}\` is never asked at \`${step}\`: it is not installed in ${listed}; look with \`adj doctor\``;
}
