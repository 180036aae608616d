import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type Home, makeHome } from "../program/adj.ts";

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
note: setting \`tools\` of the agent is left out
note: the headers of the webhook are left out
note: \`max_total_changes\` of git-diff has no counterpart
note: evaluator \`custom-thing\` is not known here
`);
  expect(parse(read(home, "imported/suite.yaml"))).toEqual({
    name: "change-readme-title",
    agents: [
      {
        agent: "copilot",
        model: "gpt-5",
        config: { agent_name: "writer", append_system_prompt: "be brief" },
      },
    ],
    cases: [
      {
        id: "change-readme-title",
        workspace: { git: "https://github.com/octocat/Spoon-Knife.git", branch: "main" },
        prompt_file: "prompts/title.md",
        setup: [{ run: "MODE='a b' ./setup.sh 'in .'", timeout: "1500ms" }],
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
  expect(plan.stdout).toContain(": 1 trials, 0 known, 1 to run\n");
});

test("what is no test case is refused with its place, and nothing is overwritten", async () => {
  const home = makeHome();
  home.write({
    "project/bad.yaml": "name: x\nrepo: 4\n",
    "project/empty/.keep": "",
    ...task("one", {}),
    "project/broken/a/task.toml": "= nothing",
    "project/broken/a/instruction.md": "x",
  });
  const refuse = async (...words: string[]) => (await home.adj("bench", "import", ...words)).stderr;
  expect(await refuse("bad.yaml")).toContain("bad.yaml:2:7: `repo` must be text");
  expect(await refuse("empty")).toContain("no folder with `task.toml` and `instruction.md`");
  expect(await refuse("gone")).toContain("it does not exist");
  expect(await refuse("broken")).toContain("a `task.toml` cannot be read");
  expect(await refuse("tasks/one", "out")).toBe("");
  expect(await refuse("tasks/one", "out")).toContain("is there already");
});
