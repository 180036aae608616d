import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Desk, linesOf, openDesk, textOf } from "../../support/program-of-commands.ts";

const paramsOf = async (desk: Desk) => (await desk.run(["params"])).result.metadata?.params;

test("all paths are set together, with one event each after the commit", async () => {
  const desk = openDesk();
  const outcome = await desk.run(["params", "temperature=0.2", "sampling.top=5", "note=a=b"]);
  expect(linesOf(outcome)).toEqual(["set note", "set sampling.top", "set temperature"]);
  expect(await paramsOf(desk)).toEqual({ temperature: 0.2, "sampling.top": 5, note: "a=b" });
  const events = [...desk.program.audit.read({ types: ["ParamsChanged"] })];
  expect(events.map(({ data }) => data)).toEqual([
    {
      paramPath: "note",
      sourceLayer: "session",
      redactedDelta: { from: "unset", to: "string(3)" },
    },
    {
      paramPath: "sampling.top",
      sourceLayer: "session",
      redactedDelta: { from: "unset", to: "number" },
    },
    {
      paramPath: "temperature",
      sourceLayer: "session",
      redactedDelta: { from: "unset", to: "number" },
    },
  ]);
});

test.each([
  ["a forbidden name", ["a=2", "__proto__.x=1"]],
  ["a secret", ["a=2", "api_key=short"]],
  ["a path that is not set", ["a=2", "--unset", "nothing"]],
  ["a path below a value", ["b=2", "a.c=1"]],
])("%s refuses the whole change", async (_, words) => {
  const desk = openDesk();
  await desk.run(["params", "a=1"]);
  const outcome = await desk.run(["params", ...words]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { class: "Usage" } });
  expect(outcome.result.exitCode).toBe(2);
  expect(await paramsOf(desk)).toEqual({ a: 1 });
  expect([...desk.program.audit.read({ types: ["ParamsChanged"] })]).toHaveLength(1);
});

test("unset removes a path with all below it, reset removes everything", async () => {
  const desk = openDesk();
  await desk.run(["params", "a=1", "b.x=1", "b.y=2"]);
  await desk.run(["params", "--unset", "b"]);
  expect(await paramsOf(desk)).toEqual({ a: 1 });
  await desk.run(["params", "--reset"]);
  expect(await paramsOf(desk)).toEqual({});
  expect(textOf(await desk.run(["params", "--reset"]))).toBe("nothing changed");
});

test("shows what is in force, with the settings below the session", async () => {
  const desk = openDesk();
  writeFileSync(join(desk.configDir, "config.yaml"), "params:\n  a: 1\n  c: low\n");
  await desk.run(["params", "a=2", 'b="text"']);
  expect(linesOf(await desk.run(["params"]))).toEqual([
    "PATH  VALUE   FROM",
    "a     2       session",
    'b     "text"  session',
    'c     "low"   settings',
  ]);
});

test("no secret that was given is found in any byte of the state folder", async () => {
  const desk = openDesk();
  const secret = `ghp_${"s3cR".repeat(9)}`;
  for (const words of [
    [`note=${secret}`],
    [`api.token=${secret}`],
    [`${secret}=1`],
    ["--unset", secret],
    [secret],
  ]) {
    const outcome = await desk.run(["params", ...words]);
    expect(outcome.kind).toBe("rejected");
  }
  for (const file of readdirSync(desk.stateDir))
    expect(readFileSync(join(desk.stateDir, file)).includes(secret)).toBe(false);
});
