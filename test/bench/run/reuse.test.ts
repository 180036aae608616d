import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { run } from "../../program/adj.ts";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { longTest, sampled } from "../../support/tier.ts";
import { type BenchHome, makeBenchHome, readOutcome } from "./bench-home.ts";

const CASES = {
  a: { agent: "echo two > file.txt", evaluators: [{ run: "test -e file.txt" }] },
  b: { agent: "echo hi", evaluators: [{ run: "test -e file.txt" }] },
};

const PLANNED = z.array(z.object({ known: z.boolean() }));

const trialsOf = async (home: BenchHome): Promise<unknown> =>
  (await home.bench("plan", "suite.yaml")).metadata.trials;

test("what is known is not run again, unless it is asked for or has changed", async () => {
  const home = makeBenchHome(CASES);
  const first = await home.bench("suite.yaml");
  expect(first.results.map(({ reusedFrom }) => reusedFrom)).toEqual([null, null]);
  const second = await home.bench("suite.yaml");
  expect(second.results.map(({ reusedFrom }) => reusedFrom)).toEqual([
    first.metadata.run,
    first.metadata.run,
  ]);
  expect(second.result("a")).toEqual({
    ...first.result("a"),
    runId: second.metadata.run,
    reusedFrom: first.metadata.run,
  });
  const fresh = await home.bench("suite.yaml", "--fresh");
  expect(fresh.results.map(({ reusedFrom }) => reusedFrom)).toEqual([null, null]);

  home.write({ "project/cases/a/agent.sh": "echo other" });
  expect(await trialsOf(home)).toMatchObject([
    { key: "a/shell/1", known: false, stale: true },
    { key: "b/shell/1", known: true, stale: false },
  ]);
  const changed = await home.bench("suite.yaml");
  expect(changed.results.map(({ ending, reusedFrom }) => [ending, reusedFrom === null])).toEqual([
    ["failed", true],
    ["failed", false],
  ]);
});

test("a run says what it knows already, and what has changed since", async () => {
  const home = makeBenchHome(CASES);
  expect((await home.adj("bench", "suite.yaml")).stderr).not.toContain("known");
  home.write({ "project/cases/a/agent.sh": "echo other" });
  const { stderr } = await home.adj("bench", "suite.yaml");
  expect(stderr).toMatch(/^1 known, 1 to run \(1 of them stale\)\n/);
});

test("more repetitions add to those that are known", async () => {
  const home = makeBenchHome(CASES);
  await home.bench("suite.yaml", "--only", "a");
  const { results } = await home.bench("suite.yaml", "--only", "a", "--repeat", "3");
  expect(results.map(({ repetition, reusedFrom }) => [repetition, reusedFrom === null])).toEqual([
    [1, false],
    [2, true],
    [3, true],
  ]);
});

test("a changed program of the agent, of setup or of an evaluator is never answered from old results", async () => {
  const home = makeBenchHome({ a: { agent: "" } });
  const script = (name: string) => join(home.project, name);
  home.write({
    "project/agents/agent.sh": `. ${script("agents/lib.sh")}; python3 ${script("agents/tool.py")}; echo one`,
    "project/agents/lib.sh": `node "\${0%/*}/part.mjs"`,
    "project/agents/part.mjs": 'import "./deep/er.mjs";',
    "project/agents/deep/er.mjs": "0",
    "project/agents/tool.py": "from other import x",
    "project/agents/other.py": "x = 1",
    "project/check.sh": `exec node ${script("check")}`,
    "project/check": 'require("./checks/one.cjs")',
    "project/checks/one.cjs": "0",
    "project/setup.sh": "true",
    "bin/on-path": "#!/bin/sh\necho 1\n",
    "project/suite.yaml": JSON.stringify({
      name: "programs",
      agents: [
        { id: "script", agent: "command", config: { argv: ["sh", script("agents/agent.sh")] } },
        {
          id: "line",
          agent: "command",
          config: { argv: ["sh", "-c", `sh ${script("agents/agent.sh")}; on-path`] },
        },
      ],
      cases: [
        {
          id: "a",
          prompt: "x",
          setup: [`sh ${script("setup.sh")}`],
          evaluators: [{ run: `sh ${script("check.sh")}` }],
        },
      ],
    }),
  });
  await run("chmod", ["+x", join(home.folder, "bin/on-path")], { cwd: "/", env: home.env });
  const env = { ...home.env, PATH: `${join(home.folder, "bin")}:${home.env.PATH}` };
  await home.adjIn({ env }, "bench", "suite.yaml");
  const known = async () => {
    const { metadata } = readOutcome(
      await home.adjIn({ env }, "--json", "bench", "plan", "suite.yaml"),
    );
    return PLANNED.parse(metadata.trials).map((trial) => trial.known);
  };
  expect(await known()).toEqual([true, true]);
  for (const [file, both] of sampled([
    ["project/agents/agent.sh", [false, false]],
    ["project/agents/lib.sh", [false, false]],
    ["project/agents/deep/er.mjs", [false, false]],
    ["project/agents/other.py", [false, false]],
    ["project/check.sh", [false, false]],
    ["project/checks/one.cjs", [false, false]],
    ["project/setup.sh", [false, false]],
    ["bin/on-path", [true, false]],
  ])) {
    const before = readFileSync(join(home.folder, file), "utf8");
    home.write({ [file]: `${before}\n` });
    expect(await known(), file).toEqual(both);
    home.write({ [file]: before });
  }
  expect(await known()).toEqual([true, true]);
});

test.runIf(hasBubblewrap)("a result of one sandbox is none of another", async () => {
  const home = makeBenchHome({ a: { agent: "echo hi" } }, { sandbox: "none" });
  expect((await home.bench("suite.yaml")).result("a").reusedFrom).toBe(null);
  expect((await home.bench("suite.yaml")).result("a").reusedFrom).not.toBe(null);
  const suite = readFileSync(home.suiteFile, "utf8");
  home.write({ "project/suite.yaml": suite.replace('"none"', '"bwrap"') });
  expect((await home.bench("suite.yaml")).result("a").reusedFrom).toBe(null);
  home.write({ "project/suite.yaml": suite.replace('"none"', '"bwrap","network":"off"') });
  expect((await home.bench("suite.yaml")).result("a").reusedFrom).toBe(null);
});

test("two runs at once in one repository do not meet", async () => {
  const slow = 'echo "$PWD" > place.txt; sleep 0.3; ls | wc -l | grep -q 2 && echo alone';
  const home = makeBenchHome(
    { shared: { agent: slow, evaluators: [{ contains: "alone" }] } },
    { repeat: 4 },
  );
  const runs = await Promise.all([
    home.bench("suite.yaml", "--fresh"),
    home.bench("suite.yaml", "--fresh"),
  ]);
  for (const { results, exitCode } of runs) {
    expect(exitCode).toBe(0);
    expect(results.map(({ ending }) => ending)).toEqual(["passed", "passed", "passed", "passed"]);
  }
  expect(new Set(runs.map(({ metadata }) => metadata.run)).size).toBe(2);
});

longTest("a run that is interrupted goes on where it was", async () => {
  const agent = 'echo x >> "$HOME/tried"; test -e "$HOME/go" || sleep 60; echo hi';
  const home = makeBenchHome(
    { quick: { agent: "echo hi" }, slow: { agent } },
    // The test speaks to the agent through its home.
    { limits: { concurrency: 1 }, sandbox: "none" },
  );
  const started = home.start("bench", "suite.yaml");
  await until(async () => (await home.bench("history")).stdout.includes("1/2"));
  started.child.kill("SIGINT");
  expect(await started.ended).toMatchObject({
    exitCode: 130,
    stderr: expect.stringContaining(
      "stopped with 1 of 2 trials done; the same line goes on from there\n",
    ),
  });
  expect((await home.adj("bench", "history")).stdout).toContain("interrupted");
  home.write({ go: "" });
  const { stderr } = await home.adj("bench", "suite.yaml");
  const { results, exitCode, metadata } = await home.bench("report");
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^resuming run \w{8}, 1 of 2 done$/m);
  expect(results.map(({ key, ending, reusedFrom }) => [key, ending, reusedFrom])).toEqual([
    ["quick/shell/1", "passed", null],
    ["slow/shell/1", "passed", null],
  ]);
  const { runs } = (await home.bench("history")).metadata;
  expect(runs).toMatchObject([{ id: metadata.run, state: "done" }]);
});

test("a run that is cancelled stops, and keeps what was finished", async () => {
  const home = makeBenchHome(
    { quick: { agent: "echo hi" }, slow: { agent: "sleep 60" } },
    { limits: { concurrency: 1 } },
  );
  const started = home.start("--json", "bench", "suite.yaml");
  await until(async () => (await home.bench("history")).stdout.includes("1/2"));
  const history = (await home.adj("bench", "history")).stdout;
  await home.adj("bench", "cancel", /^[0-9a-f]{8}/m.exec(history)?.[0] ?? "");
  const outcome = readOutcome(await started.ended);
  expect(outcome.exitCode).toBe(3);
  expect(outcome.results.map(({ ending }) => ending)).toEqual(["passed", "cancelled"]);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 100) throw new Error("it did not come to that");
    await pause(20);
  }
}
