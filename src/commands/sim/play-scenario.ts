import { resolve } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { parseDuration } from "../../command/duration.ts";
import { fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import type { RecordedRequest } from "../../sim/recorded-request.ts";
import { describeReport, describeRequest } from "../../sim/report-lines.ts";
import { runSim, type SimEnding } from "../../sim/run-sim.ts";
import type { Program } from "../program.ts";

export interface SimWords {
  readonly file: string;
  readonly command: readonly string[];
  readonly port?: number | undefined;
  readonly timeout?: string | undefined;
}

/** The program's output is shown as it comes; without a program, the requests are. */
export async function playScenario(
  words: SimWords,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { file, command, port } = words;
  const { stateDir, configDir } = program;
  const timeoutMs = readTimeout(words.timeout);
  const isServing = command.length === 0;
  const say = (text: string) => {
    context.write(text, "stderr");
  };
  const ending = await runSim({
    file: resolve(context.workingDirectory, file),
    command,
    cwd: context.workingDirectory,
    // Its home is a fresh one; an `adj` inside it still is this one.
    env: { ...context.env.forChild(), ADJ_STATE_DIR: stateDir, ADJ_CONFIG_DIR: configDir },
    signal: context.signal,
    ...(port === undefined ? {} : { port }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    onChunk: (channel, bytes) => context.write(bytes, channel),
    onReady: (url) => {
      if (isServing) say(`serving ${file} on ${url}; Ctrl-C ends it\n`);
    },
    onRequest: (request: RecordedRequest) => {
      if (isServing) say(`${describeRequest(request)}\n`);
    },
  });
  return toResult(ending, context);
}

function readTimeout(timeout: string | undefined): number | null {
  if (timeout === undefined) return null;
  const limit = parseDuration(timeout);
  if (limit === null)
    throw fault("ArgumentsInvalid", {
      command: "sim",
      problem: "`--timeout` must be a duration such as `30s`",
    });
  return limit;
}

function toResult(ending: SimEnding, context: CommandContext): CommandResult {
  const report = describeReport(ending.report).join("\n");
  context.write(`${report}\n`, "stderr");
  const { exitCode } = ending;
  return {
    success: exitCode === 0,
    output: ending.process?.stdout ?? "",
    errorOutput: report,
    exitCode,
    metadata: { report: ending.report, requests: ending.requests.map(describeRequest) },
  };
}
