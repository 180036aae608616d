import { expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { openTestProgram, person } from "../../support/program-of-commands.ts";

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
  const opened = openTestProgram({ commands });
  expect(await opened.run(["wipe"])).toMatchObject({ error: { code: "Required" } });
  const questions: string[] = [];
  const approved = await opened.run(
    ["approve", "w"],
    person(true, (one) => questions.push(one)),
  );
  expect(approved.result.metadata).toEqual({ command: "wipe", root: opened.root });
  expect(questions).toHaveLength(1);
  expect((await opened.run(["wipe"])).kind).toBe("ok");
  expect((await opened.run(["forget", "wipe"], person(true))).kind).toBe("ok");
  expect(await opened.run(["wipe"])).toMatchObject({ error: { code: "Required" } });
});

test.each([
  ["declined", person(false), "Declined"],
  ["nobody there", {}, "Required"],
  ["only the word given in advance", { yes: true }, "Required"],
  ["an agent asking", { ...person(true), env: { CLAUDECODE: "1" } }, "Required"],
])("with %s nothing is approved", async (_, options, code) => {
  const opened = openTestProgram({ commands });
  const outcome = await opened.run(["approve", "wipe"], options);
  expect(outcome).toMatchObject({ kind: "rejected", error: { code }, result: { exitCode: 126 } });
  expect(opened.program.sessions().listApproved()).toEqual([]);
});

test.each([
  ["look", "InputInvalid"],
  ["approve", "InputInvalid"],
  ["nothing", "CommandUnknown"],
])("`approve %s` is refused", async (name, code) => {
  const opened = openTestProgram({ commands });
  const outcome = await opened.run(["approve", name], person(true));
  expect(outcome).toMatchObject({ kind: "rejected", error: { code } });
  expect(opened.program.sessions().listApproved()).toEqual([]);
});

test("forgetting what is not remembered names what is", async () => {
  const opened = openTestProgram({ commands });
  const none = await opened.run(["forget", "wipe"], person(true));
  expect(none.error?.hint).toBe("there is none here");
  await opened.run(["approve", "wipe"], person(true));
  const other = await opened.run(["forget", "look"], person(true));
  expect(other.error?.hint).toBe("remembered are `wipe`");
});
