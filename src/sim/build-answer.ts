import type { AnswerToolCall, ModelAnswer, Usage } from "./model-answer.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ScriptedTurn, ScriptedUsage } from "./scenario.ts";
import { readToolCall } from "./scripted-tool-call.ts";
import { mapToolCall } from "./tool-mapping.ts";
import { fillSchema } from "./value-schema.ts";

// Each figure is unlike the others, so that a log shows which one landed where.
const DEFAULT_USAGE = {
  input_tokens: 1111,
  output_tokens: 222,
  cache_read_tokens: 333,
  cache_write_tokens: 44,
  reasoning_tokens: 55,
};

const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export interface AnswerSeed {
  /** The number of the request; it makes ids unique and repeatable. */
  readonly number: number;
  readonly request: ModelRequest;
}

export interface BuiltAnswer {
  readonly answer: ModelAnswer;
  /** Scripted calls for which the agent offers no tool. */
  readonly missingTools: readonly string[];
}

export function buildAnswer(
  seed: AnswerSeed,
  turn: ScriptedTurn,
  defaults: ScriptedUsage | undefined,
): BuiltAnswer {
  const calls: AnswerToolCall[] = [];
  const missingTools: string[] = [];
  for (const [index, call] of (turn.tool_calls ?? []).entries()) {
    const mapped = mapToolCall(readToolCall(call), seed.request);
    if (mapped === null) missingTools.push(call.tool ?? "exact");
    else calls.push({ id: `call_sim_${seed.number}_${index + 1}`, ...mapped });
  }
  const isEmpty = turn.text === undefined && calls.length === 0;
  const answer = {
    ...identify(seed),
    thinking: turn.thinking ?? null,
    text: isEmpty ? "[sim] the agent offers no tool for this turn" : (turn.text ?? null),
    toolCalls: calls,
    usage: readUsage([turn.usage, defaults]),
  };
  return { answer, missingTools };
}

/** For what agents ask on their own account: titles, memories, classifications. It costs nothing. */
export function buildSideAnswer(seed: AnswerSeed): ModelAnswer {
  const { answerSchema } = seed.request;
  return {
    ...identify(seed),
    thinking: null,
    text: answerSchema === null ? "Scripted session" : JSON.stringify(fillSchema(answerSchema)),
    toolCalls: [],
    usage: NO_USAGE,
  };
}

/** Ends the agent's run; the report tells that the scenario had nothing to say. */
export function buildUnscriptedAnswer(seed: AnswerSeed): ModelAnswer {
  return { ...buildSideAnswer(seed), text: "[sim] the scenario has no turn for this request" };
}

const identify = ({ number, request }: AnswerSeed) => ({
  id: `sim_${number}`,
  model: request.model ?? "sim-model",
});

type Figure = keyof typeof DEFAULT_USAGE;

/** A figure of the turn, else of the scenario, else the default. */
function readUsage(layers: readonly (ScriptedUsage | undefined)[]): Usage {
  const read = (name: Figure): number =>
    layers.find((layer) => layer?.[name] !== undefined)?.[name] ?? DEFAULT_USAGE[name];
  return {
    input: read("input_tokens"),
    output: read("output_tokens"),
    cacheRead: read("cache_read_tokens"),
    cacheWrite: read("cache_write_tokens"),
    reasoning: read("reasoning_tokens"),
  };
}
