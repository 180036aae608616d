import { buildAnswer, buildUnscriptedAnswer } from "./build-answer.ts";
import { type Conversation, type Decision, decideAnswer } from "./decide-answer.ts";
import type { ModelRequest } from "./model-request.ts";
import { answerReply, errorReply, type GenerateEndpoint, type Reply, spoilReply } from "./reply.ts";
import type { Scenario, ScriptedTurn } from "./scenario.ts";
import { describeFault } from "./scripted-fault.ts";

/** Conversations by who leads them. */
export type Conversations = ReadonlyMap<string, Conversation>;

export const speakerOf = (request: ModelRequest): string => request.agent ?? request.wire;

export interface TurnRequest {
  readonly scenario: Scenario;
  readonly conversations: Conversations;
  readonly endpoint: GenerateEndpoint;
  readonly request: ModelRequest;
  readonly number: number;
}

export interface PlayedTurn {
  readonly reply: Reply;
  /** For people: `turn 2`. */
  readonly answered: string;
  readonly problem: string | null;
  readonly conversations: Conversations;
}

/** Answers a request for the next turn as the scenario says. */
export function playTurn(asked: TurnRequest): PlayedTurn {
  const { scenario, conversations, request } = asked;
  const key = speakerOf(request);
  const decided = decideAnswer(scenario, conversations.get(key) ?? null, request);
  return {
    conversations: new Map(conversations).set(key, decided.conversation),
    ...carryOut(asked, decided.decision),
  };
}

function carryOut(asked: TurnRequest, decision: Decision): Omit<PlayedTurn, "conversations"> {
  const { endpoint, request, number } = asked;
  if (decision.kind === "unscripted") {
    const reply = answerReply(endpoint, request, buildUnscriptedAnswer({ number, request }));
    return { reply, answered: "nothing scripted", problem: "the scenario has no turn for it" };
  }
  const turnNumber = decision.index + 1;
  const { reply, problem } = replyWithTurn(asked, decision.turn ?? { text: "Scripted text" });
  if (decision.kind === "turn") return { reply, answered: `turn ${turnNumber}`, problem };
  const { fault } = decision;
  return {
    reply:
      fault.status === undefined
        ? spoilReply(reply, fault)
        : errorReply(endpoint.wire, fault, fault.status),
    answered: `fault ${describeFault(fault)} of turn ${turnNumber}`,
    problem: null,
  };
}

function replyWithTurn(
  { scenario, endpoint, request, number }: TurnRequest,
  turn: ScriptedTurn,
): { reply: Reply; problem: string | null } {
  const { answer, missingTools } = buildAnswer({ number, request }, turn, scenario.usage);
  return {
    reply: { ...answerReply(endpoint, request, answer), delayMs: turn.delay ?? 0 },
    problem:
      missingTools.length === 0
        ? null
        : `the agent offers no tool for ${missingTools.map((tool) => `\`${tool}\``).join(", ")}`,
  };
}
