// Which turn of the scenario answers a request. Pure: the state goes in and the next one comes out.
import type { Condition, Scenario, ScriptedFault, ScriptedTurn } from "./scenario.ts";
import { matchesText } from "./scenario-value.ts";
import { countAssistantTurns, type ModelRequest, readLatest, readOpening } from "./wire.ts";

/** One agent's conversation. The agent repeats all of it in every request, so its length is its place. */
export interface SimConversation {
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

export type TurnDecision =
  | { readonly kind: "turn"; readonly index: number; readonly turn: ScriptedTurn }
  | {
      readonly kind: "fault";
      readonly index: number;
      readonly fault: ScriptedFault;
      /** What is being said when the fault strikes in mid-stream. */
      readonly turn: ScriptedTurn | null;
    }
  | { readonly kind: "unscripted" };

interface DecidedTurn {
  readonly decision: TurnDecision;
  readonly conversation: SimConversation;
}

export function decideAnswer(
  scenario: Scenario,
  before: SimConversation | null,
  request: ModelRequest,
): DecidedTurn {
  const length = countAssistantTurns(request.messages);
  const current = continueConversation(before, request, length);
  const position = length - current.seeded;
  const conversation = { ...current, requests: current.requests + 1 };
  const first = findLastPlayed(conversation, position) + 1;
  for (let index = first; index < scenario.turns.length; index++) {
    const turn = scenario.turns[index];
    if (turn === undefined || !holds(turn.when, request, conversation.requests)) continue;
    const given = conversation.faultsGiven[index] ?? 0;
    if (turn.fault !== undefined && given < readTimes(turn.fault))
      return giveFault({ scenario, conversation, request, index, fault: turn.fault });
    if (!hasContent(turn)) continue;
    const played = { ...conversation.played, [position]: index };
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
  before: SimConversation | null,
  request: ModelRequest,
  length: number,
): SimConversation {
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

const hasMovedOn = ({ played }: SimConversation): boolean =>
  Object.keys(played).some((position) => Number(position) > 0);

/** Of the places before this one; qwen 0.24.4 keeps what it got of a broken answer as one of them. */
function findLastPlayed({ played }: SimConversation, position: number): number {
  for (let earlier = position - 1; earlier >= 0; earlier--) {
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
  readonly conversation: SimConversation;
  readonly request: ModelRequest;
  readonly index: number;
  readonly fault: ScriptedFault;
}

function giveFault({ scenario, conversation, request, index, fault }: FaultyTurn): DecidedTurn {
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

/** Conversations by who leads them. */
export type SimConversations = ReadonlyMap<string, SimConversation>;

export const speakerOf = (request: ModelRequest): string => request.agent ?? request.wire;

/** The instructions of a real conversation are longer even when no tools are offered. */
const SHORT_SYSTEM = 4_000;

/** What an agent asks on its own account (titles, routing, sub-agents), which must not use up a turn. */
export function isSideRequest(request: ModelRequest, current: SimConversation | null): boolean {
  if (request.agent === null) return false;
  if (request.tools.length > 0) return isSubAgent(request, current);
  return request.answerSchema !== null || request.system.length < SHORT_SYSTEM;
}

/** Another agent speaks while the first one waits for its tools. */
function isSubAgent(request: ModelRequest, current: SimConversation | null): boolean {
  // Claude Code 2.1.325 says so; its sub-agents also work on after the first one is done.
  if (request.system.includes("cc_is_subagent=true")) return true;
  if (current === null || !current.awaitsTools) return false;
  return request.system !== current.system && readOpening(request) !== current.opening;
}
