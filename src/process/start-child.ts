import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { uptime } from "node:os";
import { isAbsolute } from "node:path";
import type { CommandSpec } from "./command-spec.ts";
import { RUN_ID_NAME } from "./run-id.ts";
import { explainSpawnFailure } from "./spawn-problem.ts";
import type { ProcessTree } from "./tree-members.ts";

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

export interface FailedStart {
  readonly kind: "failed";
  readonly problem: string;
  readonly code: string;
}

export interface StartRule {
  readonly runId: string;
  readonly stdio: SpawnOptions["stdio"];
  readonly ownsGroup: boolean;
}

/** Starts the program without a shell; whatever the system has against it is a value. */
export async function startChild(
  spec: CommandSpec,
  rule: StartRule,
): Promise<StartedChild | FailedStart> {
  if (!isAbsolute(spec.cwd))
    return failStart("EINVAL", `the working directory \`${spec.cwd}\` is not an absolute path`);
  try {
    const since = uptime();
    const child = spawnChild(spec, rule);
    const { pid } = child;
    if (pid === undefined) throw (await once(child, "error"))[0];
    const exit = new Promise<ChildExit>((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const { runId, ownsGroup } = rule;
    return { kind: "started", child, tree: { pid, runId, ownsGroup, since }, exit };
  } catch (error) {
    return describeFailure(spec, error);
  }
}

function spawnChild(spec: CommandSpec, { runId, stdio, ownsGroup }: StartRule): ChildProcess {
  return spawn(spec.executable, spec.args, {
    cwd: spec.cwd,
    env: { ...spec.env, [RUN_ID_NAME]: runId },
    stdio,
    // Windows has no process groups, and `detached` opens a console window there.
    detached: ownsGroup && process.platform !== "win32",
    windowsHide: true,
  });
}

async function describeFailure(spec: CommandSpec, error: unknown): Promise<FailedStart> {
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
