import { expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { openDesk, person } from "../../support/program-of-commands.ts";

const commands = {
  wipe: defineCommand({
    description: "Wipe",
    safety: "destructive",
    aliases: ["w"],
    run: () => ok("wiped"),
  }),
  look: defineCommand({ description: "Look", safety: "read_only", run: () => ok() }),
};

test("a command that a person approved no longer asks here, until it is forgotten", async () => {
  const desk = openDesk({ commands });
  expect(await desk.run(["wipe"])).toMatchObject({ error: { code: "Required" } });
  const questions: string[] = [];
  const approved = await desk.run(
    ["approve", "w"],
    person(true, (one) => questions.push(one)),
  );
  expect(approved.result.metadata).toEqual({ command: "wipe", root: desk.root });
  expect(questions).toHaveLength(1);
  expect((await desk.run(["wipe"])).kind).toBe("ok");
  expect((await desk.run(["forget", "wipe"], person(true))).kind).toBe("ok");
  expect(await desk.run(["wipe"])).toMatchObject({ error: { code: "Required" } });
});

test.each([
  ["declined", person(false), "Declined"],
  ["nobody there", {}, "Required"],
  ["only the word given in advance", { yes: true }, "Required"],
  ["an agent asking", { ...person(true), env: { CLAUDECODE: "1" } }, "Required"],
])("with %s nothing is approved", async (_, options, code) => {
  const desk = openDesk({ commands });
  const outcome = await desk.run(["approve", "wipe"], options);
  expect(outcome).toMatchObject({ kind: "rejected", error: { code }, result: { exitCode: 126 } });
  expect(desk.program.sessions().listApproved()).toEqual([]);
});

test.each([
  ["look", "InputInvalid"],
  ["approve", "InputInvalid"],
  ["nothing", "CommandUnknown"],
])("`approve %s` is refused", async (name, code) => {
  const desk = openDesk({ commands });
  const outcome = await desk.run(["approve", name], person(true));
  expect(outcome).toMatchObject({ kind: "rejected", error: { code } });
  expect(desk.program.sessions().listApproved()).toEqual([]);
});

test("forgetting what is not remembered names what is", async () => {
  const desk = openDesk({ commands });
  const none = await desk.run(["forget", "wipe"], person(true));
  expect(none.error?.hint).toBe("there is none here");
  await desk.run(["approve", "wipe"], person(true));
  const other = await desk.run(["forget", "look"], person(true));
  expect(other.error?.hint).toBe("remembered are `wipe`");
});
