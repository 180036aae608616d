// Output full of what once took a scanner for secrets minutes: the run ends by its own limit or by itself, and what it
// printed is on record.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBenchHome } from "../bench/run/bench-home.ts";
import { longTest } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

const PIECES = [
  `Bearer ${" ".repeat(170_000)}`,
  "sk-".repeat(60_000),
  `sk-${"a".repeat(170_000)}`,
  "eyJ".repeat(60_000),
  `eyJ${"a.".repeat(85_000)}`,
  "token=".repeat(30_000),
  "-----BEGIN ".repeat(15_000),
  "a://b:".repeat(30_000),
];
const TEXT = `${PIECES.join("\n")}\nend of it\n`;
/** The limit of a run; a test that hangs for longer than any of them fails by the runner's own. */
const LIMIT = { timeout: 60_000 };

function runAgent(script: string, limit: string) {
  const home = makeHome();
  home.write({ "project/slow.txt": TEXT, "project/agent.sh": script });
  const words = ["agent", "run", "command", "--prompt=x", '--set=argv=["sh","agent.sh"]'];
  return home.adj("--json", ...words, `--timeout=${limit}`);
}

function readRun(stdout: string) {
  const { log, logPath } = JSON.parse(stdout).result.metadata;
  const kept = JSON.parse(readFileSync(logPath, "utf8"));
  expect(kept.execution).toEqual(log.execution);
  return { ...log.execution, output: readFileSync(join(logPath, "..", "stdout"), "utf8") };
}

test("a run that prints it and then hangs ends by its limit", LIMIT, async () => {
  const { exitCode, stdout } = await runAgent("cat slow.txt; exec sleep 600", "3s");
  expect(exitCode).toBe(124);
  const { output, ...execution } = readRun(stdout);
  expect(execution).toMatchObject({ status: "timeout", timed_out: true });
  expect(output.endsWith("end of it\n")).toBe(true);
});

test("a run that prints it and ends is through before its limit", LIMIT, async () => {
  const { exitCode, stdout } = await runAgent("cat slow.txt", "30s");
  expect(exitCode).toBe(0);
  const { output, ...execution } = readRun(stdout);
  expect(execution).toMatchObject({ status: "success", timed_out: false });
  expect(output.endsWith("end of it\n")).toBe(true);
});

longTest("trials end alike", LIMIT, async () => {
  const files = { "slow.txt": TEXT };
  const home = makeBenchHome({
    ends: { agent: "cat slow.txt", files, evaluators: [{ run: "test -s slow.txt" }] },
    hangs: { agent: "cat slow.txt; exec sleep 600", files, entry: { timeout: "3s" } },
  });
  const { result } = await home.bench("suite.yaml");
  expect(result("ends").ending).toBe("passed");
  expect(result("hangs").ending).toBe("timeout");
});
