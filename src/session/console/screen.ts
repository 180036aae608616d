// The console drawn by ink. It shows what it is given and hands on what is pressed; everything else is decided elsewhere.
// Ink is an ES module that waits while it is loaded, so this file is a program part of its own (`scripts/build.mjs`), and
// from the rest of the console it imports types alone.
import {
  Box,
  type Key,
  render,
  Static,
  Text,
  type TextProps,
  useCursor,
  useInput,
  usePaste,
} from "ink";
import { createElement as h, type ReactElement, useSyncExternalStore } from "react";
import type { KeyPress } from "./state/editor.ts";
import type { StyledLine, Tone } from "./state/styled-line.ts";
import type { ConsoleView } from "./state/view.ts";

export interface ScreenContent {
  /** The transcript: each line is written once and is the terminal's from then on. */
  readonly lines: readonly StyledLine[];
  readonly view: ConsoleView;
}

export interface ScreenPort {
  readonly hasColor: boolean;
  readonly content: () => ScreenContent;
  readonly subscribe: (listener: () => void) => () => void;
  readonly press: (key: KeyPress) => void;
  readonly paste: (text: string) => void;
  /** The frame is gone from the screen; what stood above it is to be written again. */
  readonly resize: (isNarrower: boolean) => void;
}

/** Gives what takes it from the screen again. */
export function openScreen(port: ScreenPort): () => Promise<void> {
  const { stdout } = process;
  let { columns } = stdout;
  const resize = () => {
    const isNarrower = stdout.columns < columns;
    columns = stdout.columns;
    // The terminal has broken long rows into several, so nobody knows where the frame begins.
    if (isNarrower) {
      instance.clear();
      stdout.write("\u001b[H\u001b[J");
    }
    port.resize(isNarrower);
  };
  // Before ink's own, which counts rows as they were.
  stdout.on("resize", resize);
  // Ink takes the keys only after its first frame: the terminal itself would write into it what is typed by then.
  process.stdin.setRawMode(true);
  const options = { exitOnCtrlC: false, interactive: true, patchConsole: false } as const;
  const instance = render(h(ConsoleScreen, { port }), options);
  return async () => {
    stdout.off("resize", resize);
    instance.clear();
    instance.unmount();
    await instance.waitUntilExit();
  };
}

function ConsoleScreen({ port }: { readonly port: ScreenPort }): ReactElement {
  const { lines, view } = useSyncExternalStore(port.subscribe, port.content);
  const { setCursorPosition } = useCursor();
  setCursorPosition(view.cursor);
  useInput((input, key) => {
    for (const press of readPresses(input, key)) port.press(press);
  });
  usePaste(port.paste);
  const draw = (line: StyledLine, key: number) => drawLine(line, key, port.hasColor);
  const settled = h(Static<StyledLine>, { items: [...lines], children: draw });
  return h(Box, { flexDirection: "column" }, settled, ...view.rows.map(draw));
}

type Style = Pick<TextProps, "color" | "bold" | "dimColor">;

const STYLES: Readonly<Record<Tone, Style>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  person: { color: "cyan", bold: true },
  command: { color: "magenta" },
  tool: { color: "blue" },
  question: { color: "yellow" },
  added: { color: "green" },
  removed: { color: "red" },
  error: { color: "red" },
};

function drawLine(line: StyledLine, key: number, hasColor: boolean): ReactElement {
  const spans = line.map(({ tone, text }, at) =>
    h(Text, { key: at, ...(hasColor ? STYLES[tone] : {}) }, text),
  );
  // A line without a character has no height.
  const isEmpty = line.every(({ text }) => text === "");
  return h(Text, { key }, ...(isEmpty ? [" "] : spans));
}

const NAMES = [
  ["return", "return"],
  ["tab", "tab"],
  ["escape", "escape"],
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["home", "home"],
  ["end", "end"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const satisfies readonly (readonly [keyof Key, KeyPress["name"]])[];

const CONTROLS: Readonly<Record<string, KeyPress>> = {
  "\r": { name: "return", text: "", ctrl: false, meta: false },
  "\t": { name: "tab", text: "", ctrl: false, meta: false },
  "\b": { name: "backspace", text: "", ctrl: false, meta: false },
  "\u007f": { name: "backspace", text: "", ctrl: false, meta: false },
};

/** A letter with Ctrl comes as the character of its number; a line feed is one of several lines that were pasted. */
function readControl(char: string): KeyPress | null {
  const known = CONTROLS[char];
  if (known !== undefined) return known;
  const letter = char.charCodeAt(0);
  if (letter < 1 || letter > 26 || char === "\n") return null;
  return { name: "text", text: String.fromCharCode(96 + letter), ctrl: true, meta: false };
}

/** What is typed fast comes in one piece, Enter and all. */
function readPresses(input: string, key: Key): KeyPress[] {
  const { ctrl, meta } = key;
  const named = NAMES.find(([field]) => key[field] === true);
  if (named !== undefined) return [{ name: named[1], text: "", ctrl, meta }];
  if (ctrl) return [{ name: "text", text: input, ctrl, meta }];
  const presses: KeyPress[] = [];
  for (const char of input) {
    const last = presses.at(-1);
    const control = readControl(char);
    if (control !== null) presses.push(control);
    else if (last?.name === "text" && !last.ctrl)
      presses[presses.length - 1] = { ...last, text: last.text + char };
    else presses.push({ name: "text", text: char, ctrl, meta });
  }
  return presses;
}
