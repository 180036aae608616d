// The lower part of the console as rows: what still grows, what waits, the line that is typed and the line about it all.
// The transcript above it is the terminal's own. Pure.
import { cutText, displayWidth, padEnd } from "../../../core/terminal/text-columns.ts";
import { type ConsoleState, paletteOf } from "./console-state.ts";
import type { CommandPalette } from "./palette.ts";
import { firstQuestion, showQuestion } from "./question-state.ts";
import { EMPTY_LINE, escapeForScreen, type StyledLine, styled, wrapStyled } from "./styled-line.ts";
import { nameCall } from "./transcript-lines.ts";
import { queuedTurns, runningTurn } from "./turn-state.ts";

export interface ConsoleView {
  /** Each fits into one row of the screen. */
  readonly rows: readonly StyledLine[];
  readonly cursor: { readonly x: number; readonly y: number };
}

const MIN_COLUMNS = 20;
const MAX_PALETTE_ROWS = 6;
const MAX_LINE_ROWS = 8;
const MAX_LISTED = 3;

export function viewConsole(state: ConsoleState): ConsoleView {
  const columns = Math.max(MIN_COLUMNS, state.size.columns);
  const line = viewLine(state, columns);
  const below = [EMPTY_LINE, ...line.rows, ...viewStatus(state, columns)];
  // A frame as tall as the screen would push parts of itself into the scrollback.
  const room = Math.max(2, state.size.rows - below.length - 2);
  const above = viewAbove(state, columns, room);
  return {
    rows: [...above, ...below],
    cursor: { x: line.cursor.x, y: above.length + 1 + line.cursor.y },
  };
}

function viewAbove(state: ConsoleState, columns: number, room: number): readonly StyledLine[] {
  const question = firstQuestion(state.questions);
  const palette = paletteOf(state);
  const asked = question === null ? [] : wrapAll(showQuestion(question), columns);
  const urgent = [
    ...keepEnds(asked, room),
    ...(palette === null ? [] : viewPalette(palette, state.selected, columns)),
  ];
  const lists = [...viewCalls(state, columns), ...viewQueue(state, columns)];
  const growing = wrapAll([styled("plain", state.turns.growing)], columns);
  const calm = [...(state.turns.growing === "" ? [] : growing), ...lists];
  const left = Math.max(0, room - urgent.length);
  return [...(left === 0 ? [] : calm.slice(-left)), ...urgent.slice(-room)];
}

const wrapAll = (lines: readonly StyledLine[], columns: number): StyledLine[] =>
  lines.flatMap((line) => wrapStyled(line, columns));

/** What is too long loses its middle: the keys stand at the end. */
function keepEnds(rows: readonly StyledLine[], room: number): readonly StyledLine[] {
  if (rows.length <= room) return rows;
  const tail = Math.min(2, room - 1);
  return [...rows.slice(0, room - tail - 1), styled("dim", "…"), ...rows.slice(-tail)];
}

function viewCalls({ turns, running }: ConsoleState, columns: number): StyledLine[] {
  const calls = turns.calls.map((call) => `◌ ${nameCall(call)}`);
  const commands = running.map((line) => `◌ ${line}`);
  const all = [...calls, ...commands].slice(-MAX_LISTED);
  return all.map((text) => styled("tool", cutText(escapeForScreen(text), columns)));
}

function viewQueue({ turns }: ConsoleState, columns: number): StyledLine[] {
  const queued = queuedTurns(turns);
  const rows = queued
    .slice(0, MAX_LISTED)
    .map(({ text }) => styled("dim", cutText(`queued: ${oneLine(text)}`, columns)));
  const rest = queued.length - rows.length;
  return rest > 0 ? [...rows, styled("dim", `… and ${rest} more queued`)] : rows;
}

const oneLine = (text: string): string => escapeForScreen(text.replaceAll(/\s+/g, " "));

function viewPalette(
  { candidates }: CommandPalette,
  selected: number,
  columns: number,
): StyledLine[] {
  const from = Math.max(0, Math.min(selected - 2, candidates.length - MAX_PALETTE_ROWS));
  const shown = candidates.slice(from, from + MAX_PALETTE_ROWS);
  const width = Math.max(...shown.map(({ value }) => displayWidth(value)));
  const below = candidates.length - from - shown.length;
  const rest = below === 0 ? [] : [styled("dim", cutText(`  … ${below} more`, columns))];
  const rows = shown.map(({ value, description }, at) => {
    const isSelected = from + at === selected;
    const name = cutText(
      `${isSelected ? "▸" : " "} ${padEnd(escapeForScreen(value), width)}`,
      columns,
    );
    const room = columns - displayWidth(name) - 2;
    const text = room > 8 ? `  ${cutText(oneLine(description), room)}` : "";
    return [
      { tone: isSelected ? "strong" : "plain", text: name },
      { tone: "dim", text },
    ] as const;
  });
  return [...rows, ...rest];
}

// The line that is typed.

const MARK = "› ";
const HINT = "ask for something, / commands, @ files, ! shell";

interface LineView {
  readonly rows: readonly StyledLine[];
  readonly cursor: { readonly x: number; readonly y: number };
}

function viewLine(state: ConsoleState, columns: number): LineView {
  const { text, cursor } = state.editor;
  const isSecret = firstQuestion(state.questions)?.isSecret === true;
  if (text === "") {
    const hint = state.focus === "line" && firstQuestion(state.questions) === null ? HINT : "";
    const rows = [
      [
        { tone: "person", text: MARK } as const,
        { tone: "dim", text: cutText(hint, columns - 3) } as const,
      ],
    ];
    return { rows, cursor: { x: MARK.length, y: 0 } };
  }
  const { rows, at } = breakText(
    isSecret ? "•".repeat(text.length) : text,
    cursor,
    columns - MARK.length - 1,
  );
  const first = Math.max(0, Math.min(at.y - MAX_LINE_ROWS + 1, rows.length - MAX_LINE_ROWS));
  const shown = rows.slice(first, first + MAX_LINE_ROWS);
  return {
    rows: shown.map((row, y) => [
      { tone: "person", text: first + y === 0 ? MARK : "  " },
      { tone: "plain", text: row },
    ]),
    cursor: { x: MARK.length + at.x, y: at.y - first },
  };
}

/** Rows of at most so many cells, and in which of their cells the cursor stands. */
function breakText(text: string, cursor: number, width: number) {
  const rows = [""];
  let at = { x: 0, y: 0 };
  let place = 0;
  const segmenter = new Intl.Segmenter();
  for (const { segment, index } of segmenter.segment(text)) {
    if (index <= cursor) at = { x: displayWidth(rows.at(-1) ?? ""), y: rows.length - 1 };
    place = index + segment.length;
    if (segment === "\n") {
      rows.push("");
      continue;
    }
    const row = (rows.at(-1) ?? "") + escapeForScreen(segment);
    if (displayWidth(row) <= width) rows[rows.length - 1] = row;
    else rows.push(escapeForScreen(segment));
    if (index === cursor)
      at = {
        x: displayWidth(rows.at(-1) ?? "") - displayWidth(escapeForScreen(segment)),
        y: rows.length - 1,
      };
  }
  if (cursor >= place) at = { x: displayWidth(rows.at(-1) ?? ""), y: rows.length - 1 };
  return { rows, at };
}

// The line about it all.

function viewStatus(state: ConsoleState, columns: number): StyledLine[] {
  const hint = describeFocus(state);
  if (hint !== null) return wrapStyled(styled("strong", hint), columns);
  return [styled("dim", cutText(describeStatus(state).join(" · "), columns))];
}

/** What the next key is for, where it is for something else than the line. */
function describeFocus({ focus, isInside, isLeaveArmed }: ConsoleState): string | null {
  if (focus === "leaving")
    return `a turn still runs: ${isInside ? "" : "l leaves it to the host · "}c cancels it · Esc stays`;
  if (focus === "words") return "no, because …: Enter says it · Esc goes back";
  return isLeaveArmed ? "Ctrl-C once more leaves" : null;
}

function describeStatus(state: ConsoleState): string[] {
  const { status, turns, questions } = state;
  const running = runningTurn(turns);
  const queued = queuedTurns(turns).length;
  return [
    status.agent ?? turns.agent ?? "first agent found",
    status.model ?? turns.model ?? "",
    status.mode,
    status.stage ?? "",
    running === null ? "" : describeRunning(running),
    queued === 0 ? "" : `${queued} queued`,
    questions.open.length > 1 ? `${questions.open.length} questions` : "",
    turns.tokens === null ? "" : `${formatCount(turns.tokens)} tokens`,
    turns.costUsd === null ? "" : `$${turns.costUsd.toFixed(2)}`,
  ].filter((part) => part !== "");
}

function describeRunning({
  status,
  isCancelling,
  number,
}: NonNullable<ReturnType<typeof runningTurn>>): string {
  if (isCancelling) return `turn ${number} is being cancelled`;
  return status === "waiting" ? "waits for you" : `turn ${number} runs`;
}

const formatCount = (count: number): string =>
  count < 10_000 ? String(count) : `${(count / 1000).toFixed(1)}k`;
