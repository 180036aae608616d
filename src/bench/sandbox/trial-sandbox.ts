// What the sandbox of one trial hides and shows.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findAgent } from "../../agents/roster.ts";
import type { AgentAdapter, WrapProgram } from "../../agents/run/adapter.ts";
import { findProjectRoot } from "../../core/project/paths.ts";
import { trustFolder } from "../../core/project/trust/store.ts";
import { EVALUATORS } from "../evaluators/roster.ts";
import { listAgentFiles } from "../suite/agents.ts";
import { listNamedFiles } from "../suite/programs.ts";
import type { TrialPlan } from "../suite/trial.ts";
import { wrapInSandbox } from "./bubblewrap.ts";
import { isBelowAny, realPaths } from "./mounts.ts";

export interface TrialSandboxOptions {
  readonly plan: TrialPlan;
  readonly adapter: AgentAdapter;
  readonly config: Readonly<Record<string, unknown>>;
  /** The workspace, or the folder of a judge. */
  readonly folder: string;
  readonly network: boolean;
  readonly mounts: readonly string[];
  readonly stateDir: string;
  readonly configDir: string;
}

/** How the programs of an agent are started in a trial. */
export function sandboxTrial(options: TrialSandboxOptions): WrapProgram {
  const { plan, adapter, config, folder, network, mounts, stateDir, configDir } = options;
  const secret = [...listSecrets(plan), stateDir, configDir];
  const programs = listNamedFiles(config.argv, { folder: plan.suiteFolder, env: {} });
  return (command) =>
    wrapInSandbox(command, {
      network,
      workspace: folder,
      hidden: [...listHidden(plan), stateDir, configDir],
      secret,
      shown: [
        ...mounts,
        ...programs.flatMap((file) => showAround(file, { plan, secret })),
        ...listAgentFiles(config),
        ...(command.files ?? []).map(({ path }) => path),
        // A workspace that is trusted as the suite's project is has a copy there of what was trusted.
        trustFolder(stateDir, folder),
      ],
      reports: [command.reportPath ?? []].flat(),
      homeVariables: findAgent(adapter.name)?.homeVariables ?? [],
      // Settings may name the provider that a key is for.
      loginFiles: [
        ...adapter.login.files,
        ...adapter.login.possibleFiles,
        ...(adapter.login.companions ?? []),
      ],
    });
}

/** The suite's folder, and the project around it: its history has the solutions too. */
const listHidden = ({ suiteFolder, case: { workspace } }: TrialPlan): string[] => [
  ...[suiteFolder, findProjectRoot(suiteFolder), ...listRepository(suiteFolder)],
  ...(workspace.kind === "template" ? [workspace.folder] : []),
  ...(workspace.kind === "git" ? listSource(workspace.source) : []),
];

const listSecrets = ({ case: one, suiteFolder }: TrialPlan): string[] => [
  ...(one.solution === null ? [] : [one.solution]),
  ...one.evaluators.flatMap(({ type, options }) =>
    (EVALUATORS.find(type)?.files(options) ?? []).map((path) => resolve(suiteFolder, path)),
  ),
  ...listRepository(suiteFolder),
  ...(one.workspace.kind === "git" ? listSource(one.workspace.source) : []),
];

const listSource = (source: string): string[] => {
  const folder = /^(?:file:\/\/)?(\/.*)/.exec(source)?.[1];
  return folder === undefined || !existsSync(folder) ? [] : [folder, ...listRepository(folder)];
};

/** Where the history of the repository around a folder is kept: a worktree has it elsewhere, some borrow from others. */
function listRepository(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const marker = join(findProjectRoot(folder), ".git");
  const named = readPointer(marker, /^gitdir: (.+)$/m) ?? marker;
  const shared = readPointer(join(named, "commondir"), /^(.+)$/m) ?? named;
  const borrowed = readPointer(join(shared, "objects", "info", "alternates"), /^(.+)$/m);
  return [marker, named, shared, ...(borrowed === null ? [] : [borrowed])];
}

/** A path that stands in a file, seen from the folder of that file. */
function readPointer(file: string, pattern: RegExp): string | null {
  if (!existsSync(file) || !statSync(file).isFile()) return null;
  const path = pattern.exec(readFileSync(file, "utf8"))?.[1];
  if (path === undefined) return null;
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}

/** A program of the suite with what lies beside it, unless that is a folder with secrets or the suite itself. */
function showAround(
  file: string,
  { plan, secret }: { readonly plan: TrialPlan; readonly secret: readonly string[] },
): string[] {
  const folder = dirname(file);
  const kept = realPaths([...secret, ...listHidden(plan)]);
  const [real] = realPaths([folder]);
  const isBare = real !== undefined && !kept.some((path) => isBelowAny(path, [real]));
  return isBare ? [file, folder] : [file];
}
