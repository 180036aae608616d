// `adj doctor`: every agent, then what the features say of themselves.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type FoundAgent,
  findAgents,
  installContextOf,
  pickInstallers,
} from "../../agents/commands/install-target.ts";
import { findAgent, loadInstallers, requireInstaller } from "../../agents/roster.ts";
import {
  HOOK_SCOPES,
  type HookInstaller,
  INSTALL_SCOPES,
  type InstallContext,
} from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { Fault } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import {
  type Finding,
  formatFinding,
  noteFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { fileErrorCode, readText } from "../../core/project/files.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import { installedSteps, listGuardedSteps } from "../../hooks/install/coverage.ts";
import { listHandlers } from "../../hooks/install/entries.ts";
import { lookAtHooks } from "../../hooks/install/look.ts";
import type { HookSet } from "../../hooks/match/rule.ts";
import { loadHookSet } from "../../hooks/pipeline/set.ts";
import { type Examination, examineCalls } from "./calls.ts";
import {
  judgeDouble,
  judgeFile,
  judgeHold,
  judgeOthers,
  judgeRules,
  type ScopeSeen,
} from "./entries.ts";
import { judgeHookTrust, judgeSwitches } from "./layers.ts";
import { judgeServers } from "./servers.ts";

/** Succeeds when nothing needs attention; warnings and notes are only told. */
export async function examine(
  names: readonly string[],
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const installers = await (names.length === 0 ? loadInstallers() : pickInstallers(names));
  const target = installContextOf(context, program);
  const set = await loadHookSet({ paths: program, root: program.root });
  const found = await findAgents(
    context,
    program,
    installers.map(({ agent }) => agent),
  );
  const agents: AgentReport[] = [];
  for (const [at, installer] of installers.entries()) {
    const here = found[at];
    if (here === undefined) continue;
    context.progress(`asking ${installer.agent}`);
    // One after the other: they are timed.
    const { stateDir } = program;
    const examination = { target, set, stateDir, signal: context.signal };
    agents.push(await examineAgent(installer, here, examination));
  }
  const state = await checkFeatures(program);
  return report(agents, state);
}

/** What every feature says of itself, in their order. */
async function checkFeatures(program: Program): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { checks } of program.features)
    if (checks !== undefined) findings.push(...(await (await checks()).check(program)));
  return findings;
}

function report(agents: readonly AgentReport[], state: readonly Finding[]): CommandResult {
  const all = [...agents.flatMap(({ findings }) => findings), ...state];
  const troubles = all.filter(({ level }) => level === "attention").length;
  const sections = [
    ...agents.map((agent) => [titleOf(agent), ...agent.findings.map(formatFinding)]),
    ["adjutant", ...state.map(formatFinding)],
    [summarize(troubles, all.filter(({ level }) => level === "warning").length)],
  ];
  return {
    success: troubles === 0,
    output: sections.map((lines) => lines.join("\n")).join("\n"),
    errorOutput: null,
    exitCode: troubles === 0 ? 0 : 1,
    metadata: { agents, state, needsAttention: troubles },
  };
}

const titleOf = ({ agent, isFound, version }: AgentReport): string =>
  `${agent} ${isFound ? (version ?? "") : "(not here)"}`.trimEnd();

function summarize(troubles: number, warnings: number): string {
  if (troubles === 0 && warnings > 0)
    return `nothing needs attention, but there ${warnings === 1 ? "is 1 warning" : `are ${warnings} warnings`}`;
  if (troubles === 0) return "all is well";
  return troubles === 1 ? "1 thing needs attention" : `${troubles} things need attention`;
}

// What is told of one agent: its entries, what they call, and what stands beside them.

interface AgentReport extends FoundAgent {
  readonly installed: readonly string[];
  /** Of a few calls of the installed entry; null where there is none that answers. */
  readonly p50Ms: number | null;
  readonly findings: readonly Finding[];
}

async function examineAgent(
  installer: HookInstaller,
  found: FoundAgent,
  examination: Examination,
): Promise<AgentReport> {
  const { target, set } = examination;
  const scopes = HOOK_SCOPES.map(
    (scope): ScopeSeen => ({ scope, seen: lookAtHooks(installer, scope, target) }),
  );
  const installed = scopes.filter(({ seen }) => seen.kind === "installed");
  const guarded = listGuardedSteps(set);
  const calls = await examineCalls(installer, installed, examination);
  const isInstalled = installed.length > 0;
  const findings = [
    ...judgePresence(found, isInstalled, guarded.size > 0),
    ...(await judgeSwitches(
      installer.agent,
      installed.map(({ scope }) => scope),
      examination,
    )),
    ...(isInstalled ? await judgeHookTrust(found, examination) : []),
    ...scopes.flatMap((scope) => judgeFile(installer, scope, guarded)),
    ...scopes.flatMap((scope) => judgeHold(installer, scope, set.holdMs)),
    ...calls.findings,
    ...judgeDouble(installer.agent, scopes),
    ...(installed.length > 0
      ? judgeOthers(installer, scopes, listNeighbours(installer, target))
      : []),
    ...(installed.length > 0 ? judgeNeeds(installer, installed, set) : []),
    ...(isInstalled ? (installer.judgeStart?.(target) ?? []) : []).map((text) =>
      warningFinding(text),
    ),
    ...(await judgeBorrowed(installer.agent, target, installed.length > 0)),
    ...(await judgeServers(installer.agent, target)),
  ];
  return {
    ...found,
    installed: installed.map(({ scope }) => scope),
    p50Ms: calls.p50Ms,
    findings,
  };
}

function judgePresence(
  { agent, isFound, program }: FoundAgent,
  isInstalled: boolean,
  hasGuards: boolean,
): Finding[] {
  if (!isFound) return [noteFinding(program)];
  if (isInstalled) return [];
  return hasGuards
    ? [
        warningFinding(
          "no hooks of ours are installed, so no guard is in force there",
          `\`adj install ${agent}\``,
        ),
      ]
    : [noteFinding("no hooks of ours are installed")];
}

function judgeNeeds(
  installer: HookInstaller,
  installed: readonly ScopeSeen[],
  { rules }: HookSet,
): Finding[] {
  const offered = new Set(STEPS.filter((step) => installer.abilities.steps[step] !== undefined));
  const steps: ReadonlySet<StepName> =
    installer.kind === "plugin"
      ? offered
      : new Set(installed.flatMap(({ seen }) => installedSteps(installer, seen)));
  const needs = rules
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name, on, match }) => ({ name, on, agents: match.agent }));
  return judgeRules(installer.agent, needs, { offered, installed: steps });
}

/** An agent may also run what a project has for another one. */
async function judgeBorrowed(
  agent: string,
  target: InstallContext,
  hasOwn: boolean,
): Promise<Finding[]> {
  const { borrows } = findAgent(agent) ?? {};
  if (borrows === undefined) return [];
  const installer = await requireInstaller(borrows.agent);
  const { ours, others, file } = lookAtHooks(installer, "project", target);
  return [
    ...(ours.length === 0
      ? []
      : hasOwn
        ? [
            warningFinding(
              `it also calls our entries for ${borrows.agent} in ${file}; those keep silent then`,
            ),
          ]
        : [
            noteFinding(
              `it calls our entries for ${borrows.agent} in ${file} and is answered as ${borrows.answeredAs}`,
            ),
          ]),
    ...(others.length === 0 ? [] : [warningFinding(`it also runs the hooks of others in ${file}`)]),
  ];
}

// Files of other people that an agent reads beside the one that is all ours.

/** Those that can decide before a tool runs. */
function listNeighbours(installer: HookInstaller, target: InstallContext): string[] {
  const { neighbours } = installer;
  if (neighbours === undefined) return [];
  const { beside, above, events } = neighbours;
  const files = INSTALL_SCOPES.flatMap((scope) => {
    const own = installer.configFile(scope, target);
    const folder = dirname(dirname(own));
    return [...listBeside(own, beside), ...above.map((name) => join(folder, name))];
  });
  return events === undefined ? files : files.filter((file) => hasHookAt(events, file));
}

function listBeside(file: string, wanted: RegExp): string[] {
  const folder = dirname(file);
  const names = readFolder(folder).filter((name) => wanted.test(name));
  return names.map((name) => join(folder, name)).filter((path) => path !== file);
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return [];
  }
}

/** One that cannot be read is told of as well. */
function hasHookAt(events: readonly string[], file: string): boolean {
  try {
    const config: unknown = JSON.parse(readText(file) ?? "{}");
    return listHandlers(config).some(({ event }) => events.includes(event));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Fault) return true;
    throw error;
  }
}
