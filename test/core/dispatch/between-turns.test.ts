import { describe, expect, test } from "vitest";
import { ok } from "../../../src/core/command/result.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeOutcome, isEveryLeaseFree, makeGate, runProgram } from "./running-program.ts";
import { SESSION, type Sending, type TestProgram } from "./test-program.ts";

const OPTIONS = { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null };
const DONE = { status: "done", answer: null, conversation: null, problem: null } as const;

function startTurn({ sessions }: TestProgram, id: string, sessionId = SESSION): () => void {
  sessions.turns.add(id, sessionId, "a prompt", OPTIONS);
  sessions.turns.start(id, { agent: "codex", model: null, runId: `run-${id}` });
  return () => {
    sessions.turns.end(id, DONE);
  };
}

/** Commands that note that they ran, and a turn that this very process has under way. */
function runDuringTurn() {
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(name);
    return ok();
  };
  const program = runProgram({
    look: { effect: "read", run: note("look") },
    change: { effect: "write", run: note("change") },
    replace: { effect: "exclusive", run: note("replace") },
    outer: {
      effect: "write",
      run: async (_, { dispatch }) => {
        const { kind } = await dispatch({ name: "replace" });
        ran.push(`outer saw ${kind}`);
        return ok();
      },
    },
  });
  const endTurn = startTurn(program, "turn-1");
  return { ran, program, endTurn };
}

/** Sends and waits until it was said that the command waits. */
async function sendWaiting(program: TestProgram, line: string, sending: Sending = {}) {
  const said: (string | number)[] = [];
  const outcome = program.send(line, { ...sending, onProgress: (step) => said.push(step) });
  await waitUntil(() => said.length > 0);
  return { outcome, said };
}

describe("while a turn is under way", () => {
  test("a read and a write run at once, an exclusive command after it, and says so once", async () => {
    const { ran, program, endTurn } = runDuringTurn();
    const { outcome, said } = await sendWaiting(program, "replace");
    expect((await program.send("change", { surface: "cli" })).kind).toBe("ok");
    expect((await program.send("look", { surface: "cli" })).kind).toBe("ok");
    expect(ran).toEqual(["change", "look"]);
    endTurn();
    expect((await outcome).kind).toBe("ok");
    expect(ran).toEqual(["change", "look", "replace"]);
    expect(said).toEqual(["replace waits for turn 1 to end"]);
  });

  test("an exclusive command of another session does not wait", async () => {
    const { ran, program } = runDuringTurn();
    expect((await program.send("replace", { sessionId: "other" })).kind).toBe("ok");
    expect(ran).toEqual(["replace"]);
  });

  test("one that is cancelled while it waits leaves nothing behind", async () => {
    const { ran, program } = runDuringTurn();
    const controller = new AbortController();
    const { outcome } = await sendWaiting(program, "replace", { signal: controller.signal });
    controller.abort();
    expect((await outcome).kind).toBe("cancelled");
    expect(ran).toEqual([]);
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test.each([
    ["its id", { ADJ_TURN_ID: "turn-1" }],
    ["its run", { ADJ_RUN_ID: "run-turn-1" }],
  ])("an exclusive command from inside it, known by %s, is refused", async (_, env) => {
    const { ran, program } = runDuringTurn();
    const outcome = await program.send("replace", { env });
    expect(describeOutcome(outcome)).toBe("rejected Usage/TurnActive 2");
    expect(ran).toEqual([]);
  });

  test("one that another command dispatches waits as well", async () => {
    const { ran, program, endTurn } = runDuringTurn();
    const { outcome } = await sendWaiting(program, "outer");
    endTurn();
    await outcome;
    expect(ran).toEqual(["replace", "outer saw ok"]);
  });
});

test("a turn of a process that is gone keeps nobody waiting", async () => {
  const { ran, program } = runDuringTurn();
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(`${program.stateDir}/state.db`);
  database.prepare("UPDATE turn SET pid = 4194303, started_at = 'long ago'").run();
  database.close();
  expect((await program.send("replace")).kind).toBe("ok");
  expect(ran).toEqual(["replace"]);
});

describe("while an exclusive command runs", () => {
  /** What begins as a turn does; the order in which things happened is kept. */
  function beginTurn({ sessions }: TestProgram, happened: string[]): Promise<void> {
    const { signal } = new AbortController();
    return sessions.acquireBetweenTurns(SESSION, signal).then((entry) => {
      happened.push("turn");
      entry.release();
    });
  }

  test("no turn begins, also while it runs another one", async () => {
    const happened: string[] = [];
    const gate = makeGate();
    const program = runProgram({
      inner: { effect: "exclusive", run: () => ok() },
      outer: {
        effect: "exclusive",
        run: async (_, { dispatch }) => {
          const { kind } = await dispatch({ name: "inner" });
          await gate.pass();
          happened.push(`command, inner ${kind}`);
          return ok();
        },
      },
    });
    const outcome = program.send("outer");
    await gate.reached;
    const turn = beginTurn(program, happened);
    await program.send("inner", { sessionId: "other" });
    gate.open();
    expect((await outcome).kind).toBe("ok");
    await turn;
    expect(happened.filter((what) => what === "turn")).toHaveLength(1);
    expect(happened.at(-1)).toBe("turn");
  });

  test("one that begins while a person is asked ends before the command goes on", async () => {
    const happened: string[] = [];
    const asked = makeGate();
    const program = runProgram({
      replace: {
        effect: "exclusive",
        run: async (_, { ask }) => {
          await ask.confirm("really?");
          happened.push("command");
          return ok();
        },
      },
    });
    const confirm = () => asked.pass().then(() => true);
    const interactor = { name: "person", confirm, select: async () => "", input: async () => "" };
    const outcome = program.send("replace", { interactors: [interactor] });
    await asked.reached;
    await beginTurn(program, happened);
    const endTurn = startTurn(program, "turn-1");
    asked.open();
    const other = new AbortController();
    const held = await program.sessions.acquire(SESSION, other.signal);
    held.release();
    happened.push("end of the turn");
    endTurn();
    expect((await outcome).kind).toBe("ok");
    expect(happened).toEqual(["turn", "end of the turn", "command"]);
  });
});
