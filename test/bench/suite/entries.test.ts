import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import { listProblems } from "../../../src/bench/suite/entries.ts";
import { loadSuite } from "../../../src/bench/suite/load.ts";
import { formatFault } from "../../../src/core/command/fault.ts";
import { ADAPTERS } from "../../support/agents.ts";
import { faultOf } from "../../support/faults.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const load = (folder: string, text: string) => {
  writeFileSync(join(folder, "suite.yaml"), text);
  return loadSuite(join(folder, "suite.yaml"), {
    env: {},
    evaluators: EVALUATORS,
    adapters: ADAPTERS,
  });
};

test("everything that is wrong is found, each with its place", async () => {
  const folder = temporaryFolder();
  const text = `name: s
agents:
  - { id: a, agent: claud }
  - { id: b, agent: claude-code, config: { max_turns: zero, nothing: 1 } }
  - { id: c, agent: command, config: { argv: [./gone.sh] } }
cases:
  - { id: one, prompt: hi, timeout: 5, labels: x }
  - { id: two, prompt_file: gone.md, workspace: { template: gone }, evaluators: [{ rnu: x }, { run: 3 }] }
  - { id: three, prompt: hi }
  - { id: three, prompt: hi }
  - { id: two, prompt: hi }
post: [{}]
`;
  const first = await faultOf(() => load(folder, text));
  const lines = listProblems(first).map((one) => formatFault(one).replace(`${folder}/`, ""));
  expect(lines).toEqual([
    "suite.yaml:3:21: unknown agent `claud`; did you mean `claude-code`?",
    expect.stringMatching(/^suite.yaml:4:\d+: .*max_turns/),
    expect.stringMatching(/^suite.yaml:4:\d+: .*nothing/),
    "suite.yaml:5:40: `argv`: there is no `./gone.sh` beside the suite",
    expect.stringMatching(/^suite.yaml:7:\d+: `timeout` must be a duration/),
    "suite.yaml:7:48: `labels` must be a list",
    expect.stringMatching(/^suite.yaml:8:\d+: `template` cannot be read/),
    expect.stringMatching(/^suite.yaml:8:\d+: `prompt_file` cannot be read/),
    "suite.yaml:8:84: unknown evaluator `rnu`; did you mean `run`?",
    expect.stringMatching(/^suite.yaml:8:\d+: /),
    "suite.yaml:10:11: case `three` is there twice",
    "suite.yaml:11:11: case `two` is there twice",
    expect.stringMatching(/^suite.yaml:12:\d+: a post step is one of/),
  ]);
});

test("a program and the files beside it are found from the suite, wherever the agent works", async () => {
  const folder = temporaryFolder();
  const suite = (argv: string) =>
    `name: s\nagents: [{ agent: command, config: { argv: ${argv} } }]\ncases: [{ id: a, prompt: hi }]\n`;
  writeFileSync(join(folder, "agent.sh"), "#!/bin/sh\n");
  expect(formatFault(await faultOf(() => load(folder, suite("[./agent.sh]"))))).toContain(
    "`argv`: `./agent.sh` is not an executable file; `chmod +x` it",
  );
  chmodSync(join(folder, "agent.sh"), 0o755);
  expect(formatFault(await faultOf(() => load(folder, suite("[sh, ./gone.sh]"))))).toContain(
    "`argv`: there is no `./gone.sh` beside the suite",
  );
  writeFileSync(join(folder, "rules.md"), "");
  const argvOf = (argv: string) => load(folder, suite(argv)).agents[0]?.config.argv;
  expect(argvOf("[./agent.sh, --rules, ./rules.md, plain.md, ../, a/b]")).toEqual([
    ...[join(folder, "agent.sh"), "--rules", join(folder, "rules.md"), "plain.md"],
    ...[join(folder, ".."), "a/b"],
  ]);
});

test("a program in a folder of the suite is found there too, and started from there", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/agent.sh"), "#!/bin/sh\n", { mode: 0o755 });
  const { agents } = load(
    folder,
    "name: s\nagents: [{ agent: command, config: { argv: [bin/agent.sh, bin/agent.sh] } }]\ncases: [{ id: a, prompt: hi }]\n",
  );
  expect(agents[0]?.config.argv).toEqual([join(folder, "bin/agent.sh"), "bin/agent.sh"]);
});
