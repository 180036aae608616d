// Starts a program, or says why it cannot be started.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { uptime } from "node:os";
import { isAbsolute } from "node:path";
import type { CommandSpec } from "./command-spec.ts";
import { RUN_ID_NAME } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import type { ProcessTree } from "./process-tree.ts";

export interface ChildExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartedChild {
  readonly kind: "started";
  readonly child: ChildProcess;
  readonly tree: ProcessTree;
  readonly exit: Promise<ChildExit>;
}

interface FailedStart {
  readonly kind: "failed";
  readonly problem: string;
  readonly code: string;
}

interface StartOptions {
  readonly runId: string;
  readonly stdio: SpawnOptions["stdio"];
  readonly ownsGroup: boolean;
}

/** Starts the program without a shell; whatever the system has against it is a value. */
export async function startChild(
  spec: CommandSpec,
  options: StartOptions,
): Promise<StartedChild | FailedStart> {
  if (!isAbsolute(spec.cwd))
    return failStart("EINVAL", `the working directory \`${spec.cwd}\` is not an absolute path`);
  try {
    const since = uptime();
    const child = spawnChild(spec, options);
    const { pid } = child;
    if (pid === undefined) throw (await once(child, "error"))[0];
    const exit = new Promise<ChildExit>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const { runId, ownsGroup } = options;
    return { kind: "started", child, tree: { pid, runId, ownsGroup, since }, exit };
  } catch (error) {
    return describeStartFailure(spec, error);
  }
}

function spawnChild(spec: CommandSpec, { runId, stdio, ownsGroup }: StartOptions): ChildProcess {
  return spawn(spec.executable, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env, [RUN_ID_NAME]: runId },
    stdio,
    // Windows has no process groups, and `detached` opens a console window there.
    detached: ownsGroup && process.platform !== "win32",
    windowsHide: true,
  });
}

async function describeStartFailure(spec: CommandSpec, error: unknown): Promise<FailedStart> {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string")
    throw error;
  const { code, message } = error;
  // The message of this one quotes the value, which may be a secret.
  if (code === "ERR_INVALID_ARG_VALUE")
    return failStart("EINVAL", "an argument or an environment value holds a NUL character");
  if (code.startsWith("ERR_")) throw error;
  return failStart(code, await explainSpawnFailure(spec, code, message));
}

const failStart = (code: string, problem: string): FailedStart => ({
  kind: "failed",
  problem,
  code,
});

/** Says why a spawn failed: the kernel has one ENOENT for a missing program, folder and interpreter. */
async function explainSpawnFailure(
  spec: CommandSpec,
  code: string,
  message: string,
): Promise<string> {
  return (
    (await findFolderProblem(spec.cwd)) ??
    (code === "ENOENT" || code === "EACCES" ? await findProgramProblem(spec) : null) ??
    (code === "E2BIG"
      ? "the arguments and the environment are longer than the system allows"
      : message)
  );
}

async function findFolderProblem(cwd: string): Promise<string | null> {
  const folder = await stat(cwd).catch(() => null);
  if (folder === null) return `the working directory \`${cwd}\` does not exist`;
  if (!folder.isDirectory()) return `the working directory \`${cwd}\` is not a folder`;
  return access(cwd, constants.X_OK).then(
    () => null,
    () => `the working directory \`${cwd}\` may not be entered`,
  );
}

async function findProgramProblem(spec: CommandSpec): Promise<string | null> {
  const search = await findProgram(spec.executable, { path: spec.env.PATH, cwd: spec.cwd });
  if (search.kind === "not_executable") {
    const what = search.path === spec.executable ? "it" : `\`${search.path}\``;
    return `${what} is not an executable file`;
  }
  if (search.kind === "missing")
    return spec.executable.includes("/")
      ? "there is no such file"
      : "there is no such program on PATH";
  const [interpreter, after] = await readInterpreter(search.path);
  // The kernel takes the carriage return for a part of the name.
  if (interpreter !== null && after === "\r")
    return "its first line ends as on Windows; save it with Unix line endings";
  return interpreter === null ? null : `its interpreter \`${interpreter}\` cannot be run`;
}

/** The program behind `#!` and the character that follows it. */
async function readInterpreter(path: string): Promise<[name: string | null, after: string]> {
  const file = await open(path).catch(() => null);
  if (file === null) return [null, ""];
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(256) });
    const found = /^#!\s*(\S+)(\s?)/.exec(buffer.toString("utf8", 0, bytesRead));
    return [found?.[1] ?? null, found?.[2] ?? ""];
  } finally {
    await file.close();
  }
}
