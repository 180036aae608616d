// What somebody sees of a suite in the first week, by the built program.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "../../program/adj.ts";
import { makeBenchHome } from "../run/bench-home.ts";

test("validate tells everything that is wrong, a line each, and exits with 2", async () => {
  const home = makeHome();
  home.write({
    "project/suite.yaml":
      "name: s\nrepeats: 3\nlimits: { concurrency: 0 }\nagents: [{ agent: claud }]\ncases: [{ id: a }, { id: b, prompt: x, evaluators: [{ rnu: x }] }]\n",
  });
  const { exitCode, stdout, stderr } = await home.adj("bench", "validate", "suite.yaml");
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr.trimEnd().split("\n")).toEqual([
    "adj: suite.yaml:2:1: unknown key `repeats`; did you mean `repeat`?",
    "adj: suite.yaml:3:24: `concurrency` must be a whole number from 1 to 1000",
    "adj: suite.yaml:4:19: unknown agent `claud`; did you mean `claude-code`?",
    "adj: suite.yaml:5:9: case `a` asks for nothing: give `command`, `prompt` or `prompt_file`",
    "adj: suite.yaml:5:55: unknown evaluator `rnu`; did you mean `run`?",
    "adj: 5 problems",
  ]);
  const run = await home.adj("bench", "suite.yaml");
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain("unknown key `repeats`");
});

test("a run of which no trial can start stops early, with the reason", async () => {
  const agents = [{ id: "gone", agent: "codex" }];
  const home = makeBenchHome({ a: { agent: "true" } }, { agents, repeat: 20, limits: {} });
  const { exitCode, stderr } = await home.adj("bench", "suite.yaml", "--concurrency", "1");
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/stopped after 2 of 20 trials, since none can start: .*codex/);
  // Mended, the same command begins anew.
  const again = await home.adj("bench", "suite.yaml", "--concurrency", "1");
  expect(again.stderr).not.toContain("resuming");
});

test("what the agent changed is shown whatever graded it, also where it failed", async () => {
  const home = makeBenchHome({
    graded: { agent: "echo new > made.txt; echo done", evaluators: [{ contains: "done" }] },
    ungraded: { agent: "echo new > made.txt; echo done" },
    failing: { agent: "echo new > made.txt; exit 3", evaluators: [{ contains: "done" }] },
    diffed: { agent: "echo new > made.txt; echo x", evaluators: [{ diff: {} }] },
  });
  await home.adj("bench", "suite.yaml", "--html", "report.html");
  for (const name of ["graded", "ungraded", "failing", "diffed"]) {
    const { stdout } = await home.adj("bench", "show", `${name}/shell`);
    expect(stdout, name).toContain("+++ b/made.txt\n");
    expect(stdout.match(/\+\+\+ b\/made\.txt/g), name).toHaveLength(1);
  }
  const html = readFileSync(join(home.project, "report.html"), "utf8");
  expect(html.match(/<summary>changes<\/summary>/g)).toHaveLength(4);
});

test("a trial that costs more than it may ends as `limit`", async () => {
  const event = (part: object) => JSON.stringify({ sessionID: "s", ...part });
  const step = (reason: string) => event({ type: "step_finish", part: { reason, cost: 0.4 } });
  const lines = [event({ type: "step_start", part: {} }), step("tool-calls"), step("stop")];
  const home = makeBenchHome(
    { a: { agent: "true" } },
    {
      agents: [{ id: "dear", agent: "opencode" }],
      limits: { usd_per_trial: 0.5 },
      sandbox: "none",
    },
  );
  home.write({
    "bin/opencode": `#!/bin/sh\n[ "$1" = --version ] && echo 1.18.33 && exit\ncat <<'E'\n${lines.join("\n")}\nE\nexec sleep 60\n`,
  });
  const { chmodSync } = await import("node:fs");
  chmodSync(join(home.folder, "bin/opencode"), 0o755);
  const PATH = `${join(home.folder, "bin")}:${home.env.PATH}`;
  const { stdout } = await home.adjIn({ env: { ...home.env, PATH } }, "bench", "suite.yaml");
  expect(stdout).toMatch(/a\/dear +limit +1 +it cost \$0\.8000, at most \$0\.5/);
});
