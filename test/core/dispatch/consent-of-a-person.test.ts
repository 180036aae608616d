import { describe, expect, test, vi } from "vitest";
import type { Interactor } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import { describeOutcome, isEveryLeaseFree, makeGate, runProgram } from "./running-program.ts";
import type { Sending, TestCommand } from "./test-program.ts";

const personWho = (confirm: Interactor["confirm"]): Interactor => ({
  name: "terminal",
  confirm,
  select: async () => "",
  input: async () => "",
});
const agreeing = personWho(async () => true);
const declining = personWho(async () => false);
const crashing = personWho(() => Promise.reject(new Error("gone")));

const wipe = (): TestCommand & { run: ReturnType<typeof vi.fn> } => ({
  effect: "write",
  safety: "destructive",
  run: vi.fn(() => ok()),
});

describe("a destructive command", () => {
  test.each<[what: string, sending: Sending, ending: string]>([
    ["runs when a person agrees", { interactors: [agreeing] }, "ok - 0"],
    ["is declined", { interactors: [declining] }, "rejected Consent/Declined 126"],
    ["runs with `--yes`", { yes: true }, "ok - 0"],
    ["needs somebody to ask", {}, "rejected Consent/Required 126"],
    [
      "runs when one of two agrees and the other has crashed",
      { interactors: [crashing, agreeing] },
      "ok - 0",
    ],
    [
      "does not run when the only one crashed",
      { interactors: [crashing] },
      "failed Internal/HandlerThrew 1",
    ],
    [
      "is not helped by `--yes` below an agent",
      { yes: true, agent: "codex" },
      "rejected Consent/Required 126",
    ],
    [
      "is not helped by `--yes` over MCP",
      { yes: true, surface: "mcp" },
      "rejected Consent/Required 126",
    ],
    [
      "is not helped by `--yes` in a shell that an agent started",
      { yes: true, surface: "cli", env: { CLAUDECODE: "1" } },
      "rejected Consent/Required 126",
    ],
    [
      "does not ask a person on behalf of an agent",
      { interactors: [agreeing], surface: "cli", env: { ADJ_DEPTH: "1" }, isInteractive: true },
      "rejected Consent/Required 126",
    ],
  ])("%s", async (_, sending, ending) => {
    const act = wipe();
    const program = runProgram({ act });
    expect(describeOutcome(await program.send("act", sending))).toBe(ending);
    expect(act.run).toHaveBeenCalledTimes(ending.startsWith("ok") ? 1 : 0);
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test("runs unasked where a person allowed it once and for all", async () => {
    const program = runProgram({ act: wipe() });
    program.sessions.approve(program.stateDir, "act");
    expect((await program.send("act")).kind).toBe("ok");
    program.sessions.forget(program.stateDir, "act");
    expect((await program.send("act")).kind).toBe("rejected");
  });

  test("is shown as it was typed, but recorded without its values", async () => {
    const questions: string[] = [];
    const person = personWho(async (question) => questions.push(question) > 0);
    const program = runProgram({ act: wipe() });
    await program.send(`act --token="it's"hunter2 'x y'`, { interactors: [person] });
    expect(questions).toEqual([
      `run \`act --token="it's"hunter2 'x y'\`? it is marked destructive`,
    ]);
    expect(program.events("InteractionRaised")[0]?.data.question).toBe(
      "run `act`? it is marked destructive",
    );
  });

  test("lets the next write go on while a person thinks", async () => {
    const gate = makeGate();
    const person = personWho(async () => {
      await gate.pass();
      return true;
    });
    const program = runProgram({ act: wipe(), write: { effect: "write" } });
    const acting = program.send("act", { interactors: [person] });
    await gate.reached;
    expect((await program.send("write")).kind).toBe("ok");
    gate.open();
    expect((await acting).kind).toBe("ok");
  });
});

describe("a bundled command that grants something", () => {
  const approve = (): TestCommand => ({ ...wipe(), layer: "bundled", person: true });

  test.each<[what: string, sending: Sending, kind: string]>([
    ["asks at a terminal", { surface: "cli", isInteractive: true }, "ok"],
    [
      "asks at a terminal also with `--yes`",
      { surface: "console", isInteractive: true, yes: true },
      "ok",
    ],
    ["is not for a page", { surface: "web", isInteractive: true }, "rejected"],
    ["is not for a pipe", { surface: "cli", isInteractive: false, yes: true }, "rejected"],
  ])("%s", async (_, sending, kind) => {
    const confirm = vi.fn(async () => true);
    const program = runProgram({ approve: approve() });
    const outcome = await program.send("approve", {
      ...sending,
      interactors: [personWho(confirm)],
    });
    expect(outcome.kind).toBe(kind);
    expect(confirm).toHaveBeenCalledTimes(kind === "ok" ? 1 : 0);
  });
});

test("publishing that a question was answered answers nothing", async () => {
  const gate = makeGate();
  const act = wipe();
  const program = runProgram({ act });
  const person = personWho(async () => {
    await gate.pass();
    return false;
  });
  const acting = program.send("act", { interactors: [person] });
  await gate.reached;
  const [raised] = program.events("InteractionRaised");
  if (raised === undefined) throw new Error("no question was raised");
  const { seq: _, ...question } = raised;
  const data = { kind: "confirm", answer: true };
  program.dispatcher.events.publish({ ...question, type: "InteractionAnswered", data });
  expect(act.run).not.toHaveBeenCalled();
  gate.open();
  expect(describeOutcome(await acting)).toBe("rejected Consent/Declined 126");
  expect(act.run).not.toHaveBeenCalled();
});
