import type { ArgumentsSchema } from "../command/arguments-schema.ts";
import type { CommandSummary } from "../command/command.ts";
import type { CommandFields } from "../command/definition.ts";
import { parseDuration } from "../command/duration.ts";

/** What is true of a command that says nothing about it. */
export const UNSAID: Omit<CommandSummary, "name" | "description"> = {
  version: "0.0.0",
  effect: "read",
  safety: "mutating",
  aliases: [],
  category: null,
  argumentHint: null,
  examples: [],
  timeoutMs: null,
  env: [],
  inheritEnv: false,
  holdLeaseWhileAsking: false,
  critical: false,
  schema: null,
};

type Said = { readonly [Field in keyof CommandFields]: CommandFields[Field] | undefined } & {
  readonly description: string;
};

/** All that a definition says, and the defaults for the rest. Names and durations are taken as checked. */
export function summaryOf(
  fields: Said,
  name: string,
  schema: ArgumentsSchema | null,
): CommandSummary {
  return {
    name,
    description: fields.description,
    version: fields.version ?? UNSAID.version,
    effect: fields.effect ?? UNSAID.effect,
    safety: fields.safety ?? UNSAID.safety,
    aliases: fields.aliases ?? UNSAID.aliases,
    category: fields.category ?? null,
    argumentHint: fields.argumentHint ?? null,
    examples: fields.examples ?? UNSAID.examples,
    timeoutMs: fields.timeout === undefined ? null : parseDuration(fields.timeout),
    env: fields.env ?? UNSAID.env,
    inheritEnv: fields.inheritEnv ?? false,
    holdLeaseWhileAsking: fields.holdLeaseWhileAsking ?? false,
    critical: fields.critical ?? false,
    schema,
  };
}
