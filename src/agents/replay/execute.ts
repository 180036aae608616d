// Plays a cassette in this process, with the same result as any agent's run.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentExecutionContext, AgentExecutionResult, ExecuteOptions } from "../adapter.ts";
import { describeExecution } from "../execution.ts";
import { freezeDeep } from "../freeze.ts";
import { refuseRun } from "../refuse-run.ts";
import { withTempFolder } from "../temp-folder.ts";
import type { Cassette } from "./cassette.ts";
import { loadCassette } from "./load-cassette.ts";
import { Playing } from "./playing.ts";

export const REPLAY_PREFIX = "REPLAY";

export async function executeReplay(
  context: AgentExecutionContext,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const loaded = await loadCassette(String(context.config.own.cassette));
  if (loaded.kind === "refused") {
    const refusal = {
      reason: "INVALID_CONFIG",
      message: loaded.problem,
      path: "cassette",
    } as const;
    return refuseRun({ codePrefix: REPLAY_PREFIX }, [refusal]);
  }
  return withTempFolder(context.env.TMPDIR, (folder) => {
    const env = { ...context.env, TMPDIR: folder };
    return playCassette(loaded.cassette, { ...context, env }, options);
  });
}

async function playCassette(
  cassette: Cassette,
  context: AgentExecutionContext,
  options: ExecuteOptions,
): Promise<AgentExecutionResult> {
  const playing = new Playing(REPLAY_PREFIX, context, options);
  await playing.play(cassette);
  const { status, ending, times, output, collected } = playing.conclude();
  const files = await saveOutput(context.logDir, output);
  return freezeDeep({
    execution: describeExecution(times, ending, status),
    stdoutPath: files.stdout,
    stderrPath: files.stderr,
    output,
    truncated: false,
    errors: collected.errors,
    collected,
  });
}

/** What was said is what a program would have printed. */
async function saveOutput(folder: string, output: string) {
  await mkdir(folder, { recursive: true });
  const files = { stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
  await writeFile(files.stdout, output, { mode: 0o600 });
  await writeFile(files.stderr, "", { mode: 0o600 });
  return files;
}
