import { expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { fault } from "../../../src/core/command/fault.ts";
import { ok } from "../../../src/core/command/result.ts";
import { hiddenCommands } from "../../../src/core/commands/command-rows.ts";
import { openTestProgram, type TestProgram, textOf } from "../../support/program-of-commands.ts";

const STAGE = {
  ...{ runId: "wf_1", workflow: "ship", stage: "build", isActing: true, mode: null },
  ...{ posture: [], commands: ["wipe"], hide: ["model"], requires: [] },
} as const;

const attach = (opened: TestProgram) =>
  opened.program.sessions().stages.write(`project:${opened.root}`, STAGE);

const complete = (opened: TestProgram) =>
  opened.run(["completion", "zsh", "--index", "1", "--", "adj", "mod"]);

test("a stage takes commands out of lists and completion, and never out of reach", async () => {
  const opened = openTestProgram();
  const lists = async () => ({
    commands: /^model /m.test(textOf(await opened.run(["commands"]))),
    help: /^ +model /m.test(textOf(await opened.run(["help"]))),
    completion: /^model\t/m.test(textOf(await complete(opened))),
  });
  expect(await lists()).toEqual({ commands: true, help: true, completion: true });
  attach(opened);
  expect(await lists()).toEqual({ commands: false, help: false, completion: false });
  expect(textOf(await opened.run(["commands", "model"]))).toContain("model");
  expect((await opened.run(["help", "model"])).kind).toBe("ok");
  expect((await opened.run(["model"])).kind).toBe("ok");
  opened.program.sessions().stages.write(`project:${opened.root}`, null);
  expect(await lists()).toEqual({ commands: true, help: true, completion: true });
});

const wipe = defineCommand({
  description: "Remove everything",
  safety: "destructive",
  run: () => ok("gone"),
});

test("a destructive command that the stage names does not ask; another does, and so does an agent's", async () => {
  const opened = openTestProgram({ commands: { wipe, erase: wipe } });
  expect((await opened.run(["wipe"])).error?.code).toBe("Required");
  attach(opened);
  expect(textOf(await opened.run(["wipe"]))).toBe("gone");
  expect((await opened.run(["erase"])).error?.code).toBe("Required");
  const below = await opened.run(["wipe"], { origin: { surface: "hook", agent: "codex" } });
  expect(below.error?.code).toBe("Required");
});

test("a list is shown also before anything is stored, and where the store is broken", () => {
  const opened = openTestProgram();
  const broken = () => {
    throw fault("StoreUnavailable", { path: "state.db", problem: "it is broken" });
  };
  const program = { ...opened.program, sessions: broken };
  expect(hiddenCommands(program, "s").size).toBe(0);
  expect(hiddenCommands({ ...program, stateDir: opened.folder }, "s").size).toBe(0);
});
