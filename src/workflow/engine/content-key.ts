// What an effect asks for, as one hash: equal where the result of one is a result of the other. Labels, phases and where it
// stands do not count.

import type { JsonValue } from "../../core/command/context.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { writeSorted } from "../../core/project/json-value.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { RunRecord } from "../journal/journal.ts";
import type { AgentEffect, Effect } from "./effect.ts";

/** An effect with nothing left to defaults. */
export interface ResolvedEffect {
  readonly effect: Effect;
  /** Null where no agent does it. */
  readonly agent: string | null;
  readonly model: string | null;
  /** Hash of what is asked. */
  readonly content: string;
}

/** The defaults are those of the run's record: a setting that changed meanwhile does not make it another call. */
export function resolveEffect(
  run: Pick<RunRecord, "agent" | "model">,
  effect: Effect,
): ResolvedEffect {
  if (effect.kind !== "agent")
    return { effect, agent: null, model: null, content: hashOf({ ...effect }) };
  const agent = effect.agent ?? run.agent;
  // The run's model is one of the run's agent.
  const model = effect.model ?? (agent === run.agent ? run.model : null);
  return { effect, agent, model, content: hashOf(contentOf(effect, agent, model)) };
}

function contentOf(
  effect: AgentEffect,
  agent: string | null,
  model: string | null,
): Readonly<Record<string, JsonValue>> {
  const { kind, prompt, schema, effort, isolation, agentType } = effect;
  return { kind, prompt, schema, effort, isolation, agentType, agent, model };
}

const hashOf = (content: Readonly<Record<string, JsonValue>>): string =>
  sha256(writeSorted(content)).slice(0, 32);

const MAX_LABEL = 60;

/** What a person reads in lists. */
export function labelEffect(effect: Effect): string {
  if (effect.kind === "agent") return shorten(effect.label ?? effect.prompt);
  if (effect.kind === "command") return shorten(effect.name);
  if (effect.kind === "ask") return shorten(effect.question);
  if (effect.kind === "file") return shorten(effect.path);
  return effect.kind;
}

function shorten(text: string): string {
  const line = maskSecrets(text).trim().replaceAll(/\s+/g, " ");
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1)}…` : line;
}

/** What was asked, for a person to read; a sleep is asked for until a moment. */
export function describeAsked(effect: Effect, now: number): JsonValue {
  switch (effect.kind) {
    case "agent": {
      const { schema, effort, isolation, agentType, conversation } = effect;
      const prompt = maskSecrets(effect.prompt);
      return { prompt, schema, effort, isolation, agentType, conversation };
    }
    case "command":
      return { name: maskSecrets(effect.name), args: maskAll(effect.args) };
    case "ask":
      return { question: maskSecrets(effect.question), choices: effect.choices };
    case "file":
      return { path: maskSecrets(effect.path) };
    case "sleep":
      return { ms: effect.ms, until: new Date(now + effect.ms).toISOString() };
    default:
      return {};
  }
}

function maskAll(value: JsonValue): JsonValue {
  if (typeof value === "string") return maskSecrets(value);
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskAll(part)]));
}
