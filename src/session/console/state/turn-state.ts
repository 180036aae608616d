// What the console knows of turns: those that wait, the one that runs, and what it has said so far. Pure: an event of the
// host in, the next state and finished lines of the transcript out.
import type { LogEvent, ToolCallEvent, ToolResultEvent } from "../../../agents/log/event.ts";
import type { StoredEvent } from "../../../core/command/event.ts";
import type { Turn } from "../../../core/store/turn-row.ts";
import type { HostEvent } from "../../host/session-host.ts";
import { type StyledLine, styled, styledLines } from "./styled-line.ts";
import { type EndedCall, showCall, showPrompt } from "./transcript-lines.ts";

interface ShownTurn {
  readonly id: string;
  readonly number: number;
  readonly status: Turn["status"];
  /** As it was typed, where it was typed here. */
  readonly text: string;
  readonly isCancelling: boolean;
  /** The last step of it that was shown. */
  readonly step: number;
}

export interface TurnsState {
  /** Those that have not ended, in order. */
  readonly turns: readonly ShownTurn[];
  /** Ids of the last that have. */
  readonly over: readonly string[];
  /** As they were typed here, by the ids of their turns. */
  readonly sent: ReadonlyMap<string, string>;
  /** The line of the answer that is still growing. */
  readonly growing: string;
  readonly calls: readonly ToolCallEvent[];
  readonly lastCall: EndedCall | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly agent: string | null;
  readonly model: string | null;
}

/** Whoever is behind is behind by fewer. */
const MAX_OVER = 100;

export const NO_TURNS: TurnsState = {
  turns: [],
  over: [],
  sent: new Map(),
  growing: "",
  calls: [],
  lastCall: null,
  tokens: null,
  costUsd: null,
  agent: null,
  model: null,
};

interface TurnsStep {
  readonly state: TurnsState;
  readonly lines: readonly StyledLine[];
}

type TurnsEvent = Exclude<HostEvent, { kind: "question" }>;

export function applyTurnEvent(state: TurnsState, event: TurnsEvent): TurnsStep {
  switch (event.kind) {
    case "turn":
      return applyTurn(state, event.turn);
    case "progress":
      return applyStep(state, event);
    case "notice": {
      const { state: next, lines } = endLine(state);
      return { state: next, lines: [...lines, styled("dim", `· ${event.text}`)] };
    }
    case "event":
      return still(addUsage(state, event.event));
    case "extension":
      return still(state);
  }
}

const still = (state: TurnsState): TurnsStep => ({ state, lines: [] });

/** Of a turn that is shown, and not twice: a window that comes back is given all from the start. */
function applyStep(state: TurnsState, { turnId, step, event }: TurnStep): TurnsStep {
  const shown = state.turns.find(({ id }) => id === turnId);
  if (shown === undefined || step <= shown.step) return still(state);
  const turns = state.turns.map((one) => (one === shown ? { ...one, step } : one));
  return applyProgress({ ...state, turns }, event);
}

type TurnStep = Extract<HostEvent, { kind: "progress" }>;

export const runningTurn = ({ turns }: TurnsState): ShownTurn | null =>
  turns.find(({ status }) => status === "running" || status === "waiting") ?? null;

export const queuedTurns = ({ turns }: TurnsState): readonly ShownTurn[] =>
  turns.filter(({ status }) => status === "queued");

/** The window's own words for a turn of its own, which may not have come yet: the row has them masked. */
export function noteSent(state: TurnsState, { id }: Turn, text: string): TurnsState {
  const turns = state.turns.map((one) => (one.id === id ? { ...one, text } : one));
  return { ...state, turns, sent: new Map([...state.sent, [id, text]]) };
}

export const noteCancelling = (state: TurnsState, id: string): TurnsState => ({
  ...state,
  turns: state.turns.map((one) => (one.id === id ? { ...one, isCancelling: true } : one)),
});

function applyTurn(state: TurnsState, turn: Turn): TurnsStep {
  const known = state.turns.find(({ id }) => id === turn.id);
  if (state.over.includes(turn.id)) return still(state);
  // It was recalled as it runs, and what was told of it before that is still to come.
  if (turn.status === "queued" && (known?.status ?? "queued") !== "queued") return still(state);
  if (turn.endedAt !== null)
    return known === undefined ? still(state) : endTurn(state, turn, known);
  const shown: ShownTurn = {
    id: turn.id,
    number: turn.number,
    status: turn.status,
    text: state.sent.get(turn.id) ?? turn.prompt,
    isCancelling: known?.isCancelling ?? false,
    step: known?.step ?? 0,
  };
  const turns =
    known === undefined
      ? [...state.turns, shown]
      : state.turns.map((one) => (one.id === turn.id ? shown : one));
  const isStarting = turn.status !== "queued" && (known?.status ?? "queued") === "queued";
  const next = { ...state, turns, agent: turn.agent ?? state.agent, model: turn.model };
  return {
    state: turn.status === "queued" ? { ...state, turns } : next,
    lines: isStarting ? showPrompt(shown.text) : [],
  };
}

function endTurn(state: TurnsState, turn: Turn, known: ShownTurn): TurnsStep {
  const turns = state.turns.filter(({ id }) => id !== turn.id);
  const sent = new Map([...state.sent].filter(([id]) => id !== turn.id));
  const rest = { ...state, turns, sent, over: [...state.over, turn.id].slice(-MAX_OVER) };
  if (known.status === "queued")
    return {
      state: rest,
      lines: turn.status === "cancelled" ? describeEnd(turn, known) : tellTurn(turn, known.text),
    };
  const { state: flushed, lines } = endLine(rest);
  const open = flushed.calls.map((call) => showCall({ call, result: null }));
  const next = { ...flushed, calls: [] };
  return { state: next, lines: [...lines, ...open, ...describeEnd(turn, known)] };
}

/** What a window did not see happen. */
const tellTurn = (turn: Turn, prompt: string): StyledLine[] => [
  ...showPrompt(prompt),
  ...styledLines("plain", turn.answer ?? ""),
  ...describeEnd(turn, { text: prompt, status: "running" }),
];

function describeEnd(
  { status, number, problem }: Turn,
  { text, status: before }: Pick<ShownTurn, "text" | "status">,
) {
  if (status === "done") return [];
  if (status === "cancelled" && before === "queued")
    return [styled("dim", `– no longer queued: ${text.split("\n")[0] ?? ""}`)];
  if (status === "cancelled") return [styled("dim", `– turn ${number} was cancelled`)];
  return [styled("error", `✗ turn ${number} failed: ${problem?.message ?? "nobody knows why"}`)];
}

function applyProgress(state: TurnsState, event: LogEvent): TurnsStep {
  switch (event.kind) {
    case "delta":
      return event.channel === "answer" && event.parent === null
        ? grow(state, event.text)
        : still(state);
    case "message": {
      if (event.role !== "assistant" || event.parent !== null) return still(state);
      return event.isStreamed ? endLine(state) : endLine(grow(state, event.content));
    }
    case "tool_call": {
      const { state: flushed, lines } = endLine(state);
      return { state: { ...flushed, calls: [...flushed.calls, event] }, lines };
    }
    case "tool_result":
      return endCall(state, event);
    case "retry":
      return { state, lines: [styled("dim", `· tries again: ${event.message}`)] };
    default:
      return still(state);
  }
}

/** Lines that have ended belong to the transcript; the last one still grows. */
function grow(state: TurnsState, text: string): TurnsStep {
  const lines = (state.growing + text).split("\n");
  const growing = lines.pop() ?? "";
  return { state: { ...state, growing }, lines: lines.map((line) => styled("plain", line)) };
}

function endLine(from: TurnsState | TurnsStep): TurnsStep {
  const { state, lines } = "state" in from ? from : still(from);
  if (state.growing === "") return { state, lines };
  const last = styledLines("plain", state.growing);
  return { state: { ...state, growing: "" }, lines: [...lines, ...last] };
}

function endCall(state: TurnsState, result: ToolResultEvent): TurnsStep {
  const call = state.calls.find(({ id }) => id === result.id);
  if (call === undefined) return still(state);
  const ended = { call, result };
  const calls = state.calls.filter((one) => one !== call);
  return { state: { ...state, calls, lastCall: ended }, lines: [showCall(ended)] };
}

function addUsage(state: TurnsState, { type, data }: StoredEvent): TurnsState {
  if (type !== "TurnEnded") return state;
  return {
    ...state,
    tokens: add(state.tokens, data.tokens),
    costUsd: add(state.costUsd, data.costUsd),
  };
}

const add = (sum: number | null, more: unknown): number | null =>
  typeof more === "number" ? (sum ?? 0) + more : sum;

/** Turns of a session that is gone on with: those that ended are told, the others are waited for. */
export function recallTurns(state: TurnsState, turns: readonly Turn[]): TurnsStep {
  const ended = turns.filter(({ endedAt }) => endedAt !== null);
  const lines = ended.flatMap((turn) => tellTurn(turn, state.sent.get(turn.id) ?? turn.prompt));
  const changed = { ...state, over: ended.map(({ id }) => id).slice(-MAX_OVER) };
  const unfinished = turns.filter(({ endedAt }) => endedAt === null);
  return unfinished.reduce<TurnsStep>(
    (step, turn) => {
      const next = applyTurn(step.state, turn);
      return { state: next.state, lines: [...step.lines, ...next.lines] };
    },
    { state: changed, lines },
  );
}
