// What is done with results afterwards. It never changes them, nor how the run ends, and it ends itself.
import { appendFile, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { CommandContext } from "../../core/command/context.ts";
import { hasSucceeded, lastLineOf } from "../../core/process/command-spec.ts";
import { runProcess } from "../../core/process/run.ts";
import { describeFileError } from "../../core/project/files.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import type { PostStep, Suite } from "../suite/suite.ts";
import type { TrialResult } from "../suite/trial.ts";

type PostContext = Pick<CommandContext, "env" | "signal" | "write">;

export async function performPostSteps(
  { post, name, folder }: Pick<Suite, "post" | "name" | "folder">,
  results: readonly TrialResult[],
  { context }: { readonly context: PostContext },
): Promise<void> {
  for (const step of post) {
    const problem = await performStep(step, { name, folder, results, context });
    if (problem !== null)
      await context.write(`post step \`${step.kind}\` failed: ${plainLine(problem)}\n`, "stderr");
  }
}

interface Facts {
  readonly name: string;
  readonly folder: string;
  readonly results: readonly TrialResult[];
  readonly context: PostContext;
}

/** Null where it went well. */
async function performStep(step: PostStep, facts: Facts): Promise<string | null> {
  try {
    if (step.kind === "append") return await appendLines(step.file, facts);
    return step.kind === "webhook"
      ? await post(step.url, facts)
      : await runStep(step.command, facts);
  } catch (error) {
    return describeFileError(error);
  }
}

async function appendLines(file: string, { results }: Facts): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  // Opening one waits for a reader, and nothing can end that wait.
  if (found?.isFIFO()) return `\`${file}\` is a pipe, not a file`;
  const lines = results.map((result) => `${JSON.stringify(result)}\n`).join("");
  return appendFile(file, lines).then(
    () => null,
    (error) => `\`${file}\`: ${describeFileError(error)}`,
  );
}

const TRIES = 4;
const ANSWER_MS = 10_000;
/** Statuses below 500 after which another try may succeed; from 500 on it always may. */
const PASSING = [408, 425, 429];

async function post(url: string, { name, results, context }: Facts): Promise<string | null> {
  const body = JSON.stringify({ suite: name, run: results[0]?.runId ?? null, results });
  let problem = "";
  for (let made = 0; made < TRIES; made++) {
    if (made > 0) await pause(250 * 2 ** made, undefined, { signal: context.signal });
    const answer = await send(url, body, context.signal);
    if (answer.kind === "taken") return null;
    problem = answer.problem;
    if (answer.kind === "refused") return problem;
  }
  return `${problem}, ${TRIES} times`;
}

type Answer =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "troubled"; readonly problem: string };

async function send(url: string, body: string, signal: AbortSignal): Promise<Answer> {
  try {
    const {
      ok,
      status,
      body: rest,
    } = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    // An answer that never ends would keep the connection, and the program.
    await rest?.cancel();
    if (ok) return { kind: "taken" };
    const isPassing = status >= 500 || PASSING.includes(status);
    return { kind: isPassing ? "troubled" : "refused", problem: `it answered ${status}` };
  } catch (error) {
    return { kind: "troubled", problem: describeFailure(error) };
  }
}

/** `fetch failed` alone says nothing; its cause does. */
const describeFailure = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error
    ? error.cause.message
    : describeFileError(error);

const STEP_MS = 600_000;

async function runStep(
  command: string,
  { folder, results, context }: Facts,
): Promise<string | null> {
  const spec = {
    executable: "sh",
    args: ["-c", command],
    env: context.env.forChild(),
    cwd: folder,
  };
  const stdin = JSON.stringify(results);
  const ending = await runProcess(spec, { stdin, signal: context.signal, timeoutMs: STEP_MS });
  if (hasSucceeded(ending)) return null;
  const how =
    ending.kind === "exited" ? `it exited with ${ending.exitCode}` : `it ended as ${ending.kind}`;
  const problem = lastLineOf(ending.stderr);
  return problem === null ? how : `${how}: ${problem}`;
}
