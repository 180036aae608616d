import { expect, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { fault } from "../../../src/core/command/fault.ts";
import { ok } from "../../../src/core/command/result.ts";
import { hiddenCommands } from "../../../src/core/commands/hidden-commands.ts";
import { type Desk, openDesk, textOf } from "../../support/program-of-commands.ts";

const STAGE = {
  ...{ runId: "wf_1", workflow: "ship", stage: "build", isActing: true, mode: null },
  ...{ posture: [], commands: ["wipe"], hide: ["model"] },
} as const;

const attach = (desk: Desk) => desk.program.sessions().stages.write(`project:${desk.root}`, STAGE);

const complete = (desk: Desk) =>
  desk.run(["completion", "zsh", "--index", "1", "--", "adj", "mod"]);

test("a stage takes commands out of lists and completion, and never out of reach", async () => {
  const desk = openDesk();
  const lists = async () => ({
    commands: /^model /m.test(textOf(await desk.run(["commands"]))),
    help: /^ +model /m.test(textOf(await desk.run(["help"]))),
    completion: /^model\t/m.test(textOf(await complete(desk))),
  });
  expect(await lists()).toEqual({ commands: true, help: true, completion: true });
  attach(desk);
  expect(await lists()).toEqual({ commands: false, help: false, completion: false });
  expect(textOf(await desk.run(["commands", "model"]))).toContain("model");
  expect((await desk.run(["help", "model"])).kind).toBe("ok");
  expect((await desk.run(["model"])).kind).toBe("ok");
  desk.program.sessions().stages.write(`project:${desk.root}`, null);
  expect(await lists()).toEqual({ commands: true, help: true, completion: true });
});

const wipe = defineCommand({
  description: "Remove everything",
  safety: "destructive",
  run: () => ok("gone"),
});

test("a destructive command that the stage names does not ask; another does, and so does an agent's", async () => {
  const desk = openDesk({ commands: { wipe, erase: wipe } });
  expect((await desk.run(["wipe"])).error?.code).toBe("Required");
  attach(desk);
  expect(textOf(await desk.run(["wipe"]))).toBe("gone");
  expect((await desk.run(["erase"])).error?.code).toBe("Required");
  const below = await desk.run(["wipe"], { origin: { surface: "hook", agent: "codex" } });
  expect(below.error?.code).toBe("Required");
});

test("a list is shown also before anything is stored, and where the store is broken", () => {
  const desk = openDesk();
  const broken = () => {
    throw fault("StoreUnavailable", { path: "state.db", problem: "it is broken" });
  };
  const program = { ...desk.program, sessions: broken };
  expect(hiddenCommands(program, "s").size).toBe(0);
  expect(hiddenCommands({ ...program, stateDir: desk.folder }, "s").size).toBe(0);
});
