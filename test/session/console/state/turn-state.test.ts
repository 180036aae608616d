import { describe, expect, test } from "vitest";
import { answerDelta, assistantMessage } from "../../../../src/agents/log/event.ts";
import { driveConsole, progressEvent, recordEvent, turnEvent, turnOf } from "./driven-console.ts";

const toolCall = (id: string, name: string, args: unknown) =>
  progressEvent({ kind: "tool_call", id, name, arguments: args, at: null });

const toolResult = (
  id: string,
  changes: { result?: string; isError?: boolean; permission?: "denied" },
) =>
  progressEvent({
    kind: "tool_result",
    id,
    result: changes.result ?? null,
    isError: changes.isError ?? false,
    durationMs: null,
    permission: changes.permission ?? null,
    at: null,
  });

describe("an answer", () => {
  test("goes into the transcript line by line, and only its last line is still drawn below", () => {
    const console = driveConsole();
    console.act(turnEvent());
    for (const text of ["You sa", "id hello.\n", "\nAnd", " more"])
      console.act(progressEvent(answerDelta(text)));
    expect(console.lines).toEqual(["", "› hello", "You said hello.", ""]);
    expect(console.rows()[0]).toBe("And more");
    console.act(progressEvent({ ...assistantMessage("whole"), isStreamed: true }));
    expect(console.lines.at(-1)).toBe("And more");
    expect(console.rows()[0]).toBe("");
  });

  test("that was not streamed is written whole, and thoughts and sub-agents are left out", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(progressEvent(assistantMessage("one\ntwo")));
    console.act(progressEvent({ ...answerDelta("thinking"), channel: "thinking" }));
    console.act(progressEvent({ ...assistantMessage("below"), parent: "call" }));
    expect(console.lines.slice(2)).toEqual(["one", "two"]);
  });

  test("cannot type for the person: what cannot be seen is written out", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(progressEvent(assistantMessage("a\u001b[2Jb")));
    expect(console.lines.at(-1)).toBe("a\\u{1b}[2Jb");
  });

  test("of a turn that nobody told of is not shown", () => {
    const console = driveConsole();
    console.act(progressEvent(assistantMessage("late"), "t9"));
    expect(console.lines).toEqual([]);
  });
});

describe("a prompt", () => {
  test("stands as queued until its turn starts, then in the transcript", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(turnEvent({ id: "t2", number: 2, status: "queued", prompt: "next\nplease" }));
    expect(console.rows()).toContain("queued: next please");
    expect(console.rows().at(-1)).toBe("replay · ask · turn 1 runs · 1 queued");
    console.act(turnEvent({ status: "done", endedAt: "now" }));
    console.act(turnEvent({ id: "t2", number: 2, prompt: "next\nplease" }));
    expect(console.lines.slice(2)).toEqual(["", "› next", "  please"]);
    expect(console.rows().at(-1)).toBe("replay · ask · turn 2 runs");
  });

  test("is shown as it was typed here, though the row has it masked", () => {
    const console = driveConsole();
    const queued = turnOf({ status: "queued", prompt: "my key is ***" });
    console.act({ kind: "host", event: { kind: "turn", turn: queued } });
    console.act({ kind: "sent", turn: queued, text: "my key is abc" });
    console.act(turnEvent({ prompt: "my key is ***" }));
    expect(console.lines).toEqual(["", "› my key is abc"]);
    const quick = driveConsole();
    quick.act({ kind: "sent", turn: queued, text: "my key is abc" });
    quick.act(turnEvent({ prompt: "my key is ***" }));
    expect(quick.lines).toEqual(["", "› my key is abc"]);
  });

  test("more of them than fit are counted", () => {
    const console = driveConsole();
    for (const at of [1, 2, 3, 4, 5])
      console.act(turnEvent({ id: `t${at}`, number: at, status: "queued", prompt: `p${at}` }));
    expect(console.rows().slice(0, 4)).toEqual([
      "queued: p1",
      "queued: p2",
      "queued: p3",
      "… and 2 more queued",
    ]);
  });
});

describe("a tool call", () => {
  test("is one line while it runs and one when it ended", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(toolCall("c1", "shell", { command: "ls -A\n| head" }));
    expect(console.rows()[0]).toBe("◌ shell ls -A");
    console.act(toolResult("c1", { result: "a\nb\n" }));
    expect(console.rows()[0]).toBe("");
    expect(console.lines.at(-1)).toBe("● shell ls -A – 2 lines");
  });

  test.for([
    [{ result: "no such file\nmore", isError: true }, "● read a.txt – failed: no such file"],
    [{ result: "use npm", isError: true, permission: "denied" as const }, "● read a.txt – refused"],
    [{ result: "one line" }, "● read a.txt"],
  ] as const)("says how it went: %j", ([result, line]) => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(toolCall("c1", "read", { path: "a.txt" }));
    console.act(toolResult("c1", result));
    expect(console.lines.at(-1)).toBe(line);
  });

  test("opens with Ctrl-O, folded first and whole the second time", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(toolCall("c1", "shell", { command: "seq 30" }));
    const result = Array.from({ length: 30 }, (_, at) => `${at + 1}`).join("\n");
    console.act(toolResult("c1", { result }));
    const before = console.lines.length;
    console.press("ctrl-o");
    expect(console.lines.slice(before, before + 2)).toEqual([
      "▾ shell seq 30",
      "  command: seq 30",
    ]);
    expect(console.lines.at(-1)).toBe("  … 11 more lines; Ctrl-O shows them");
    console.press("ctrl-o");
    expect(console.lines.at(-1)).toBe("  30");
  });

  test("that edits opens as a diff", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(toolCall("c1", "edit", { path: "a", old: "one\n", new: "two\n" }));
    console.act(toolResult("c1", { result: "edited a" }));
    console.press("ctrl-o");
    expect(console.lines.slice(-5)).toEqual([
      "▾ edit a",
      "  @@ -1,1 +1,1 @@",
      "  -one",
      "  +two",
      "  edited a",
    ]);
  });

  test("that its turn outlived is said to be cut short", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.act(toolCall("c1", "shell", { command: "sleep 9" }));
    console.act(turnEvent({ status: "cancelled", endedAt: "now" }));
    expect(console.lines.slice(-2)).toEqual([
      "● shell sleep 9 – cut short",
      "– turn 1 was cancelled",
    ]);
  });
});

test("a turn that fails says why, one that leaves the queue says so, one that is done says nothing", () => {
  const console = driveConsole();
  const problem = { class: "Agent", code: "X", message: "no quota" };
  console.act(turnEvent());
  console.act(turnEvent({ id: "t2", status: "queued", prompt: "later" }));
  console.act(turnEvent({ status: "failed", endedAt: "now", problem }));
  console.act(turnEvent({ id: "t2", status: "cancelled", endedAt: "now" }));
  expect(console.lines.slice(2)).toEqual([
    "✗ turn 1 failed: no quota",
    "– no longer queued: later",
  ]);
});

test("what turns cost is added up from the record, and what is unknown adds nothing", () => {
  const console = driveConsole();
  console.act(recordEvent("TurnEnded", { tokens: 12_000, costUsd: 0.5 }));
  console.act(recordEvent("TurnEnded", { tokens: null, costUsd: null }));
  console.act(recordEvent("TurnEnded", { tokens: 345, costUsd: 0.25 }));
  expect(console.rows().at(-1)).toBe("replay · ask · 12.3k tokens · $0.75");
});

test("a session that is gone on with tells what was said, and waits for what still runs", () => {
  const console = driveConsole();
  const turns = [
    turnOf({ status: "done", answer: "hi\nthere", endedAt: "then" }),
    turnOf({ id: "t2", number: 2, prompt: "and?", status: "waiting" }),
  ];
  console.act({ kind: "recalled", turns });
  expect(console.lines).toEqual(["", "› hello", "hi", "there", "", "› and?"]);
  expect(console.rows().at(-1)).toBe("replay · ask · waits for you");
});

describe("a window that comes in the middle, or comes back,", () => {
  const word = (text: string, step: number) => progressEvent(answerDelta(text), "t1", step);

  test("shows what it is given from the start, and nothing twice", () => {
    const console = driveConsole();
    console.act({ kind: "recalled", turns: [turnOf()] });
    console.act(turnEvent());
    for (const action of [word("one\n", 1), word("two\n", 2), word("one\n", 1), word("two\n", 2)])
      console.act(action);
    console.act(word("three\n", 3));
    expect(console.lines).toEqual(["", "› hello", "one", "two", "three"]);
  });

  test("tells a prompt once that began to run while it was looked up, in the words of this window", () => {
    const console = driveConsole();
    console.act({ kind: "sent", turn: turnOf({ prompt: "[masked]" }), text: "hello" });
    console.act({ kind: "recalled", turns: [turnOf({ prompt: "[masked]" })] });
    console.act(turnEvent({ status: "queued", prompt: "[masked]" }));
    console.act(turnEvent({ prompt: "[masked]" }));
    expect(console.lines).toEqual(["", "› hello"]);
  });

  test("tells a turn once that ended while it was looked up", () => {
    const console = driveConsole();
    const ended = { status: "done", answer: "one", endedAt: "now" } as const;
    console.act({ kind: "recalled", turns: [turnOf(ended)] });
    console.act(turnEvent());
    console.act(word("one\n", 1));
    console.act(turnEvent(ended));
    expect(console.lines).toEqual(["", "› hello", "one"]);
    expect(console.state.turns.turns).toEqual([]);
  });

  test("tells a queued prompt that was answered without it, whole", () => {
    const console = driveConsole();
    console.act(turnEvent({ status: "queued" }));
    console.act(turnEvent({ status: "done", answer: "hi", endedAt: "now" }));
    console.act(turnEvent());
    expect(console.lines).toEqual(["", "› hello", "hi"]);
  });
});
