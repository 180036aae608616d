import { expect, test } from "vitest";
import { makeBenchHome } from "../run/bench-home.ts";

const IDLE = "true";

test("a case is sound where its solution passes and doing nothing does not", async () => {
  const home = makeBenchHome({
    sound: {
      agent: IDLE,
      evaluators: [{ run: "test -e done" }],
      entry: { solution: "./solve.sh" },
    },
    "laid-over": {
      agent: IDLE,
      evaluators: [{ run: "grep -q 42 answer/value" }],
      entry: { solution: "./solved" },
    },
    "says-json": {
      agent: IDLE,
      evaluators: [{ "json-schema": { type: "object", required: ["answer"] } }],
      entry: { solution: "./say.sh" },
    },
    tooled: {
      agent: IDLE,
      evaluators: [{ run: "test -e done" }, { tools: { require: ["shell"] } }],
      entry: { solution: "./solve.sh" },
    },
    boxed: { agent: IDLE, entry: { unsupported: "it needs a container" } },
  });
  home.write({
    "project/solve.sh": "touch done",
    "project/say.sh": `echo '{"answer": 42}'`,
    "project/solved/answer/value": "42\n",
  });
  const { exitCode, stdout } = await home.adj("bench", "validate", "suite.yaml", "--oracle");
  expect(stdout).toBe(`trials: 5 cases, 1 agent, 4 trials
ok  sound
ok  laid-over
ok  says-json
ok  tooled
left out  boxed  it needs a container
`);
  expect(exitCode).toBe(0);
});

test("a case that cannot tell good from bad is said, with why", async () => {
  const home = makeBenchHome({
    lenient: { agent: IDLE, evaluators: [{ run: "true" }], entry: { solution: "./solve.sh" } },
    impossible: { agent: IDLE, evaluators: [{ run: "exit 3" }], entry: { solution: "./solve.sh" } },
    unsolved: { agent: IDLE, evaluators: [{ run: "true" }] },
    broken: { agent: IDLE, entry: { solution: "./solve.sh", setup: ["exit 4"] } },
  });
  home.write({ "project/solve.sh": "touch done" });
  const { exitCode, stdout, stderr } = await home.adj("bench", "validate", ".", "--oracle");
  expect(stdout).toContain("wrong  lenient  doing nothing passes\n");
  expect(stdout).toContain("wrong  impossible  its solution does not pass: `run`: exit 3\n");
  expect(stdout).toContain("wrong  unsolved  it has no `solution` to try\n");
  expect(stdout).toContain("wrong  broken  its solution does not pass: ");
  expect(stderr).toContain("4 cases cannot tell good from bad");
  expect(exitCode).toBe(1);
});
