// What a call says to its agent: the prompt, and beside it what the agent has a place of its own for.
import { listPlaces } from "../../agents/choice/params.ts";
import { describeContract } from "../../agents/log/answer-contract.ts";
import { toStrictSchema } from "../../agents/log/strict-schema.ts";
import type { AgentAdapter } from "../../agents/run/adapter.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { JsonSchema } from "../definition/workflow.ts";
import type { AgentEffect } from "../engine/effect.ts";

export interface CallWords {
  readonly prompt: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** A script reads what comes back; nobody else does. */
const FRAME =
  "You were called by a script: nobody reads along and nobody answers questions. Your last message is what the script gets, so let it be what was asked for, whole and literal, without greeting, offer or summary of what you did.";

/** Pure. `typeWords` are those of the agent type. */
export function chooseWords(
  adapter: AgentAdapter,
  { prompt, schema, effort, stage }: Pick<AgentEffect, "prompt" | "schema" | "effort" | "stage">,
  typeWords: string,
): CallWords {
  const places = new Set(listPlaces(adapter, null));
  const beside = [typeWords, stage === null ? FRAME : ""].filter(Boolean).join("\n\n");
  const isBeside = places.has("append_system_prompt");
  const own = schema === null ? null : ownSchema(adapter, schema, places);
  const contract = schema === null || own !== null ? "" : describeContract(schema);
  const params: Record<string, JsonValue> = {
    ...(beside !== "" && isBeside ? { append_system_prompt: beside } : {}),
    // What the agent has no place for is left out when the turn starts, and that is said.
    ...(effort === null ? {} : { effort }),
    ...(own === null ? {} : { output_schema: own }),
  };
  const parts = [isBeside ? "" : beside, prompt, contract];
  return { prompt: parts.filter(Boolean).join("\n\n"), params };
}

/** The schema for the agent's own flag; null where it has none, or none that could say this. */
function ownSchema(
  adapter: AgentAdapter,
  schema: JsonSchema,
  places: ReadonlySet<string>,
): JsonSchema | null {
  if (!places.has("output_schema")) return null;
  return adapter.capabilities(null).strictSchemas === true ? toStrictSchema(schema) : schema;
}

/** To an agent whose process died with its owner. What it forgot it is told, too. */
export const goOnPrompt = (prompt: string): string =>
  `You were interrupted in the middle of this. Go on where you were interrupted; what is done is done.\n\n${prompt}`;

export const againPrompt = (problem: string, schema: JsonSchema): string =>
  `That does not do: ${problem}. Answer again. ${describeContract(schema)}`;
