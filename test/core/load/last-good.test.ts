import { join } from "node:path";
import { expect, test } from "vitest";
import { CATALOG_DRIVER, drive } from "./drive.ts";
import { makeWorld, say } from "./world.ts";

const options = { driver: CATALOG_DRIVER };
const described = (description: string) =>
  expect.objectContaining({ summary: expect.objectContaining({ description }) });

test("a command whose file no longer loads keeps its last good form, until it loads again", () => {
  const world = makeWorld();
  world.user({ "commands/x.ts": say("good"), "commands/y.ts": say("other") });
  const file = join(world.paths.configDir, "commands/x.ts");
  const { answers } = drive(
    world,
    [
      { run: "x" },
      { write: file, text: "nonsense(" },
      { write: join(world.paths.configDir, "commands/y.ts"), text: say("changed") },
      { reload: true },
      { run: "x" },
      { run: "y" },
      { reload: true },
      { run: "x" },
      { write: file, text: say("mended") },
      { reload: true },
      { run: "x" },
    ],
    options,
  );
  expect(answers[0]).toEqual(described("good"));
  expect(answers[3]).toMatchObject({
    kind: "reloaded",
    problems: [expect.stringMatching(/x\.ts.*`x` stays as it was until its file loads again$/)],
  });
  expect([answers[4], answers[5], answers[7]]).toEqual([
    described("good"),
    described("changed"),
    described("good"),
  ]);
  expect(answers[9]).toEqual({ kind: "reloaded", problems: [] });
  expect(answers[10]).toEqual(described("mended"));
});

test("a program of `commands.yaml` is kept without having been used", () => {
  const world = makeWorld();
  world.user({ "commands.yaml": "x: { description: good, argv: [a] }\n" });
  const file = join(world.paths.configDir, "commands.yaml");
  const { answers } = drive(
    world,
    [
      { run: "hello" },
      { run: "nothing" },
      {
        write: file,
        text: "x: { description: good, argv: 7 }\ny: { description: y, argv: [a] }\n",
      },
      { reload: true },
      { run: "x" },
      { run: "y" },
    ],
    options,
  );
  expect(answers[3]?.problems?.[0]).toContain("stays as it was");
  expect([answers[4], answers[5]]).toEqual([described("good"), described("y")]);
});

test("one that was never used is told of as lost, and one that was removed is gone", () => {
  const world = makeWorld();
  world.user({
    "commands/x.ts": say("good"),
    "commands.yaml": "y: { description: y, argv: [a] }\n",
  });
  const { answers } = drive(
    world,
    [
      { run: "hello" },
      { run: "nothing" },
      { write: join(world.paths.configDir, "commands/x.ts"), text: "nonsense(" },
      { write: join(world.paths.configDir, "commands.yaml"), text: "" },
      { reload: true },
      { run: "x" },
      { run: "y" },
    ],
    options,
  );
  expect(answers[4]?.problems?.[0]).toContain("nothing of it is left to go on with");
  expect([answers[5], answers[6]]).toEqual([{ kind: "broken" }, { kind: "unknown" }]);
});
