import { describe, expect, test } from "vitest";
import { driveConsole, questionEvent, turnEvent } from "./driven-console.ts";

describe("an approval is answered by one key", () => {
  test.for([
    ["y", { decision: "yes" }, "yes"],
    ["a", { decision: "session" }, "yes, and from now on `notes.txt`"],
    ["n", { decision: "no" }, "no"],
  ] as const)("%s", ([key, answer, word]) => {
    const console = driveConsole();
    console.act(questionEvent());
    console.type(key);
    expect(console.effects).toEqual([{ kind: "answer", id: "q1", answer }]);
    expect(console.lines).toEqual([`? replay wants to use \`write\`: \`notes.txt\` – ${word}`]);
    expect(console.state.questions.open).toEqual([]);
  });

  test("w asks for words first, and they go with the no", () => {
    const console = driveConsole();
    console.act(questionEvent());
    console.type("w");
    expect(console.rows().at(-1)).toBe("no, because …: Enter says it · Esc goes back");
    console.type("yes, but elsewhere");
    console.press("return");
    const answer = { decision: "no", words: "yes, but elsewhere" };
    expect(console.effects).toEqual([{ kind: "answer", id: "q1", answer }]);
    expect(console.state.editor.history).toEqual([]);
  });

  test("Escape takes the words back, and the question still waits", () => {
    const console = driveConsole();
    console.act(questionEvent());
    console.type("w");
    console.type("because");
    console.press("escape");
    expect(console.state.focus).toBe("line");
    expect(console.state.editor.text).toBe("");
    expect(console.state.questions.open).toHaveLength(1);
  });

  test("a does nothing where there is no rule to remember", () => {
    const console = driveConsole();
    console.act(questionEvent({ choices: ["yes", "no", "no-with-words"], details: {} }));
    expect(console.rows()).toContain("  y yes · n no · w no, with words");
    console.type("a");
    expect(console.effects).toEqual([]);
    expect(console.state.editor.text).toBe("a");
  });

  test("no letter of a sentence is taken for an answer", () => {
    const console = driveConsole();
    console.type("x");
    console.act(questionEvent());
    for (const letter of "yan") console.type(letter);
    expect(console.effects).toEqual([]);
    expect(console.state.editor.text).toBe("xyan");
  });

  test("what is pasted or typed in one piece is no answer", () => {
    const console = driveConsole();
    console.act(questionEvent());
    console.act({ kind: "paste", text: "y" });
    expect(console.effects).toEqual([]);
    const other = driveConsole();
    other.act(questionEvent());
    other.type("yes");
    expect(other.effects).toEqual([]);
  });
});

test("the question shows what would change, folded, and the keys", () => {
  const console = driveConsole();
  const lines = Array.from({ length: 20 }, (_, at) => `+${at}`).join("\n");
  console.act(questionEvent({ details: { diff: `@@ -0,0 +1,20 @@\n${lines}\n` } }));
  const rows = console.rows();
  expect(rows[0]).toBe("? replay wants to use `write`: `notes.txt`");
  expect(rows.slice(1, 4)).toEqual(["@@ -0,0 +1,20 @@", "+0", "+1"]);
  expect(rows).toContain("… 9 more lines");
});

test("on a small screen a long question keeps its beginning and its keys", () => {
  const console = driveConsole({ size: { columns: 60, rows: 9 } });
  const lines = Array.from({ length: 20 }, (_, at) => `+${at}`).join("\n");
  console.act(questionEvent({ choices: ["yes", "no"], details: { diff: lines } }));
  const rows = console.rows();
  expect(rows.length).toBeLessThan(9);
  expect(rows[0]).toBe("? replay wants to use `write`: `notes.txt`");
  expect(rows).toContain("  y yes · n no · w no, with words");
});

describe("a question that is over", () => {
  test("says who answered it in another window, and the words begun for it are for nobody", () => {
    const console = driveConsole();
    console.act(questionEvent());
    console.type("w");
    console.act(questionEvent({ status: "answered", answeredBy: "shell" }));
    expect(console.lines).toEqual([
      "? replay wants to use `write`: `notes.txt` – answered in shell",
    ]);
    expect(console.state.focus).toBe("line");
  });

  test.for([
    [{ decision: "yes" }, "yes, in another console"],
    [{ decision: "no", words: "no" }, "no, in another console"],
    [{ decision: "session" }, "yes, and the like of it, in another console"],
    [false, "no, in another console"],
    ["some words", "answered in another console"],
  ] as const)("says what was decided there: %j", ([answer, words]) => {
    const console = driveConsole();
    console.act(questionEvent());
    console.act(questionEvent({ status: "answered", answeredBy: "console", answer }));
    expect(console.lines).toEqual([`? replay wants to use \`write\`: \`notes.txt\` – ${words}`]);
  });

  test.for([
    ["expired", "nobody answered in time"],
    ["closed", "no longer needed"],
  ] as const)("%s is said", ([status, words]) => {
    const console = driveConsole();
    console.act(questionEvent());
    console.act(questionEvent({ status }));
    expect(console.lines).toEqual([`? replay wants to use \`write\`: \`notes.txt\` – ${words}`]);
  });

  test("answered here is not told twice", () => {
    const console = driveConsole();
    console.act(questionEvent());
    console.type("y");
    console.act(questionEvent({ status: "answered", answeredBy: "console" }));
    expect(console.lines).toHaveLength(1);
  });
});

test("of several questions the first is asked, the others are counted", () => {
  const console = driveConsole();
  console.act(turnEvent({ status: "waiting" }));
  console.act(questionEvent());
  console.act(questionEvent({ id: "q2", text: "another" }));
  expect(console.rows().at(-1)).toBe("replay · ask · waits for you · 2 questions");
  console.type("n");
  expect(console.rows()[0]).toBe("? another");
});

describe("a question of a command", () => {
  const local = { id: "l1", text: "which?", details: {}, isSecret: false } as const;

  test("to choose is answered by a number, a yes or a no also by its letter", () => {
    const choices = ["yes", "yes-session", "no"];
    for (const [key, answer] of [
      ["2", "yes-session"],
      ["y", "yes"],
      ["n", "no"],
    ] as const) {
      const console = driveConsole();
      console.act({ kind: "asked", question: { ...local, kind: "select", choices } });
      expect(console.rows()[1]).toBe("  y yes · a yes-session · n no");
      console.type(key);
      expect(console.effects).toEqual([{ kind: "answer", id: "l1", answer }]);
    }
  });

  test("for a secret is typed unseen, and kept in no history", () => {
    const console = driveConsole();
    console.act({
      kind: "asked",
      question: { ...local, kind: "input", choices: [], isSecret: true },
    });
    console.type("/hunter2");
    expect(console.rows().join("\n")).not.toContain("hunter2");
    expect(console.rows()).toContain("› ••••••••");
    console.press("return");
    expect(console.effects).toEqual([{ kind: "answer", id: "l1", answer: "/hunter2" }]);
    expect(console.lines.join()).not.toContain("hunter2");
    expect(console.state.editor.history).toEqual([]);
  });
});
