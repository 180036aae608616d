import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const OPTIONS = { cwd: "/p", root: "/p", agent: null, model: null, params: {}, via: null };
const START = { agent: "replay", model: "m", runId: "r1" };
const DONE = { status: "done", answer: "yes", conversation: "c1", problem: null } as const;
const LOST = { class: "Internal", code: "ProcessLost", message: "gone" };

function openFresh() {
  const folder = temporaryFolder();
  const store = openState(folder);
  onTestFinished(() => store.close());
  return { folder, turns: store.turns };
}

/** Makes the turn one of a process that has ended. */
function orphan(folder: string, id: string): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  database.prepare("UPDATE turn SET pid = 4194303, started_at = '1' WHERE id = ?").run(id);
  database.close();
}

describe("the queue of a session", () => {
  test("turns are numbered in the order in which they came, each session for itself", () => {
    const { turns } = openFresh();
    const numbers = [
      ["a", "s1"],
      ["b", "s2"],
      ["c", "s1"],
    ].map(([id = "", session = ""]) => turns.add(id, session, "hi", OPTIONS).number);
    expect(numbers).toEqual([1, 1, 2]);
    expect(turns.count("s1")).toBe(2);
    expect(turns.listUnfinished().map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("a turn starts once, and only when all before it have ended", () => {
    const { turns } = openFresh();
    for (const id of ["a", "b"]) turns.add(id, "s1", "hi", OPTIONS);
    expect(turns.start("b", START)).toBe(false);
    expect(turns.start("a", START)).toBe(true);
    expect(turns.start("a", START)).toBe(false);
    expect(turns.start("b", START)).toBe(false);
    expect(turns.end("a", DONE)).toBe(true);
    expect(turns.start("b", START)).toBe(true);
  });

  test("one session does not wait for another", () => {
    const { turns } = openFresh();
    turns.add("a", "s1", "hi", OPTIONS);
    turns.add("b", "s2", "hi", OPTIONS);
    expect([turns.start("a", START), turns.start("b", START)]).toEqual([true, true]);
  });

  test("a turn ends once: what comes later changes nothing", () => {
    const { turns } = openFresh();
    turns.add("a", "s1", "hi", OPTIONS);
    turns.start("a", START);
    turns.setWaiting("a", true);
    expect(turns.read("a")?.status).toBe("waiting");
    turns.end("a", DONE);
    expect(turns.end("a", { ...DONE, status: "failed", problem: LOST })).toBe(false);
    turns.setWaiting("a", true);
    expect(turns.read("a")).toMatchObject({ status: "done", answer: "yes", conversation: "c1" });
  });
});

test("what a dead process left under way is failed, what it left in the queue stays there", () => {
  const { folder, turns } = openFresh();
  for (const [id, session] of [
    ["a", "s1"],
    ["b", "s1"],
    ["c", "s2"],
  ] as const)
    turns.add(id, session, "hi", OPTIONS);
  turns.start("a", START);
  turns.start("c", START);
  orphan(folder, "a");
  expect(turns.endLost(LOST).map(({ id, status, problem }) => [id, status, problem])).toEqual([
    ["a", "failed", LOST],
  ]);
  expect(turns.endLost(LOST)).toEqual([]);
  expect(turns.listUnfinished().map(({ id, status }) => [id, status])).toEqual([
    ["b", "queued"],
    ["c", "running"],
  ]);
});

test("the newest turns are listed, oldest first", () => {
  const { turns } = openFresh();
  for (let number = 1; number <= 5; number++) turns.add(`t${number}`, "s1", `p${number}`, OPTIONS);
  expect(turns.list("s1", 2).map(({ prompt }) => prompt)).toEqual(["p4", "p5"]);
});

test("a session stands with each agent for itself", () => {
  const { turns } = openFresh();
  turns.writeConversation("s1", "codex", { conversation: "c1", cwd: "/p", number: 1 });
  turns.writeConversation("s1", "qwen", { conversation: "q1", cwd: "/p", number: 2 });
  turns.writeConversation("s1", "codex", { conversation: "c1", cwd: "/p", number: 3 });
  expect(turns.readConversation("s1", "codex")).toEqual({
    conversation: "c1",
    cwd: "/p",
    number: 3,
  });
  expect(turns.readConversation("s1", "gemini")).toBeNull();
});

test("a turn of a state folder of the fourth version keeps what it was asked for with", () => {
  const folder = temporaryFolder();
  const before = new DatabaseSync(join(folder, "state.db"));
  before.exec(readFileSync(join(import.meta.dirname, "fixtures/state-v4.sql"), "utf8"));
  before.close();
  const { turns, close } = openState(folder);
  onTestFinished(close);
  const options = { cwd: "/project/src", root: "/project", agent: "codex", model: "m" };
  expect(turns.listUnfinished()).toMatchObject([
    { id: "t1", prompt: "a prompt", options: { ...options, params: { depth: 2 }, via: "resume" } },
  ]);
  expect(turns.start("t1", START)).toBe(true);
});
