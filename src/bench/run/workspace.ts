// A fresh folder for one try of a trial. Nothing in it is shared with the user's own repository.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { newId } from "../../core/command/new-id.ts";
import { hasSucceeded, lastLineOf } from "../../core/process/command-spec.ts";
import { nestRunId, RUN_ID_NAME } from "../../core/process/environment.ts";
import { killRun } from "../../core/process/kill-tree.ts";
import { killProcessesUsing } from "../../core/process/kill-users.ts";
import { runProcess } from "../../core/process/run.ts";
import { cloneGit } from "../files/git.ts";
import { copyTree, removeTree } from "../files/tree.ts";
import type { SetupStep, WorkspaceSource } from "../suite/suite.ts";
import { holdOwnerFile, isOwnerAlive, readOwnerFile, writeOwnerFile } from "./ownership.ts";

export interface Workspace {
  /** Everything of this try lies below; removed as a whole. */
  readonly root: string;
  readonly folder: string;
}

export interface WorkspaceRequest {
  readonly source: WorkspaceSource;
  /** The folder of all workspaces. */
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function makeWorkspace(request: WorkspaceRequest): Promise<Workspace> {
  const root = mkdtempSync(join(request.workDir, TRIAL_PREFIX));
  const folder = join(root, "workspace");
  const { source } = request;
  try {
    if (source.kind === "git") await cloneGit(source, folder, request);
    else if (source.kind === "template") await copyTree(source.folder, folder);
    else mkdirSync(folder);
  } catch (error) {
    await removeTree(root);
    throw error;
  }
  return { root, folder };
}

// What lies in the folder that the trials of one process have in common.

const TRIAL_PREFIX = "trial-";
export const JUDGE_PREFIX = "judge-";
/** Files of suites that came from another machine. */
export const SUITES_FOLDER = "suites";

/** In the folder of one try; the last two are what its agent printed. */
const ATTEMPT_ENTRIES: ReadonlySet<string> = new Set(["workspace", "base", "stdout", "stderr"]);

const isOurs = (name: string): boolean =>
  name === SUITES_FOLDER || name.startsWith(TRIAL_PREFIX) || name.startsWith(JUDGE_PREFIX);

/**
 * An agent can write beside its workspace and above it, and programs look there: `../node_modules` would be
 * found from where its work is graded.
 */
export async function removePlanted(workDir: string, root: string): Promise<void> {
  await removeOthers(root, (name) => ATTEMPT_ENTRIES.has(name));
  await removeOthers(workDir, isOurs);
}

async function removeOthers(folder: string, isKept: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) if (!isKept(name)) await removeTree(join(folder, name));
}

export interface SetupContext {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** For steps that come after the agent. */
  readonly runProgram?: typeof runProcess;
}

/** A step of `setup` or `teardown`; throws where it did not go well. */
export async function runSetupStep(
  { run, timeoutMs }: SetupStep,
  { folder, env, signal, runProgram = runProcess }: SetupContext,
): Promise<void> {
  const spec = { executable: "sh", args: ["-c", run], env, cwd: folder };
  const ending = await runProgram(spec, { signal, timeoutMs });
  signal.throwIfAborted();
  if (hasSucceeded(ending)) return;
  const how =
    ending.kind === "exited" ? `exited with ${ending.exitCode}` : `ended as ${ending.kind}`;
  const problem = lastLineOf(ending.stderr);
  // The cause first: a narrow screen shows no more.
  throw new Error(problem === null ? `\`${run}\` ${how}` : `${problem} (\`${run}\` ${how})`);
}

// Where the trials of one process happen: a folder, a temporary folder and a run id that whoever comes
// after it can clear away by, when it was killed.

export interface WorkFolder {
  readonly folder: string;
  readonly temporary: string;
  /** Everything that is started carries it. */
  readonly runId: string;
  close(): Promise<void>;
}

const workFoldersOf = (stateDir: string): string => join(stateDir, "bench", "work");

export interface WorkFolderOptions {
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files of another user, say of a container, stop no run; whoever can remove them is told by this. */
  readonly note: (line: string) => Promise<void>;
}

export async function openWorkFolder(options: WorkFolderOptions): Promise<WorkFolder> {
  const { stateDir, env } = options;
  const note = (error: unknown): Promise<void> =>
    options.note(`note: ${error instanceof Error ? error.message : error}`);
  await clearDeadWorkFolders(stateDir, note);
  const id = newId().slice(0, 8);
  const workFolders = workFoldersOf(stateDir);
  const mark = join(workFolders, `${id}.json`);
  const runId = nestRunId(env[RUN_ID_NAME], `bench-${id}`);
  // Short, because agents put sockets there; noted before it is made, so that no kill leaves one that nobody knows of.
  const temporary = join(env.TMPDIR || tmpdir(), `adjb-${randomUUID().slice(0, 8)}`);
  writeOwnerFile(mark, { runId, temporary, since: uptime() });
  const release = holdOwnerFile(mark);
  mkdirSync(temporary, { mode: 0o700 });
  mkdirSync(join(workFolders, id), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(workFolders, id));
  return {
    folder,
    temporary,
    runId,
    close: async () => {
      for (const left of [folder, temporary]) await removeTree(left).catch(note);
      release();
    },
  };
}

/** What processes that were killed left behind: their agents, their workspaces. */
async function clearDeadWorkFolders(
  stateDir: string,
  note: (error: unknown) => Promise<void>,
): Promise<void> {
  const workFolders = workFoldersOf(stateDir);
  if (!existsSync(workFolders)) return;
  for (const name of readdirSync(workFolders).filter((file) => file.endsWith(".json"))) {
    const mark = join(workFolders, name);
    const found = readOwnerFile(mark);
    if (found === null || isOwnerAlive(mark, found, Date.now())) continue;
    const { runId, temporary, since } = found.facts;
    const folder = join(realpathSync(workFolders), name.slice(0, -".json".length));
    await killRun({ runId: String(runId), since: Number(since) });
    await killProcessesUsing({ folder, since: Number(since) });
    for (const left of [folder, String(temporary)]) await removeTree(left).catch(note);
    rmSync(mark, { force: true });
  }
}
