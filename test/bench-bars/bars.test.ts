import { describe, expect, test } from "vitest";
import { findMissed, parseBar } from "../../src/bench/summary/bars.ts";
import { summarizeRun } from "../../src/bench/summary/summarize-run.ts";
import { result } from "../bench-summary/results.ts";

const summary = summarizeRun(
  [
    result({ ending: "passed", agentId: "x", costUsd: 0.5 }),
    result({ ending: "failed", agentId: "x", costUsd: 0.5, repetition: 2 }),
    result({ ending: "passed", agentId: "y" }),
  ],
  { agents: ["x", "y"], cases: ["a"] },
);

function missed(text: string): string[] {
  const bar = parseBar(text);
  if (bar === null) throw new TypeError(`${text} is no bar`);
  return findMissed(summary, [bar]).map(({ agentId }) => agentId);
}

describe("a reason to fail", () => {
  test.each([
    ["pass_rate < 0.8", ["x"]],
    ["pass_rate<0.5", []],
    ["x.pass_rate <= 0.5", ["x"]],
    ["y.pass_rate < 1", []],
    ["cost > 0.9", ["x", "y"]],
    ["coverage < 1", []],
  ])("%s fails %j", (text, agents) => {
    expect(missed(text)).toEqual(agents);
  });

  test.each(["pass_rate", "speed < 3", "pass_rate < x", "process.exit() < 1", "", "a < b < 3"])(
    "%j is none",
    (text) => {
      expect(parseBar(text)).toBeNull();
    },
  );
});
