import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createEditor,
  type Editor,
  editByKey,
  insertText,
  type KeyPress,
  takeText,
  withText,
} from "../../../../src/session/console/state/editor.ts";
import { driveConsole } from "./driven-console.ts";

const press = (editor: Editor, ...names: (KeyPress["name"] | `^${string}`)[]): Editor =>
  names.reduce((now, name) => {
    const isControl = name.startsWith("^");
    const key: KeyPress = isControl
      ? { name: "text", text: name.slice(1), ctrl: true, meta: false }
      : { name: name as KeyPress["name"], text: "", ctrl: false, meta: false };
    return editByKey(now, key) ?? now;
  }, editor);

const at = (marked: string): Editor =>
  withText(createEditor(), marked.replace("|", ""), marked.indexOf("|"));

const show = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("keys move and cut as in a shell", () => {
  test.for([
    ["ab|c", "left", "a|bc"],
    ["ab|c", "right", "abc|"],
    ["one\ntw|o", "home", "one\n|two"],
    ["o|ne\ntwo", "end", "one|\ntwo"],
    ["ab|c", "backspace", "a|c"],
    ["ab|c", "delete", "ab|"],
    ["a👩‍👩‍👧|b", "backspace", "a|b"],
    ["a|é́b", "right", "aé́|b"],
    ["|abc", "backspace", "|abc"],
    ["one tw|o", "^u", "|o"],
    ["one tw|o", "^k", "one tw|"],
    ["one two |x", "^w", "one |x"],
    ["one\ntw|o", "^a", "one\n|two"],
    ["on|e\ntwo", "^e", "one|\ntwo"],
    ["one\ntwo|", "up", "one|\ntwo"],
    ["o|ne\ntwo", "down", "one\nt|wo"],
    ["one|\na", "down", "one\na|"],
  ] as const)("%j %s", ([before, key, after]) => {
    expect(show(press(at(before), key))).toBe(after);
  });
});

describe("history", () => {
  test("goes back and forth, and gives back what was being typed", () => {
    const editor = withText(createEditor(["first", "second"]), "draft");
    expect(press(editor, "up").text).toBe("second");
    expect(press(editor, "up", "up", "up").text).toBe("first");
    expect(press(editor, "up", "up", "down", "down").text).toBe("draft");
  });

  test("holds the same line twice in a row only once, and nothing empty", () => {
    const send = (editor: Editor, text: string) => takeText(withText(editor, text));
    const editor = ["a", "a", " ", "b", "a"].reduce(send, createEditor());
    expect(editor.history).toEqual(["a", "b", "a"]);
  });
});

test("a paste of several lines is one text, whatever its line ends", () => {
  expect(insertText(at("a|b"), "1\r\n2\r3").text).toBe("a1\n2\n3b");
});

test("whatever is typed, the cursor stands within the text and within the screen", () => {
  const keys = fc.constantFrom(
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "backspace",
    "delete",
    "^w",
    "^k",
  );
  const inputs = fc.array(
    fc.oneof(keys, fc.string({ unit: "grapheme", maxLength: 12 }), fc.constant("a\nb")),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(inputs, fc.integer({ min: 20, max: 60 }), (steps, columns) => {
      const console = driveConsole({ size: { columns, rows: 12 } });
      for (const step of steps)
        if (/^(?:left|right|up|down|home|end|backspace|delete|\^\w)$/.test(step))
          console.press(step.replace("^", "ctrl-"));
        else console.act({ kind: "paste", text: step });
      const { text, cursor } = console.state.editor;
      expect(cursor).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeLessThanOrEqual(text.length);
      const { x, y } = console.cursor();
      expect(y).toBeLessThan(console.rows().length);
      expect(x).toBeLessThan(columns);
      expect(console.rows().length).toBeLessThan(12);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("a long text shows the rows around the cursor", () => {
  const console = driveConsole();
  console.act({ kind: "paste", text: Array.from({ length: 20 }, (_, i) => `row ${i}`).join("\n") });
  expect(console.rows().slice(1, 9)).toEqual(
    Array.from({ length: 8 }, (_, i) => `  row ${i + 12}`),
  );
  expect(console.cursor()).toEqual({ x: 8, y: 8 });
});
