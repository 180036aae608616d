// Everything that happens is an action; what comes of it is the next state, finished lines of the transcript, and things
// to do. Nothing here waits, draws or asks.
import type { HostEvent } from "../../host/session-host.ts";
import {
  type ConsoleAction,
  type ConsoleState,
  type ConsoleStep,
  changeLine,
  stepTo,
} from "./console-state.ts";
import { insertText } from "./editor.ts";
import { pressKey } from "./press-key.ts";
import { addQuestion, applyQuestion, dropQuestion } from "./question-state.ts";
import { styled } from "./styled-line.ts";
import { showCommand } from "./transcript-lines.ts";
import { applyTurnEvent, noteSent, recallTurns } from "./turn-state.ts";

export function reduceConsole(state: ConsoleState, action: ConsoleAction): ConsoleStep {
  switch (action.kind) {
    case "host":
      return applyHost(state, action.event);
    case "recalled": {
      const { state: turns, lines } = recallTurns(state.turns, action.turns);
      return stepTo({ ...state, turns }, lines);
    }
    case "sent":
      return stepTo({ ...state, turns: noteSent(state.turns, action.turn, action.text) });
    case "key":
      return pressKey(state, action.key);
    case "paste":
      return changeLine(state, insertText(state.editor, action.text));
    case "resized":
      return stepTo({ ...state, size: action.size });
    case "status":
      return stepTo({ ...state, status: action.status });
    case "sources":
      return stepTo({ ...state, sources: { ...state.sources, ...action.sources } });
    case "command-ended": {
      const at = state.running.indexOf(action.command.line);
      const running = state.running.filter((_, index) => index !== at);
      return stepTo({ ...state, running }, showCommand(action.command));
    }
    case "asked":
      return stepTo({ ...state, questions: addQuestion(state.questions, action.question) });
    case "unasked":
      return stepTo(settleFocus({ ...state, questions: dropQuestion(state.questions, action.id) }));
    case "problem":
      return stepTo(state, [styled("error", `✗ ${action.text}`)]);
  }
}

const REFRESHING: ReadonlySet<string> = new Set([
  "ProviderChanged",
  "ModelChanged",
  "ModeChanged",
  "WorkflowAttached",
  "WorkflowDetached",
  "StageEntered",
  "StageLeft",
  "CommandsReloaded",
]);

function applyHost(state: ConsoleState, event: HostEvent): ConsoleStep {
  if (event.kind === "question") {
    const { state: questions, lines } = applyQuestion(state.questions, event.question);
    return stepTo(settleFocus({ ...state, questions }), lines);
  }
  const { state: turns, lines } = applyTurnEvent(state.turns, event);
  const opened = turns.lastCall === state.turns.lastCall ? state.opened : 0;
  const isRefreshing = event.kind === "event" && REFRESHING.has(event.event.type);
  const next = settleFocus({ ...state, turns, opened });
  return stepTo(next, lines, isRefreshing ? [{ kind: "refresh" }] : []);
}

/** A reason is no longer typed for a question that is over, and nothing is asked about turns that have ended. */
function settleFocus(state: ConsoleState): ConsoleState {
  const isOver =
    (state.focus === "words" && state.questions.open.length === 0) ||
    (state.focus === "leaving" && state.turns.turns.length === 0);
  return isOver ? { ...state, focus: "line" } : state;
}
