import { abilitiesOf } from "../../hooks/install/abilities.ts";
import { listGuardedSteps } from "../../hooks/install/guarded-steps.ts";
import {
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallPlace,
} from "../../hooks/install/installer.ts";
import { lookAtHooks } from "../../hooks/install/look.ts";
import { requireInstaller } from "../../hooks/install/roster.ts";
import type { HookSet } from "../../hooks/rule.ts";
import { STEPS, type StepName } from "../../hooks/step.ts";
import type { FoundAgent } from "../install/found-agents.ts";
import {
  installedSteps,
  judgeDouble,
  judgeFile,
  judgeOthers,
  judgeRules,
  type ScopeSeen,
} from "./entries.ts";
import { type Examination, examineCalls } from "./examine-calls.ts";
import { type Finding, note, warning } from "./finding.ts";
import { listNeighbours } from "./neighbours.ts";

export interface AgentReport extends FoundAgent {
  readonly installed: readonly string[];
  /** Of a few calls of the installed entry; null where there is none that answers. */
  readonly p50Ms: number | null;
  readonly findings: readonly Finding[];
}

export async function examineAgent(
  installer: HookInstaller,
  found: FoundAgent,
  examination: Examination,
): Promise<AgentReport> {
  const { place, set } = examination;
  const scopes = INSTALL_SCOPES.map(
    (scope): ScopeSeen => ({ scope, seen: lookAtHooks(installer, scope, place) }),
  );
  const installed = scopes.filter(({ seen }) => seen.kind === "installed");
  const guarded = listGuardedSteps(set);
  const calls = await examineCalls(installer, installed, examination);
  const findings = [
    ...judgePresence(found, installed.length > 0),
    ...scopes.flatMap((scope) => judgeFile(installer, scope, guarded)),
    ...calls.findings,
    ...judgeDouble(installer.agent, scopes),
    ...(installed.length > 0
      ? judgeOthers(installer.agent, scopes, listNeighbours(installer, place))
      : []),
    ...(installed.length > 0 ? judgeNeeds(installer, installed, set) : []),
    ...(installer.agent === "copilot" ? judgeBorrowed(place, installed.length > 0) : []),
  ];
  return {
    ...found,
    installed: installed.map(({ scope }) => scope),
    p50Ms: calls.p50Ms,
    findings,
  };
}

function judgePresence({ isFound, program }: FoundAgent, isInstalled: boolean): Finding[] {
  if (!isFound) return [note(program)];
  return isInstalled ? [] : [note("no hooks of ours are installed")];
}

function judgeNeeds(
  installer: HookInstaller,
  installed: readonly ScopeSeen[],
  { rules }: HookSet,
): Finding[] {
  const abilities = abilitiesOf(installer.agent);
  const offered = new Set(STEPS.filter((step) => abilities.steps[step] !== undefined));
  const steps: ReadonlySet<StepName> =
    installer.kind === "plugin"
      ? offered
      : new Set(installed.flatMap(({ seen }) => installedSteps(installer, seen)));
  const needs = rules
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name, on, match }) => ({ name, on, agents: match.agent }));
  return judgeRules(installer.agent, needs, { offered, installed: steps });
}

/** Copilot also runs what a project has for Claude Code (1.0.102). */
function judgeBorrowed(place: InstallPlace, hasOwn: boolean): Finding[] {
  const { ours, others, file } = lookAtHooks(requireInstaller("claude-code"), "project", place);
  return [
    ...(ours.length === 0
      ? []
      : hasOwn
        ? [warning(`it also calls our entries for claude-code in ${file}; those keep silent then`)]
        : [note(`it calls our entries for claude-code in ${file} and is answered as Copilot`)]),
    ...(others.length === 0 ? [] : [warning(`it also runs the hooks of others in ${file}`)]),
  ];
}
