import { expect, test } from "vitest";
import { makeBenchHome, SHELL_AGENT } from "../run/bench-home.ts";

const CASES = { a: { agent: "echo hi" }, b: { agent: "echo hi", entry: { tags: ["slow"] } } };

test("an agent that is not installed is said before a run", async () => {
  const home = makeBenchHome(CASES, { agents: [SHELL_AGENT, { agent: "opencode" }] });
  const nowhere = { env: { ...home.env, PATH: "/usr/bin:/bin" } };
  const note = "note: agent `opencode` cannot run here: `opencode` was not found on PATH";
  expect((await home.adjIn(nowhere, "bench", "validate", "suite.yaml")).stdout).toContain(note);
  expect((await home.adjIn(nowhere, "bench", "plan", "suite.yaml")).stdout).toContain(note);
});

test("a plan says what would run, and for whom no cost is known; where all is known there is none", async () => {
  const home = makeBenchHome(CASES);
  const plan = async () => (await home.adj("bench", "plan", ".", "--only", "slow,shell")).stdout;
  expect(await plan()).toBe(
    `trials: 1 trial, 0 known, 1 to run
cost: not known for shell, which said none before
  b/shell/1
`,
  );
  await home.adj("bench", ".", "--only", "slow,shell");
  expect(await plan()).toBe("trials: 1 trial, 1 known, 0 to run\n");
});

test("a word that names nothing is refused with what was meant", async () => {
  const home = makeBenchHome(CASES);
  const { exitCode, stderr } = await home.adj("bench", "plan", "suite.yaml", "--only", "a,slo");
  expect(stderr).toContain("`--only slo` names no case, tag or agent; did you mean `slow`?");
  expect(exitCode).toBe(2);
});

test("a second suite is not passed over in silence", async () => {
  const home = makeBenchHome(CASES);
  for (const words of [
    ["plan", "suite.yaml", "b.yaml"],
    ["suite.yaml", "b.yaml"],
  ]) {
    const { exitCode, stderr } = await home.adj("bench", ...words);
    expect(stderr).toContain("`b.yaml` is one too many: one suite at a time");
    expect(exitCode).toBe(2);
  }
});

test("more trials than anybody could wait for are refused", async () => {
  const home = makeBenchHome(CASES, {
    agents: Array.from({ length: 60 }, (_, at) => ({ ...SHELL_AGENT, id: `shell-${at}` })),
  });
  const { exitCode, stderr } = await home.adj("bench", "plan", ".", "--repeat", "10000");
  expect(stderr).toContain("it comes to 1200000 trials, at most 1000000 are allowed");
  expect(exitCode).toBe(2);
});
