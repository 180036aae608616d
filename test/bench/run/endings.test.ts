import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CaseFiles, makeBenchHome, readOutcome } from "./bench-home.ts";

const isTwo = { run: "grep -q two file.txt" };
const one = { "file.txt": "one\n" };

const CASES: Readonly<Record<string, CaseFiles>> = {
  passes: { agent: "echo two > file.txt; echo done", files: one, evaluators: [isTwo] },
  fails: { agent: "echo done", files: one, evaluators: [isTwo] },
  breaks: { agent: "echo two > file.txt; exit 3", files: one, evaluators: [isTwo] },
  hangs: { agent: "sleep 60", files: one, evaluators: [isTwo], entry: { timeout: "500ms" } },
  idle: { agent: "true", evaluators: [{ diff: { max_files_changed: 1 } }] },
  silent: { agent: "true" },
  speaks: { agent: "echo hello" },
  "setup-fails": { agent: "echo hi", entry: { setup: ["echo no disk >&2; exit 4"] } },
  "setup-works": {
    agent: "cat made.txt",
    evaluators: [{ contains: "made here" }],
    entry: { setup: ["echo made here > made.txt"] },
  },
  "teardown-fails": {
    agent: "echo two > file.txt",
    evaluators: [isTwo],
    entry: { teardown: ["exit 9"] },
  },
  "judge-rubbish": {
    agent: "echo hi",
    evaluators: [
      { judge: { agent: "replay", config: { cassette: "./judge.yaml" }, rubric: "./rubric.md" } },
    ],
  },
  "no-commit": {
    agent: "echo hi",
    entry: { workspace: { git: "file:///nowhere", commit: "0123456" } },
  },
  untold: { agent: "echo hi", evaluators: [{ cost: 1 }, { tools: { forbid: ["shell"] } }] },
  "command-crashes": { agent: "echo hi", evaluators: [{ command: "crash" }] },
  "command-scores": {
    agent: "echo hi",
    evaluators: [{ command: { name: "score", pass: 0.5 } }],
  },
};

const COMMANDS = `crash:
  description: Ends badly
  argv: [sh, -c, "exit 1"]
score:
  description: Says a score
  argv: [sh, -c, "echo '{\\"score\\":0.75,\\"message\\":\\"good enough\\"}'"]
`;

const ENDINGS = {
  passes: ["passed", null, 1],
  fails: ["failed", "`run`: exit 1", 0],
  breaks: ["agent_error", expect.stringContaining("3"), null],
  hangs: ["timeout", expect.any(String), null],
  idle: ["failed", "the agent did nothing", 1],
  silent: ["failed", "the agent did nothing", null],
  speaks: ["passed", null, null],
  "setup-fails": ["infra", "no disk (`echo no disk >&2; exit 4` exited with 4)", null],
  "setup-works": ["passed", null, 1],
  "teardown-fails": ["passed", "afterwards: `exit 9` exited with 9", 1],
  "judge-rubbish": ["infra", expect.stringContaining("0 usable verdicts of 1"), null],
  "no-commit": ["infra", expect.stringContaining("`git clone` failed"), null],
  untold: ["infra", "nothing could be told, `cost`: the agent does not state its cost", null],
  "command-crashes": ["infra", expect.stringContaining("evaluator `command` broke"), null],
  "command-scores": ["passed", null, 0.75],
};

test("every trial has one ending, and what could not run is not in the rate", async () => {
  const home = makeBenchHome(CASES);
  home.write({
    "project/judge.yaml": 'adjutant: 1\nsteps:\n  - say: "I liked it, 10 out of 10"\n',
    "project/rubric.md": "- kindness: it is kind\n",
    "project/.adjutant/commands.yaml": COMMANDS,
  });
  await home.trust();
  const { results, exitCode, metadata } = await home.bench("suite.yaml");
  const endings = results.map(({ caseId, ending, reason, score }) => [
    caseId,
    [ending, reason, score],
  ]);
  expect(Object.fromEntries(endings)).toEqual(ENDINGS);
  expect(exitCode).toBe(3);
  expect(metadata.summary).toMatchObject({
    agents: [{ tally: { passed: 5, trials: 10 }, endings: { infra: 5 }, coverage: 10 / 15 }],
  });
});

/** Says as `claude` does how its run went: the last word is in the workspace. */
const FAKE_CLAUDE = `#!/bin/sh
case $1 in --version) echo '2.1.325 (Claude Code)'; exit 0 ;; esac
cat answer.jsonl
exit 0
`;

const sayLast = (fields: object): Readonly<Record<string, string>> => ({
  "answer.jsonl": `${[
    { type: "system", subtype: "init", session_id: "s", model: "m", tools: [], cwd: "/" },
    { type: "result", is_error: true, num_turns: 1, session_id: "s", ...fields },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n")}\n`,
});

test("an agent's own words for its end become the trial's, also where it exits with 0", async () => {
  const limited = "API Error: 429 rate_limit: quota exceeded";
  const home = makeBenchHome(
    {
      refuses: { agent: "", files: sayLast({ subtype: "success", stop_reason: "refusal" }) },
      turns: { agent: "", files: sayLast({ subtype: "error_max_turns" }) },
      quota: {
        agent: "",
        files: sayLast({ subtype: "success", api_error_status: 429, result: limited }),
      },
    },
    { agents: [{ agent: "claude-code" }, { agent: "codex" }] },
  );
  home.write({ "bin/claude": FAKE_CLAUDE });
  chmodSync(join(home.folder, "bin/claude"), 0o755);
  const env = {
    ...home.env,
    ADJ_AGENT_CLAUDE_CODE: join(home.folder, "bin/claude"),
    ANTHROPIC_API_KEY: "dummy",
    OPENAI_API_KEY: "dummy",
    ADJ_AGENT_CODEX: join(home.folder, "bin/codex"),
  };
  const { results } = readOutcome(await home.adjIn({ env }, "--json", "bench", "suite.yaml"));
  const endings = results.map(({ key, ending }) => [key, ending]);
  expect(Object.fromEntries(endings)).toEqual({
    "refuses/claude-code/1": "refused",
    "turns/claude-code/1": "limit",
    "quota/claude-code/1": "infra",
    "refuses/codex/1": "infra",
    "turns/codex/1": "infra",
    "quota/codex/1": "infra",
  });
});

test("what could not run is tried again, and only what may go better", async () => {
  const home = makeBenchHome(
    {
      later: {
        agent: "echo hi",
        entry: { setup: ['test -e "$HOME/seen" || { touch "$HOME/seen"; exit 1; }'] },
      },
    },
    { limits: { infra_retries: 2 } },
  );
  expect((await home.bench("suite.yaml")).result("later")).toMatchObject({
    ending: "passed",
    attempts: 2,
  });
});

test("past the budget of the run nothing is started any more, and that is no known result", async () => {
  const cassette = "adjutant: 1\nsteps: [{ say: hi }]\ncost_usd: 0.6\n";
  const agents = [{ agent: "replay", config: { cassette: "./tape.yaml" } }];
  const home = makeBenchHome(
    { dear: { agent: "" } },
    { agents, repeat: 3, limits: { usd: 1, concurrency: 1 } },
  );
  home.write({ "project/tape.yaml": cassette });
  const { results, exitCode } = await home.bench("suite.yaml");
  expect(results.map(({ ending }) => ending)).toEqual(["passed", "passed", "limit"]);
  expect(exitCode).toBe(0);
  const again = await home.bench("plan", "suite.yaml");
  expect(again.metadata.trials).toMatchObject([{ known: true }, { known: true }, { known: false }]);
});

test("a suite of which nothing can be run here says so", async () => {
  const boxed = { agent: "echo hi", entry: { unsupported: "it needs a container" } };
  const home = makeBenchHome({ boxed });
  const { exitCode, stderr } = await home.adj("bench", "suite.yaml");
  expect(exitCode).toBe(3);
  expect(stderr).toBe("no case can be run here; `adj bench plan` says why\n");
  expect((await home.adj("bench", "plan", "suite.yaml")).stdout).toContain(
    "left out: boxed: it needs a container\n",
  );
});
