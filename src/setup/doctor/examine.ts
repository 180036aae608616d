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
  attentionFinding,
  type Finding,
  noteFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { fileErrorCode, readText } from "../../core/project/files.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import { installedSteps, listGuardedSteps } from "../../hooks/install/coverage.ts";
import { listHandlers } from "../../hooks/install/entries.ts";
import { lookAtHooks } from "../../hooks/install/look.ts";
import type { HookSet } from "../../hooks/match/rule.ts";
import { markerFile, readMarker } from "../../hooks/pipeline/guard-marker.ts";
import { loadHookSet } from "../../hooks/pipeline/set.ts";
import { type Examination, examineCalls } from "./calls.ts";
import {
  judgeDouble,
  judgeFile,
  judgeHold,
  judgeOthers,
  judgeRules,
  judgeServers,
  type ScopeSeen,
} from "./entries.ts";
import { judgeHookTrust, judgeStartFolder, judgeSwitches } from "./layers.ts";
import { type AgentReport, report } from "./report.ts";

/** Succeeds when nothing needs attention; warnings and notes are only told. */
export async function examine(
  names: readonly string[],
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const installers = await (names.length === 0 ? loadInstallers() : pickInstallers(names));
  const target = installContextOf(context, program);
  const set = await loadHookSet({ paths: program, root: program.root });
  const settings = await readSettings(program);
  const found = await findAgents(
    context,
    { ...program, settings: async () => settings.found },
    installers.map(({ agent }) => agent),
  );
  const agents: AgentReport[] = [];
  for (const [at, installer] of installers.entries()) {
    const here = found[at];
    if (here === undefined) continue;
    context.progress(`asking ${installer.agent}`);
    // One after the other: they are timed.
    const { stateDir } = program;
    const { signal, workingDirectory: cwd } = context;
    const examination = { target, cwd, set, stateDir, signal };
    agents.push(await examineAgent(installer, here, examination));
  }
  const state = await checkFeatures(program, context);
  return report(agents, [...settings.findings, ...judgeMarker(target), ...state]);
}

/** Without it every fault of our own is a refusal, and the client has no words for one. */
function judgeMarker({ env, home }: InstallContext): Finding[] {
  const dataDir = findDataDir(env, home);
  if (readMarker(dataDir) !== null) return [];
  const problem = `\`${markerFile(dataDir)}\`, which says which guards are in force, cannot be read`;
  return [
    attentionFinding(problem, "make it a file that you can read, or remove it and install again"),
  ];
}

/** Settings that cannot be read are a finding among others: everything else is still worth knowing. */
async function readSettings(program: Program) {
  try {
    return { found: await program.settings(), findings: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const repair = error.hint ?? "mend the file: what goes by settings does not run until then";
    return { found: {}, findings: [attentionFinding(error.message, repair)] };
  }
}

/** What every feature says of itself, in their order. */
async function checkFeatures(program: Program, context: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { checks } of program.features)
    if (checks !== undefined) findings.push(...(await (await checks()).check(program, context)));
  return findings;
}

// What is told of one agent: its entries, what they call, and what stands beside them.

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
    ...judgeStartFolder(installer, scopes, examination),
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
