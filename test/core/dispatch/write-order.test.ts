import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ok } from "../../../src/core/command/result.ts";
import { makeGate, runProgram } from "./running-program.ts";
import type { Handler, TestCommand } from "./test-program.ts";

/** Commands that note when they run; a gated one waits for its test. */
function makeCommands() {
  const ran: string[] = [];
  const note =
    (name: string): Handler =>
    () => {
      ran.push(name);
      return ok();
    };
  const gate = makeGate();
  const long: Handler = async () => {
    ran.push("long begins");
    await gate.pass();
    ran.push("long ends");
    return ok();
  };
  const commands = {
    long: { effect: "write", run: long },
    write: { effect: "write", run: note("write") },
    exclusive: { effect: "exclusive", run: note("exclusive") },
    read: { run: note("read") },
    picky: { effect: "write", args: z.object({ n: z.number() }), run: note("picky") },
  } satisfies Record<string, TestCommand>;
  return { ran, gate, note, commands };
}

describe("writes of one session", () => {
  test.each(["finding", "loading"])("run as they were sent however long %s takes", async (what) => {
    const { ran, note } = makeCommands();
    const gates = [makeGate(), makeGate(), makeGate()];
    const commands = Object.fromEntries(
      gates.map((gate, at) => [
        `w${at}`,
        { effect: "write", [what]: gate.pass(), run: note(`w${at}`) } satisfies TestCommand,
      ]),
    );
    const program = runProgram(commands);
    const sent = gates.map((_, at) => program.send(`w${at}`));
    for (const gate of gates.toReversed()) {
      gate.open();
      await nextTurn();
    }
    await Promise.all(sent);
    expect(ran).toEqual(["w0", "w1", "w2"]);
  });

  test("keep their order when one in between is refused", async () => {
    const { ran, note, commands } = makeCommands();
    const gate = makeGate();
    const slow = { effect: "write", loading: gate.pass(), run: note("slow") } as const;
    const program = runProgram({ ...commands, slow });
    const sent = [program.send("slow"), program.send("picky"), program.send("write")];
    expect((await sent[1])?.kind).toBe("rejected");
    await nextTurn();
    gate.open();
    await Promise.all(sent);
    expect(ran).toEqual(["slow", "write"]);
  });

  test("run one at a time, exclusive ones among them", async () => {
    const { ran, gate, commands } = makeCommands();
    const program = runProgram(commands);
    const sent = [program.send("long"), program.send("exclusive"), program.send("write")];
    await gate.reached;
    gate.open();
    await Promise.all(sent);
    expect(ran).toEqual(["long begins", "long ends", "exclusive", "write"]);
  });

  test("do not wait for those of another session", async () => {
    const { ran, gate, commands } = makeCommands();
    const program = runProgram(commands);
    const long = program.send("long");
    await gate.reached;
    await program.send("write", { sessionId: "another" });
    expect(ran).toEqual(["long begins", "write"]);
    gate.open();
    await long;
  });

  test("a write that could not be recorded does not block the next", async () => {
    const { commands } = makeCommands();
    let isRefusing = true;
    const program = runProgram(commands, {
      audit: (audit) => ({
        ...audit,
        openDispatch: (event) => {
          if (isRefusing) throw new Error("the disk is full");
          return audit.openDispatch(event);
        },
      }),
    });
    expect((await program.send("write")).kind).toBe("failed");
    isRefusing = false;
    expect((await program.send("write")).kind).toBe("ok");
  });
});

describe("a read", () => {
  test("runs at once beside a long write of another origin", async () => {
    const { ran, gate, commands } = makeCommands();
    const program = runProgram(commands);
    const long = program.send("long", { surface: "console" });
    await gate.reached;
    await program.send("read", { surface: "web" });
    await program.send("read", { surface: "console", agent: "codex" });
    expect(ran).toEqual(["long begins", "read", "read"]);
    gate.open();
    await long;
  });

  test("waits for the write that its own origin sent before", async () => {
    const { ran, gate, commands } = makeCommands();
    const program = runProgram(commands);
    const sent = [program.send("long"), program.send("read")];
    await gate.reached;
    await nextTurn();
    expect(ran).toEqual(["long begins"]);
    gate.open();
    await Promise.all(sent);
    expect(ran).toEqual(["long begins", "long ends", "read"]);
  });

  test("waits for the earlier of two when the later was refused at once", async () => {
    const { ran, gate, commands } = makeCommands();
    const program = runProgram(commands);
    const long = program.send("long");
    await gate.reached;
    await program.send("picky");
    const reading = program.send("read");
    await nextTurn();
    expect(ran).toEqual(["long begins"]);
    gate.open();
    await Promise.all([long, reading]);
    expect(ran).toEqual(["long begins", "long ends", "read"]);
  });

  test("does not wait for a write sent after it, nor for other reads", async () => {
    const { ran, gate, commands } = makeCommands();
    const waiting: Handler = async () => {
      await gate.pass();
      return ok();
    };
    const program = runProgram({ ...commands, waiting: { run: waiting } });
    const held = program.send("waiting");
    await gate.reached;
    await program.send("read");
    await program.send("write");
    expect(ran).toEqual(["read", "write"]);
    gate.open();
    await held;
  });
});
