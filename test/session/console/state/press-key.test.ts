import { describe, expect, test } from "vitest";
import { SUMMARY_DEFAULTS } from "../../../../src/core/load/summary.ts";
import { wrapStyled } from "../../../../src/session/console/state/styled-line.ts";
import { driveConsole, textOfLine, turnEvent } from "./driven-console.ts";

describe("Enter", () => {
  test("sends the line, and the line is empty and in the history", () => {
    const console = driveConsole();
    console.type("hello");
    console.press("return");
    expect(console.effects).toEqual([{ kind: "send", text: "hello" }]);
    expect(console.state.editor).toMatchObject({ text: "", cursor: 0, history: ["hello"] });
  });

  test("on an empty line does nothing", () => {
    const console = driveConsole();
    console.type("  ");
    console.press("return");
    expect(console.effects).toEqual([]);
  });

  test.for([
    ["/model opus", { kind: "command", line: "model opus" }],
    ["!git status", { kind: "shell", line: "git status" }],
    ["/etc/hosts is empty", { kind: "send", text: "/etc/hosts is empty" }],
    ["/unknown-name", { kind: "command", line: "unknown-name" }],
  ] as const)("%s", ([text, effect]) => {
    const console = driveConsole();
    console.type(text);
    console.press("return");
    expect(console.effects).toEqual([effect]);
  });

  test("behind a backslash, with Alt, or as Ctrl-J is a new line", () => {
    const console = driveConsole();
    console.type("one\\");
    console.press("return");
    console.type("two");
    console.press("meta-return");
    console.type("three");
    console.press("ctrl-j");
    expect(console.state.editor.text).toBe("one\ntwo\nthree\n");
    expect(console.effects).toEqual([]);
  });
});

describe("the palette", () => {
  test("offers the names that begin with what is typed, and none that destroys", () => {
    const console = driveConsole();
    console.type("/");
    expect(console.rows().slice(0, 3)).toEqual([
      "▸ mode   Show or set the mode",
      "  model  Show or switch the model",
      "",
    ]);
    console.type("w");
    expect(console.rows()[0]).toBe("");
    console.type("ipe");
    expect(console.rows()[0]).toBe("▸ wipe  Remove all");
  });

  test("offers the session's own commands first, and says how many more there are", () => {
    const commands = Array.from("abcdefgz", (name) => ({
      ...SUMMARY_DEFAULTS,
      ...{ name, description: "Do it", category: name === "z" ? "session" : "other" },
    }));
    const console = driveConsole({ sources: { commands, files: null } });
    console.type("/");
    const names = console.rows().map((row) => row.slice(2, 3));
    expect(names.slice(0, 6)).toEqual(["z", "a", "b", "c", "d", "e"]);
    expect(console.rows()[6]).toBe("  … 2 more");
    console.press("up");
    expect(console.rows().slice(5, 7)).toEqual(["▸ g  Do it", ""]);
  });

  test("Enter on a part of a name completes it and runs nothing", () => {
    const console = driveConsole();
    console.type("/mo");
    console.press("down", "return");
    expect(console.effects).toEqual([]);
    expect(console.state.editor.text).toBe("/model ");
    console.press("return");
    expect(console.effects).toEqual([{ kind: "command", line: "model" }]);
  });

  test("Enter on a whole name runs it, though it begins another", () => {
    const console = driveConsole();
    console.type("/mode");
    console.press("return");
    expect(console.effects).toEqual([{ kind: "command", line: "mode" }]);
  });

  test("a part of a name that destroys runs as what it is: no command", () => {
    const console = driveConsole();
    console.type("/wip");
    console.press("return");
    expect(console.effects).toEqual([{ kind: "command", line: "wip" }]);
  });

  test("Tab takes the chosen name, then offers values and flags", () => {
    const console = driveConsole();
    console.type("/mod");
    console.press("tab");
    expect(console.state.editor.text).toBe("/mode ");
    console.press("tab");
    expect(console.rows().slice(0, 3)).toEqual(["▸ ask", "  allowlist", "  auto"]);
    console.type("au");
    console.press("tab");
    expect(console.state.editor.text).toBe("/mode auto ");
    console.type("--re");
    console.press("tab");
    expect(console.state.editor.text).toBe("/mode auto --reset ");
  });

  test("Escape closes it until the line changes", () => {
    const console = driveConsole();
    console.type("/mo");
    console.press("escape");
    expect(console.rows()[0]).toBe("");
    console.press("up");
    expect(console.state.editor.text).toBe("/mo");
    console.type("d");
    expect(console.rows()[0]).toBe("▸ mode   Show or set the mode");
  });
});

describe("@", () => {
  test("asks for the files once, then completes them anywhere in the line", () => {
    const console = driveConsole();
    console.type("look at @");
    expect(console.effects).toEqual([{ kind: "list-files" }]);
    console.act({
      kind: "sources",
      sources: { files: ["src/editor.ts", "README.md", "test/a.ts"] },
    });
    console.type("edit");
    expect(console.rows()[0]).toBe("▸ src/editor.ts");
    console.press("return");
    expect(console.state.editor.text).toBe("look at @src/editor.ts ");
    console.press("return");
    expect(console.effects.slice(1)).toEqual([{ kind: "send", text: "look at @src/editor.ts " }]);
  });

  test("within a word is no file", () => {
    const console = driveConsole();
    console.type("me@example.org");
    expect(console.effects).toEqual([]);
  });
});

describe("Ctrl-C", () => {
  test("clears the line first, and leaves the second time", () => {
    const console = driveConsole();
    console.type("half a tho");
    console.press("ctrl-c");
    expect(console.state.editor.text).toBe("");
    expect(console.rows().at(-1)).toBe("Ctrl-C once more leaves");
    console.press("ctrl-c");
    expect(console.effects).toEqual([{ kind: "leave" }]);
  });

  test("does not leave when something was typed in between", () => {
    const console = driveConsole();
    console.press("ctrl-c");
    console.type("x");
    console.press("ctrl-c");
    expect(console.effects).toEqual([]);
  });

  test("cancels commands that run where no turn does", () => {
    const console = driveConsole();
    console.type("/model");
    console.press("return", "ctrl-c");
    expect(console.effects.at(-1)).toEqual({ kind: "cancel-commands" });
  });

  test("cancels the turn, and leaves the second time without asking about it", () => {
    const console = driveConsole();
    console.act(turnEvent());
    console.press("ctrl-c");
    expect(console.effects).toEqual([{ kind: "cancel", turnId: "t1" }]);
    console.press("ctrl-c");
    expect(console.effects.at(-1)).toEqual({ kind: "leave" });
  });
});

test("`/exit` and `/quit` leave as Ctrl-D does, unless a command has the name", () => {
  for (const word of ["/exit", "/quit"]) {
    const console = driveConsole();
    console.type(word);
    console.press("return");
    expect(console.effects).toEqual([{ kind: "leave" }]);
  }
  const busy = driveConsole();
  busy.act(turnEvent());
  busy.type("/exit");
  busy.press("return");
  expect([busy.state.focus, busy.effects]).toEqual(["leaving", []]);
  const named = { ...SUMMARY_DEFAULTS, name: "exit", description: "Do it" };
  const own = driveConsole({ sources: { commands: [named], files: null } });
  own.type("/exit");
  own.press("return");
  expect(own.effects).toEqual([{ kind: "command", line: "exit" }]);
});

describe("leaving while a turn runs", () => {
  const leaving = (isInside: boolean) => {
    const console = driveConsole({ isInside });
    console.act(turnEvent());
    console.act(turnEvent({ id: "t2", number: 2, status: "queued" }));
    console.press("ctrl-d");
    return console;
  };

  test("asks what becomes of it", () => {
    const console = leaving(false);
    expect(console.effects).toEqual([]);
    expect(console.rows().slice(-2)).toEqual([
      "a turn still runs: l leaves it to the host · c cancels it ·",
      "Esc stays",
    ]);
    console.type("l");
    expect(console.effects).toEqual([{ kind: "leave" }]);
  });

  test("c cancels what waits before what runs", () => {
    const console = leaving(false);
    console.type("c");
    expect(console.effects).toEqual([
      { kind: "cancel", turnId: "t2" },
      { kind: "cancel", turnId: "t1" },
      { kind: "leave" },
    ]);
  });

  test("can only cancel it where the host ends with the window", () => {
    const console = leaving(true);
    expect(console.rows().at(-1)).toBe("a turn still runs: c cancels it · Esc stays");
    console.type("l");
    expect(console.effects).toEqual([]);
  });

  test("Escape stays, and so does the end of all turns", () => {
    const console = leaving(false);
    console.press("escape");
    expect(console.state.focus).toBe("line");
    console.press("ctrl-d");
    console.act(turnEvent({ id: "t2", status: "cancelled", endedAt: "now" }));
    console.act(turnEvent({ status: "done", endedAt: "now" }));
    expect(console.state.focus).toBe("line");
  });
});

test("a command's output stands apart, and long lines keep the bar", () => {
  const console = driveConsole({ size: { columns: 20, rows: 20 } });
  console.type("/model");
  console.press("return");
  expect(console.rows()[0]).toBe("◌ /model");
  const command = { line: "/model", stdout: "one two three four five\n", stderr: "adj: oh\n" };
  console.act({ kind: "command-ended", command: { ...command, exitCode: 1 } });
  expect(console.rows()[0]).toBe("");
  expect(console.lines).toEqual(["", "/model", "│ one two three four five", "│ adj: oh"]);
  const said = console.transcript[2] ?? [];
  expect(wrapStyled(said, 20).map(textOfLine)).toEqual(["│ one two three four", "│ five"]);
  expect(wrapStyled(said, 10).map(textOfLine)).toEqual([
    "│ one two",
    "│ three",
    "│ four",
    "│ five",
  ]);
});

test("a shell line that failed says by which code, though its program said nothing", () => {
  const console = driveConsole();
  const command = { line: "!false", stdout: "", stderr: "", exitCode: 1 };
  console.act({ kind: "command-ended", command });
  expect(console.lines).toEqual(["", "!false", "│ exit 1"]);
});

test("the session's own changes are looked at again", () => {
  const console = driveConsole();
  const status = { agent: "codex", model: "small", mode: "auto", stage: "ship: plan" };
  console.act({ kind: "status", status });
  expect(console.rows().at(-1)).toBe("codex · small · auto · ship: plan");
});
