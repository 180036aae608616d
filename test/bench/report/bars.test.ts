import { describe, expect, test } from "vitest";
import { findMissed, parseBar } from "../../../src/bench/report/bars.ts";
import { summarizeRun } from "../../../src/bench/report/summary.ts";
import { result } from "./results.ts";

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
  if ("problem" in bar) throw new TypeError(`${text}: ${bar.problem}`);
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

  test("may be written in percent, and for an agent with any name", () => {
    expect(parseBar("pass_rate < 80%")).toMatchObject({ agentId: null, value: 0.8 });
    expect(parseBar(" opus[temperature=0.5, a b].cost >= 2 ")).toMatchObject({
      agentId: "opus[temperature=0.5, a b]",
      metric: "cost",
      operator: ">=",
      value: 2,
    });
  });

  test.each([
    ["", 1, "expected a metric"],
    ["< 3", 1, "expected a metric"],
    ["x. < 3", 3, "expected a metric"],
    ["speed < 3", 1, "there is no metric `speed`"],
    ["x.speed < 3", 3, "there is no metric `speed`"],
    ["toString < 3", 1, "there is no metric `toString`"],
    ["process.exit() < 1", 9, "there is no metric `exit()`"],
    ["pass_rate", 10, "expected `<`, `<=`, `>` or `>=`"],
    ["pass_rate = 0.8", 11, "expected `<`, `<=`, `>` or `>=`"],
    ["pass_rate != 0.8", 11, "expected `<`, `<=`, `>` or `>=`"],
    ["pass_rate <", 12, "expected a number"],
    ["pass_rate < x", 13, "expected a number"],
    ["pass_rate < 80", 13, "`pass_rate` is from 0 to 1: `0.8` or `80 %`"],
    ["x.coverage < 200 %", 14, "`coverage` is from 0 to 1"],
    ["cost > 80 %", 8, "`cost` is no share, and has no `%`"],
    ["score >= -1", 10, "`score` is from 0 to 1"],
    ["cost < 1 < 3", 8, "expected a number"],
    ["cost < 0x10", 8, "expected a number"],
    ["cost < 1e999", 8, "expected a number"],
  ])("%j is none: column %i, %s", (text, column, problem) => {
    expect(parseBar(text)).toMatchObject({ column, problem });
  });
});
