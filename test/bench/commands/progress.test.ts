import { expect, test } from "vitest";
import { createProgress } from "../../../src/bench/commands/progress.ts";
import { result } from "../report/results.ts";

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
  progress.report(result({ ending: "infra", agentId: "y", repetition: 2 }));
  return lines;
}

test("a person sees a line for each agent and one for what is left, from the beginning", () => {
  expect(watch(true)).toEqual([
    "live x  0/2\ny  1/2    0 %\n3 trials to go",
    expect.stringMatching(
      /^live x {2}1\/2 {2}100 % {2}\$0\.25\ny {2}1\/2 {4}0 %\n2 trials to go, about 0 s$/,
    ),
    expect.stringMatching(
      /^live x {2}2\/2 {3}50 % {2}\$0\.25\ny {2}1\/2 {4}0 %\n1 trial to go, about 0 s$/,
    ),
    expect.stringMatching(/^live x {2}2\/2 {3}50 % {2}\$0\.25\ny {2}2\/2 {4}0 %\nall done$/),
  ]);
});

test("elsewhere each result is a plain line; what could not run is not in the rate", () => {
  expect(watch(false)).toEqual([
    "stderr 2/4 a/x/1 passed in 0.0 s (x 100 %, $0.25, 2 trials to go, about 0 s)\n",
    "stderr 3/4 a/x/2 failed in 0.0 s (x 50 %, $0.25, 1 trial to go, about 0 s): no\\u{1b}[31m\n",
    "stderr 4/4 a/y/2 infra in 0.0 s (y 0 %, all done)\n",
  ]);
});

test("an agent of which nothing counts yet has no share in its line", () => {
  const lines: string[] = [];
  const write = async (chunk: string | Uint8Array) => void lines.push(String(chunk));
  const progress = createProgress(
    { isInteractive: false, progress: () => undefined, write },
    { agents: ["x"], perAgent: 2, known: [] },
  );
  progress.report(result({ ending: "infra", agentId: "x" }));
  expect(lines).toEqual(["1/2 a/x/1 infra in 0.0 s (1 trial to go, about 0 s)\n"]);
});
