// A console without a terminal: actions in, what is to be seen and done out.
import type { LogEvent } from "../../../../src/agents/log/event.ts";
import type { StoredEvent } from "../../../../src/core/command/event.ts";
import { SUMMARY_DEFAULTS } from "../../../../src/core/load/summary.ts";
import type { Question } from "../../../../src/core/store/questions.ts";
import type { Turn } from "../../../../src/core/store/turn-row.ts";
import {
  type ConsoleAction,
  type ConsoleEffect,
  type ConsoleState,
  createConsoleState,
} from "../../../../src/session/console/state/console-state.ts";
import type { KeyPress } from "../../../../src/session/console/state/editor.ts";
import { reduceConsole } from "../../../../src/session/console/state/reduce-console.ts";
import type { StyledLine } from "../../../../src/session/console/state/styled-line.ts";
import { viewConsole } from "../../../../src/session/console/state/view.ts";

export const textOfLine = (line: StyledLine): string => line.map(({ text }) => text).join("");

const COMMANDS = [
  { ...SUMMARY_DEFAULTS, name: "mode", description: "Show or set the mode", schema: MODE_SCHEMA() },
  { ...SUMMARY_DEFAULTS, name: "model", description: "Show or switch the model" },
  { ...SUMMARY_DEFAULTS, name: "wipe", description: "Remove all", safety: "destructive" as const },
];

function MODE_SCHEMA() {
  const to = { type: "string", enum: ["ask", "allowlist", "auto"], positional: 0 };
  return { type: "object", properties: { to, reset: { type: "boolean" } } };
}

export interface DrivenConsole {
  readonly state: ConsoleState;
  /** The transcript so far. */
  readonly lines: readonly string[];
  /** The same with its pieces. */
  readonly transcript: readonly StyledLine[];
  readonly effects: readonly ConsoleEffect[];
  act(action: ConsoleAction): void;
  /** Types a text as a fast typist, or presses named keys: `press("ctrl-c")`. */
  type(text: string): void;
  press(...keys: string[]): void;
  /** What stands below the transcript, a row each. */
  rows(): string[];
  /** The row and cell of the cursor. */
  cursor(): { x: number; y: number };
}

export function driveConsole(given: Partial<ConsoleState> = {}): DrivenConsole {
  let state: ConsoleState = {
    ...createConsoleState({
      status: { agent: "replay", model: null, mode: "ask", stage: null },
      size: { columns: 60, rows: 20 },
      isInside: false,
      commands: COMMANDS,
      history: [],
    }),
    ...given,
  };
  const lines: string[] = [];
  const transcript: StyledLine[] = [];
  const effects: ConsoleEffect[] = [];
  const act = (action: ConsoleAction) => {
    const step = reduceConsole(state, action);
    state = step.state;
    transcript.push(...step.lines);
    lines.push(...step.lines.map(textOfLine));
    effects.push(...step.effects);
  };
  return {
    get state() {
      return state;
    },
    lines,
    transcript,
    effects,
    act,
    type: (text) => act({ kind: "key", key: keyOf(text) }),
    press: (...keys) => {
      for (const key of keys) act({ kind: "key", key: readKey(key) });
    },
    rows: () => viewConsole(state).rows.map((row) => textOfLine(row).trimEnd()),
    cursor: () => viewConsole(state).cursor,
  };
}

const keyOf = (text: string): KeyPress => ({ name: "text", text, ctrl: false, meta: false });

const NAMED = [
  "return",
  "tab",
  "escape",
  "up",
  "down",
  "left",
  "right",
  "home",
  "end",
  "backspace",
  "delete",
] as const;

function readKey(key: string): KeyPress {
  const [, modifier, rest = ""] = /^(?:(ctrl|meta)-)?(.+)$/.exec(key) ?? [];
  const named = NAMED.find((name) => name === rest);
  return {
    name: named ?? "text",
    text: named === undefined ? rest : "",
    ctrl: modifier === "ctrl",
    meta: modifier === "meta",
  };
}

export const turnOf = (changes: Partial<Turn> = {}): Turn => ({
  id: "t1",
  sessionId: "s",
  number: 1,
  status: "running",
  prompt: "hello",
  answer: null,
  options: { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null },
  agent: "replay",
  model: null,
  runId: "r1",
  conversation: null,
  problem: null,
  owner: null,
  queuedAt: "",
  startedAt: null,
  endedAt: null,
  ...changes,
});

export const turnEvent = (changes: Partial<Turn> = {}): ConsoleAction => ({
  kind: "host",
  event: { kind: "turn", turn: turnOf(changes) },
});

let steps = 0;

const nextStep = (): number => {
  steps += 1;
  return steps;
};

export const progressEvent = (
  event: LogEvent,
  turnId = "t1",
  step = nextStep(),
): ConsoleAction => ({
  kind: "host",
  event: { kind: "progress", sessionId: "s", turnId, runId: "r1", offset: 0, step, event },
});

export const recordEvent = (type: string, data: StoredEvent["data"]): ConsoleAction => ({
  kind: "host",
  event: {
    kind: "event",
    event: {
      seq: 1,
      time: "",
      type,
      correlationId: "",
      sessionId: "s",
      origin: { surface: "cli" },
      data,
    },
  },
});

const questionOf = (changes: Partial<Question> = {}): Question => ({
  id: "q1",
  sessionId: "s",
  turnId: "t1",
  kind: "approval",
  text: "replay wants to use `write`: `notes.txt`",
  details: { ruleText: "`notes.txt`" },
  choices: ["yes", "yes-session", "no", "no-with-words"],
  fallback: null,
  deadlineAt: null,
  status: "open",
  answer: null,
  answeredBy: null,
  askedAt: "",
  ...changes,
});

export const questionEvent = (changes: Partial<Question> = {}): ConsoleAction => ({
  kind: "host",
  event: { kind: "question", question: questionOf(changes) },
});
