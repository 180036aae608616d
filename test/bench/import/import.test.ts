import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Home, makeHome } from "../../program/adj.ts";

const read = (home: Home, file: string): string => readFileSync(join(home.project, file), "utf8");

const YOUBENCHA = `
name: "Change README title"
description: "Tests the agent's ability to change the title"
repo: https://github.com/octocat/Spoon-Knife.git
branch: main
expected_source: branch
expected: change-the-title
workspace_name: title
agent:
  type: copilot-cli
  agent_name: writer
  model: gpt-5
  config:
    prompt_file: ../prompts/title.md
    append_system_prompt: be brief
    tools: [read, write]
pre_execution:
  - name: script
    config: { command: ./setup.sh, args: ["in \${WORKSPACE_DIR}"], env: { MODE: "a b" }, timeout_ms: 1500 }
evaluators:
  - name: git-diff
    config: { assertions: { max_files_changed: 1, max_change_entropy: 2.0, max_total_changes: 9 } }
  - name: expected-diff
    config: { threshold: 0.9 }
  - file: ./evaluators/grammar.yaml
  - name: custom-thing
post_evaluation:
  - name: database
    config: { type: json-file, output_path: ./results.jsonl }
  - name: webhook
    config: { url: "https://example.com/hook", headers: { A: b } }
timeout: 300000
`;

const GRAMMAR = `
name: agentic-judge:grammar
config:
  type: claude-code
  assertions:
    no_errors: "No spelling errors. Score 1 if true, 0 if false."
`;

test("a youBencha test case becomes a suite, and what is lost is said", async () => {
  const home = makeHome();
  home.write({
    "project/cases/title.yaml": YOUBENCHA,
    "project/cases/evaluators/grammar.yaml": GRAMMAR,
    "project/prompts/title.md": "Change the title",
  });
  const { exitCode, stdout } = await home.adj("bench", "import", "cases/title.yaml", "imported");
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`wrote ${join(home.project, "imported/suite.yaml")} with 1 case
note: setting \`append_system_prompt\` of the agent is left out: \`copilot\` has no control for it
note: setting \`tools\` of the agent is left out: unknown key
note: the headers of the webhook are left out
note: \`max_total_changes\` of git-diff has no counterpart
note: evaluator \`custom-thing\` is not known here
`);
  expect(parse(read(home, "imported/suite.yaml"))).toEqual({
    name: "change-readme-title",
    description: "Tests the agent's ability to change the title",
    agents: [
      {
        agent: "copilot",
        model: "gpt-5",
        config: { agent_name: "writer" },
      },
    ],
    cases: [
      {
        id: "change-readme-title",
        workspace: { git: "https://github.com/octocat/Spoon-Knife.git", branch: "main" },
        prompt_file: "prompts/title.md",
        setup: [
          {
            run: "WORKSPACE_DIR=. REPO_DIR=. MODE='a b' ./setup.sh 'in .'",
            timeout: "1500ms",
          },
        ],
        evaluators: [
          { diff: { max_files_changed: 1, entropy: { max: 2 } } },
          { expected: { branch: "change-the-title", similarity: 0.9 } },
          {
            id: "agentic-judge-grammar",
            judge: { agent: "claude-code", rubric: "rubrics/agentic-judge-grammar.md" },
          },
        ],
        timeout: "300000ms",
      },
    ],
    post: [{ append: "./results.jsonl" }, { webhook: "https://example.com/hook" }],
  });
  expect(read(home, "imported/rubrics/agentic-judge-grammar.md")).toBe(
    "- no-errors: No spelling errors. Score 1 if true, 0 if false.\n",
  );
  expect(read(home, "imported/prompts/title.md")).toBe("Change the title");
});

const JUDGED = `
name: Judged
repo: \${BASE}/hello.git
branch: \${BRANCH}
agent: { type: claude-code, model: gpt-5, config: { prompt: "describe \${WHAT}" } }
evaluators:
  - name: agentic-judge
    config:
      type: claude-code
      agent_name: agentic-judge
      prompt_file: ./judge.md
      assertions: { 1st_thing: "it is there", same_key: one, same-key: two }
  - name: agentic-judge
    config: { type: claude-code, agent_name: strict, timeout: 5, assertions: [it works] }
pre_execution:
  - name: script
    config: { command: bash, args: ["-c", "echo $TEST_CASE_NAME in \${REPO_DIR}"], working_dir: "\${WORKSPACE_DIR}/sub" }
`;

test("judges keep their instructions and do not meet, and variables are declared", async () => {
  const home = makeHome();
  home.write({
    "project/judged.yaml": JUDGED,
    "project/judge.md": "Be strict.\n- look: at all of it\n",
  });
  const { exitCode, stdout } = await home.adj("bench", "import", "judged.yaml");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("note: setting `model` of the agent is left out: must be `opus`");
  expect(stdout).toContain("note: BASE, BRANCH, WHAT: to be set in the environment");
  expect(stdout).toContain("note: the timeout of `agentic-judge` is left out");
  expect(read(home, "judged/rubrics/agentic-judge.md")).toBe(`Be strict.
• look: at all of it

- criterion-1st-thing: it is there
- same-key: one
- same-key-2: two
`);
  expect(read(home, "judged/rubrics/agentic-judge-2.md")).toBe("- criterion-1: it works\n");
  const { variables, cases } = parse(read(home, "judged/suite.yaml"));
  expect(variables).toEqual(["BASE", "BRANCH", "WHAT"]);
  expect(cases[0].setup).toEqual(["cd ./sub && bash -c 'echo Judged in .'"]);
  expect(cases[0].evaluators[1].judge.config).toEqual({ agent_name: "strict" });
});

const TASK = `version = "1.0"
[metadata]
difficulty = "easy"
category = "programming"
tags = ["shell"]
[verifier]
timeout_sec = 12.5
[agent]
timeout_sec = 60.0
`;

const task = (name: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries({
      "task.toml": TASK,
      "instruction.md": `Write ${name}.`,
      "tests/test.sh": `grep -q ${name} answer.txt`,
      "solution/solve.sh": `echo ${name} > answer.txt`,
      ...files,
    }).map(([path, content]) => [`project/tasks/${name}/${path}`, content]),
  );

test("task folders become a suite that can tell good from bad, without those that need a container", async () => {
  const home = makeHome();
  home.write({
    ...task("plain", { "environment/hello.txt": "hello\n" }),
    ...task("boxed", { "environment/Dockerfile": "FROM scratch\n" }),
    ...task("rooted", { "tests/test.sh": "cat /logs/verifier/reward.txt" }),
  });
  const { stdout, exitCode } = await home.adj("bench", "import", "tasks", "suite");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("with 3 cases\n");
  expect(stdout).toContain(
    "note: case `boxed` is not run: it needs a container: environment/Dockerfile\n",
  );
  expect(stdout).toContain(
    "note: case `rooted` is not run: it needs a container: tests/test.sh names places of one\n",
  );
  const { cases } = parse(read(home, "suite/suite.yaml"));
  expect(cases[1]).toEqual({
    id: "plain",
    tags: ["shell", "programming", "easy"],
    workspace: { template: "cases/plain/environment" },
    prompt_file: "cases/plain/instruction.md",
    evaluators: [
      { run: { command: "bash tests/test.sh", files: "cases/plain/grading", timeout: "12500ms" } },
    ],
    solution: "cases/plain/solution/solve.sh",
    timeout: "60000ms",
  });
  const oracle = await home.adj(
    "bench",
    "validate",
    "suite/suite.yaml",
    "--oracle",
    "--only",
    "plain",
  );
  expect(oracle).toMatchObject({ exitCode: 0, stderr: "" });
  const plan = await home.adj("bench", "plan", "suite/suite.yaml");
  expect(plan.stdout).toContain("left out: boxed: it needs a container: environment/Dockerfile\n");
  expect(plan.stdout).toContain(": 1 trial, 0 known, 1 to run\n");
});

test("tasks of other forms are found, told apart and kept for what they are", async () => {
  const home = makeHome();
  const keywords = 'schema_version = "1.1"\n[task]\nname = "one/same"\nkeywords = ["trivial"]\n';
  home.write({
    ...task("deep/down", { "task.toml": keywords }),
    ...task("same", { "task.toml": `${keywords}[verifier]\nenv = { KEY = "x" }\n` }),
    ...task("elsewhere", { "instruction.md": "Write `/app/answer.txt`." }),
    ...task("redirects", { "tests/check.sh": "echo 1 >/logs/verifier/reward.txt" }),
    ...task("imaged", { "task.toml": '[environment]\ndocker_image = "alpine:3"\n' }),
    "project/tasks/steps/task.toml": '[[steps]]\nname = "first"\n',
    "project/tasks/untested/task.toml": "",
    "project/tasks/untested/instruction.md": "Do it.",
  });
  const { stdout } = await home.adj("bench", "import", "tasks", "suite");
  const { cases } = parse(read(home, "suite/suite.yaml"));
  const told = cases.map(({ id, unsupported }: Record<string, string>) => [id, unsupported]);
  expect(told).toEqual([
    ["same", undefined],
    ["elsewhere", "it needs a container: instruction.md names places of one"],
    ["imaged", "it needs a container: the image alpine:3"],
    ["redirects", "it needs a container: tests/check.sh names places of one"],
    ["same-2", undefined],
    ["steps", "it has several steps"],
    ["untested", "it has no tests/test.sh"],
  ]);
  expect(cases[0].tags).toEqual(["trivial"]);
  expect(stdout).toContain("note: case `same-2`: KEY would be set there");
  const { exitCode, stdout: valid } = await home.adj("bench", "validate", "suite", "--oracle");
  expect(valid).toContain("ok  same\nleft out  elsewhere");
  expect(exitCode).toBe(0);
});

test("what is no test case is refused with its place, and nothing is overwritten", async () => {
  const home = makeHome();
  home.write({
    "project/bad.yaml": "name: x\nrepo: 4\n",
    "project/empty/.keep": "",
    ...task("one", {}),
    "project/broken/a/task.toml": "= nothing",
    "project/broken/a/instruction.md": "x",
    "project/odd/task.toml": '[agent]\ntimeout_sec = "long"\n',
    "project/older/task.yaml": "instruction: x",
  });
  const refuse = async (...words: string[]) => (await home.adj("bench", "import", ...words)).stderr;
  expect(await refuse("bad.yaml")).toContain("bad.yaml:2:7: `repo` must be text");
  expect(await refuse("empty")).toContain("no folder with a `task.toml`");
  expect(await refuse("gone")).toContain("it does not exist");
  expect(await refuse("broken")).toContain("broken/a/task.toml:1:1: not TOML: ");
  expect(await refuse("odd")).toContain("odd/task.toml: `timeout_sec` must be a number");
  expect(await refuse("older")).toContain("`task.yaml` is the older form of Terminal-Bench");
  expect(await refuse("tasks/one", "out")).toBe("");
  expect(await refuse("tasks/one", "out")).toContain("is there already");
});
