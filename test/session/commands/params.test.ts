import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../support/program-of-commands.ts";

const paramsOf = async (opened: TestProgram) =>
  (await opened.run(["params"])).result.metadata?.params;

test("all paths are set together, with one event each after the commit", async () => {
  const opened = openTestProgram();
  const outcome = await opened.run([
    "params",
    "max-turns=5",
    "settings.env.A=1",
    "append_system_prompt=a=b",
  ]);
  expect(linesOf(outcome)).toEqual([
    "set append_system_prompt",
    "set max_turns",
    "set settings.env.A",
  ]);
  expect(await paramsOf(opened)).toEqual({
    append_system_prompt: "a=b",
    max_turns: 5,
    "settings.env.A": 1,
  });
  const events = [...opened.program.audit.read({ types: ["ParamsChanged"] })];
  const changed = (paramPath: string, to: string) => ({
    paramPath,
    sourceLayer: "session",
    redactedDelta: { from: "unset", to },
  });
  expect(events.map(({ data }) => data)).toEqual([
    changed("append_system_prompt", "string(3)"),
    changed("max_turns", "number"),
    changed("settings.env.A", "number"),
  ]);
});

test.each([
  ["a forbidden name", ["effort=low", "__proto__.x=1"], "cannot be part of a path"],
  ["a secret", ["effort=low", "api_key=short"], "may be a secret"],
  ["a path that is not set", ["effort=low", "--unset", "nothing"], "`nothing` is not set"],
  ["a path below a value", ["effort=low", "max_turns.c=1"], "no agent has a place"],
  ["a path that no agent has a place for", ["temperature=0.2"], "no agent has a place"],
  ["a path that is nearly one", ["max_tunrs=2"], "did you mean `max_turns`?"],
  ["a value that every agent refuses", ["max_turns=0"], "must be a whole number"],
  ["a path with a command of its own", ["model=opus"], "`model` is no param"],
  ["the approval mode by another name", ["permission-mode=auto"], "is no param"],
])("%s refuses the whole change", async (_, words, problem) => {
  const opened = openTestProgram();
  await opened.run(["params", "max_turns=1"]);
  const outcome = await opened.run(["params", ...words]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { class: "Usage" } });
  expect(outcome.error?.message).toContain(problem);
  expect(outcome.result.exitCode).toBe(2);
  expect(await paramsOf(opened)).toEqual({ max_turns: 1 });
  expect([...opened.program.audit.read({ types: ["ParamsChanged"] })]).toHaveLength(1);
});

test("a path that the agent in force has no place for is refused with what it has", async () => {
  const opened = openTestProgram();
  await opened.run(["provider", "codex"]);
  const outcome = await opened.run(["params", "max_turns=3"]);
  expect(outcome.error?.message).toContain("`codex` has no place for `max_turns`");
  expect(outcome.error?.hint).toContain("effort, output_schema");
  await opened.run(["provider", "claude-code"]);
  expect((await opened.run(["params", "max_turns=3"])).kind).toBe("ok");
});

test("below an agent nothing is set that lets one do more, and that is on record", async () => {
  const opened = openTestProgram();
  await opened.run(["params", "disallowed_tools=Bash"]);
  const origin = { surface: "cli", agent: "codex" } as const;
  for (const words of [["allowed_tools=Bash"], ["--unset", "disallowed_tools"], ["--reset"]])
    expect(await opened.run(["params", ...words], { origin })).toMatchObject({
      kind: "rejected",
      error: { class: "Consent", code: "Required" },
    });
  expect((await opened.run(["params", "max_turns=3"], { origin })).kind).toBe("ok");
  expect(await paramsOf(opened)).toEqual({ disallowed_tools: "Bash", max_turns: 3 });
  expect([...opened.program.audit.read({ types: ["AccessDenied"] })]).toHaveLength(3);
});

test("unset removes a path with all below it, reset removes everything", async () => {
  const opened = openTestProgram();
  await opened.run(["params", "max_turns=1", "settings.x=1", "settings.y=2"]);
  await opened.run(["params", "--unset", "settings"]);
  expect(await paramsOf(opened)).toEqual({ max_turns: 1 });
  await opened.run(["params", "--reset"]);
  expect(await paramsOf(opened)).toEqual({});
  expect(textOf(await opened.run(["params", "--reset"]))).toBe("nothing changed");
});

test("shows what is in force, with the settings below the session", async () => {
  const opened = openTestProgram();
  writeFileSync(
    join(opened.configDir, "config.yaml"),
    "params:\n  max_turns: 1\n  system_prompt: low\n",
  );
  await opened.run(["params", "max_turns=2", "effort=high"]);
  expect(linesOf(await opened.run(["params"]))).toEqual([
    "PATH           VALUE   FROM",
    'effort         "high"  session',
    "max_turns      2       session",
    'system_prompt  "low"   settings',
  ]);
});

test("no secret that was given is found in any byte of the state folder", async () => {
  const opened = openTestProgram();
  const secret = `ghp_${"s3cR".repeat(9)}`;
  for (const words of [
    [`note=${secret}`],
    [`api.token=${secret}`],
    [`${secret}=1`],
    ["--unset", secret],
    [secret],
  ]) {
    const outcome = await opened.run(["params", ...words]);
    expect(outcome.kind).toBe("rejected");
  }
  for (const file of readdirSync(opened.stateDir))
    expect(readFileSync(join(opened.stateDir, file)).includes(secret)).toBe(false);
});

test("the value of a variable that is named as a secret is not kept, whatever it looks like", async () => {
  const opened = openTestProgram();
  const env = { MY_API_KEY: "correct horse battery" };
  for (const value of [env.MY_API_KEY, `use ${env.MY_API_KEY} here`]) {
    const outcome = await opened.run(["params", `append_system_prompt=${value}`], { env });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "ArgumentsInvalid" } });
  }
  for (const file of readdirSync(opened.stateDir))
    expect(readFileSync(join(opened.stateDir, file)).includes("battery")).toBe(false);
});

test("is refused while a stage of a workflow acts, and only then; showing it never is", async () => {
  const opened = openTestProgram();
  const { stages } = opened.program.sessions();
  const row = {
    ...{ runId: "wf_1", workflow: "ship", stage: "build", mode: null },
    ...{ posture: [], commands: [], hide: [], requires: [] },
  };
  stages.write(`project:${opened.root}`, { ...row, isActing: true });
  expect(await opened.run(["params", "max_turns=5"])).toMatchObject({
    kind: "rejected",
    error: {
      code: "StageActive",
      message: "`params` is refused while stage `build` of workflow `ship` acts",
    },
  });
  expect(await paramsOf(opened)).toEqual({});
  stages.write(`project:${opened.root}`, { ...row, isActing: false });
  await opened.run(["params", "max_turns=5"]);
  expect(await paramsOf(opened)).toEqual({ max_turns: 5 });
});

test("what the agent in force has no place for is named beside what is set", async () => {
  const opened = openTestProgram();
  await opened.run(["provider", "codex"]);
  await opened.run(["params", "effort=high"]);
  expect(textOf(await opened.run(["params"]))).not.toContain("left out");
  await opened.run(["provider", "gemini"]);
  expect(textOf(await opened.run(["params"]))).toMatch(
    /^effort +"high" +session\nwarning: param `effort` is left out: `gemini` has no place for `effort`/m,
  );
});
