// Which turn of the scenario answers a request. Pure: the state goes in and the next one comes out.
import {
  countAssistantTurns,
  type ModelRequest,
  readLatest,
  readOpening,
} from "./model-request.ts";
import type { Condition, Scenario, ScriptedTurn } from "./scenario.ts";
import type { ScriptedFault } from "./scripted-fault.ts";
import { matchesText } from "./text-matcher.ts";

/** One agent's conversation. The agent repeats all of it in every request, so its length is its place. */
export interface Conversation {
  /** Answers that were there before this server said anything: a resumed or a seeded session. */
  readonly seeded: number;
  /** By place in the conversation, the turn that answered there; a broken answer may leave a gap. */
  readonly played: Readonly<Record<number, number>>;
  /** How often each turn's fault was given. */
  readonly faultsGiven: Readonly<Record<number, number>>;
  readonly requests: number;
  readonly system: string;
  readonly opening: string;
  /** The last answer called tools. */
  readonly awaitsTools: boolean;
}

export type Decision =
  | { readonly kind: "turn"; readonly index: number; readonly turn: ScriptedTurn }
  | {
      readonly kind: "fault";
      readonly index: number;
      readonly fault: ScriptedFault;
      /** What is being said when the fault strikes in mid-stream. */
      readonly turn: ScriptedTurn | null;
    }
  | { readonly kind: "unscripted" };

export interface Decided {
  readonly decision: Decision;
  readonly conversation: Conversation;
}

export function decideAnswer(
  scenario: Scenario,
  before: Conversation | null,
  request: ModelRequest,
): Decided {
  const length = countAssistantTurns(request.messages);
  const current = continueConversation(before, request, length);
  const place = length - current.seeded;
  const conversation = { ...current, requests: current.requests + 1 };
  const first = findLastPlayed(conversation, place) + 1;
  for (let index = first; index < scenario.turns.length; index++) {
    const turn = scenario.turns[index];
    if (turn === undefined || !holds(turn.when, request, conversation.requests)) continue;
    const given = conversation.faultsGiven[index] ?? 0;
    if (turn.fault !== undefined && given < readTimes(turn.fault))
      return giveFault({ scenario, conversation, request, index, fault: turn.fault });
    if (!hasContent(turn)) continue;
    const played = { ...conversation.played, [place]: index };
    const awaitsTools = turn.tool_calls !== undefined;
    return {
      decision: { kind: "turn", index, turn },
      conversation: { ...conversation, played, awaitsTools },
    };
  }
  return { decision: { kind: "unscripted" }, conversation };
}

/** Back at the beginning after it had moved on, or with another opening: that is a new one. */
function continueConversation(
  before: Conversation | null,
  request: ModelRequest,
  length: number,
): Conversation {
  const opening = readOpening(request);
  const isContinued =
    before !== null &&
    (length > before.seeded ||
      (length === before.seeded && before.opening === opening && !hasMovedOn(before)));
  if (isContinued) return before;
  return {
    seeded: length,
    played: {},
    faultsGiven: {},
    requests: 0,
    system: request.system,
    opening,
    awaitsTools: false,
  };
}

const hasMovedOn = ({ played }: Conversation): boolean =>
  Object.keys(played).some((place) => Number(place) > 0);

/** Of the places before this one; qwen 0.24.4 keeps what it got of a broken answer as one of them. */
function findLastPlayed({ played }: Conversation, place: number): number {
  for (let earlier = place - 1; earlier >= 0; earlier--) {
    const index = played[earlier];
    if (index !== undefined) return index;
  }
  return -1;
}

const readTimes = (fault: ScriptedFault): number =>
  fault.times === "forever" ? Number.POSITIVE_INFINITY : (fault.times ?? 1);

const hasContent = (turn: ScriptedTurn): boolean =>
  turn.text !== undefined || turn.tool_calls !== undefined;

interface FaultyTurn {
  readonly scenario: Scenario;
  readonly conversation: Conversation;
  readonly request: ModelRequest;
  readonly index: number;
  readonly fault: ScriptedFault;
}

function giveFault({ scenario, conversation, request, index, fault }: FaultyTurn): Decided {
  const turn = scenario.turns
    .slice(index)
    .find((later) => hasContent(later) && holds(later.when, request, conversation.requests));
  const given = (conversation.faultsGiven[index] ?? 0) + 1;
  return {
    decision: { kind: "fault", index, fault, turn: turn ?? null },
    conversation: {
      ...conversation,
      faultsGiven: { ...conversation.faultsGiven, [index]: given },
    },
  };
}

function holds(when: Condition | undefined, request: ModelRequest, number: number): boolean {
  if (when === undefined) return true;
  const latest = readLatest(request);
  if (when.user !== undefined && !matchesText(when.user, latest.user)) return false;
  if (when.tool_result !== undefined && !matchesText(when.tool_result, latest.toolResults))
    return false;
  if (when.request !== undefined && when.request !== number) return false;
  const agents = when.agent === undefined ? null : [when.agent].flat();
  return agents === null || (request.agent !== null && agents.includes(request.agent));
}
