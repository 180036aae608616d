import { expect, test } from "vitest";
import { ok } from "../../../src/core/command/result.ts";
import { describeOutcome, runProgram } from "./running-program.ts";
import { type Handler, SESSION } from "./test-program.ts";

const keep: Handler = async (_, { session }) => {
  await session.slot().update((value) => [...(Array.isArray(value) ? value : []), "kept"]);
  return ok();
};

test("a command finds its own slot again, by default or by its name", async () => {
  const found: unknown[] = [];
  const look: Handler = async (_, { session }) => {
    found.push(await session.slot().get(), await session.slot("look").get());
    await session.slot("look").update(() => "seen");
    return ok();
  };
  const program = runProgram({ look: { effect: "write", run: look } });
  await program.send("look");
  await program.send("look");
  expect(found).toEqual([undefined, undefined, "seen", "seen"]);
});

test("slots are apart by command and by session", async () => {
  const program = runProgram({
    one: { effect: "write", run: keep },
    two: { effect: "write", run: keep },
  });
  await program.send("one");
  await program.send("one");
  await program.send("two");
  await program.send("one", { sessionId: "another" });
  expect(program.sessions.readSlot(SESSION, "one")).toEqual(["kept", "kept"]);
  expect(program.sessions.readSlot(SESSION, "two")).toEqual(["kept"]);
  expect(program.sessions.readSlot("another", "one")).toEqual(["kept"]);
});

test("another command's slot is refused, and the attempt is in the audit", async () => {
  const spy: Handler = async (_, { session }) => ok(String(await session.slot("one").get()));
  const program = runProgram({ one: { effect: "write", run: keep }, spy: { run: spy } });
  await program.send("one");
  const outcome = await program.send("spy");
  expect(describeOutcome(outcome)).toBe("rejected Usage/SlotAccessDenied 2");
  expect(outcome.error?.message).toBe("`spy` may not reach the state slot of `one`");
  expect(program.events("AccessDenied")).toMatchObject([
    { correlationId: outcome.correlationId, data: { what: "slot one", by: "spy" } },
  ]);
});

test("an alias does not open another slot", async () => {
  const program = runProgram({ one: { effect: "write", aliases: ["o"], run: keep } });
  await program.send("o");
  expect(program.sessions.readSlot(SESSION, "one")).toEqual(["kept"]);
});

test("without a session of its own a request is in the one of the project's root", async () => {
  const ids = new Set<string>();
  const note: Handler = (_, { session }) => ok(ids.add(session.id) && session.id);
  const program = runProgram({ note: { run: note } });
  const request = { origin: { surface: "cli" }, env: {} } as const;
  for (const cwd of [program.stateDir, "/"])
    await program.dispatcher.dispatch({ ...request, cwd, command: { line: "note" } });
  expect(ids.size).toBe(1);
  expect(ids).not.toContain(SESSION);
});
