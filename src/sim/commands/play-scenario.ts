import { resolve } from "node:path";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { parseDuration } from "../../core/command/time.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { SimReport } from "../check-expectations.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { runSim, type SimEnding } from "../run-sim.ts";

interface SimArguments {
  readonly file: string;
  readonly command: readonly string[];
  readonly port?: number | undefined;
  readonly timeout?: string | undefined;
}

/** The program's output is shown as it comes; without a program, the requests are. */
export async function playScenario(
  words: SimArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { file, command, port } = words;
  const { stateDir, configDir } = program;
  const timeoutMs = readTimeout(words.timeout);
  const isServing = command.length === 0;
  const tell = (text: string) => {
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
      if (isServing) tell(`serving ${file} on ${url}; Ctrl-C ends it\n`);
    },
    onRequest: (request: RecordedRequest) => {
      if (isServing) tell(`${describeRequest(request)}\n`);
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

/** One line as a request comes in: `2 turn codex POST /v1/responses: turn 2`. */
export function describeRequest(recorded: RecordedRequest): string {
  const { number, kind, agent, method, path, answered, problem } = recorded;
  const who = agent === null ? "" : ` ${agent}`;
  const trouble = problem === null ? "" : ` (${problem})`;
  return `${number} ${kind}${who} ${method} ${path}: ${answered}${trouble}`;
}

/** The report for people, one line for each expectation and each problem. */
export function describeReport(report: SimReport): string[] {
  const checks = report.checks.map(({ line, holds, found }) =>
    holds ? `ok   ${line}` : `FAIL ${line}; found: ${found}`,
  );
  const problems = report.problems.map((problem) => `FAIL ${problem}`);
  const held = report.checks.filter(({ holds }) => holds).length;
  const summary = `${held} of ${report.checks.length} expectations hold, ${report.turnCount} turns in ${report.requestCount} requests`;
  return [...checks, ...problems, summary];
}
