// What is done with results afterwards. It never changes them, nor how the run ends.
import { appendFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { PostStep, Suite } from "../../bench/suite.ts";
import type { TrialResult } from "../../bench/trial.ts";
import { runProcess } from "../../process/run-process.ts";
import type { BenchPlace } from "./bench-place.ts";

export async function performPostSteps(
  { post, name, folder }: Suite,
  results: readonly TrialResult[],
  { context }: BenchPlace,
): Promise<void> {
  for (const step of post) {
    const problem = await performStep(step, { name, folder, results, context });
    if (problem !== null)
      await context.write(`post step \`${step.kind}\` failed: ${problem}\n`, "stderr");
  }
}

interface Facts extends Pick<BenchPlace, "context"> {
  readonly name: string;
  readonly folder: string;
  readonly results: readonly TrialResult[];
}

/** Null where it went well. */
async function performStep(step: PostStep, facts: Facts): Promise<string | null> {
  try {
    if (step.kind === "append") {
      await appendFile(
        step.file,
        facts.results.map((result) => `${JSON.stringify(result)}\n`).join(""),
      );
      return null;
    }
    return step.kind === "webhook"
      ? await post(step.url, facts)
      : await runStep(step.command, facts);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const TRIES = 4;

async function post(url: string, { name, results, context }: Facts): Promise<string | null> {
  let problem = "";
  for (let made = 0; made < TRIES; made++) {
    if (made > 0) await pause(250 * 2 ** made, undefined, { signal: context.signal });
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ suite: name, results }),
        signal: AbortSignal.any([context.signal, AbortSignal.timeout(10_000)]),
      });
      if (response.ok) return null;
      problem = `it answered ${response.status}`;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  return `${problem}, ${TRIES} times`;
}

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
  const ending = await runProcess(spec, { stdin, signal: context.signal, timeoutMs: 600_000 });
  if (ending.kind === "exited" && ending.exitCode === 0) return null;
  return ending.kind === "exited"
    ? `it exited with ${ending.exitCode}`
    : `it ended as ${ending.kind}`;
}
