import { expect, test } from "vitest";
import { createProgress } from "../../src/commands/bench/progress.ts";
import { result } from "../bench-summary/results.ts";

function watch(isInteractive: boolean) {
  const lines: string[] = [];
  const progress = createProgress(
    {
      isInteractive,
      progress: (step) => void lines.push(`live ${step}`),
      write: async (chunk, channel) => void lines.push(`${channel} ${chunk}`),
    },
    { agents: ["x", "y"], perAgent: 2, known: [result({ ending: "failed", agentId: "y" })] },
  );
  progress.report(result({ ending: "passed", agentId: "x", costUsd: 0.25 }));
  progress.report(
    result({ ending: "failed", agentId: "x", repetition: 2, reason: "no\u001b[31m" }),
  );
  return lines;
}

test("a person sees one line for all agents, with what is left", () => {
  const [first, second] = watch(true);
  expect(first).toMatch(/^live x 1\/2 100 % \$0\.25 · y 1\/2 0 % · about 0 s left$/);
  expect(second).toMatch(/^live x 2\/2 50 % \$0\.25 · y 1\/2 0 % · about 0 s left$/);
});

test("elsewhere each result is a plain line", () => {
  expect(watch(false)).toEqual([
    "stderr a/x/1 passed in 0.0 s\n",
    "stderr a/x/2 failed in 0.0 s: no [31m\n",
  ]);
});
