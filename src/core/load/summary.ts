// From a definition to its summary, and to a command that can run. Loads nothing else.
import type {
  ArgumentsSchema,
  Command,
  CommandDefinition,
  CommandFields,
  CommandSummary,
} from "../command/definition.ts";
import { parseDuration } from "../command/time.ts";

/** What is true of a command that says nothing about it. */
export const SUMMARY_DEFAULTS: Omit<CommandSummary, "name" | "description"> = {
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
  person: false,
  agents: false,
  schema: null,
};

type SummaryFields = {
  readonly [Field in keyof CommandFields]: CommandFields[Field] | undefined;
} & {
  readonly description: string;
};

/** All that a definition says, and the defaults for the rest. Names and durations are taken as checked. */
export function summaryOf(
  fields: SummaryFields,
  name: string,
  schema: ArgumentsSchema | null,
): CommandSummary {
  return {
    name,
    description: fields.description,
    version: fields.version ?? SUMMARY_DEFAULTS.version,
    effect: fields.effect ?? SUMMARY_DEFAULTS.effect,
    safety: fields.safety ?? SUMMARY_DEFAULTS.safety,
    aliases: fields.aliases ?? SUMMARY_DEFAULTS.aliases,
    category: fields.category ?? null,
    argumentHint: fields.argumentHint ?? null,
    examples: fields.examples ?? SUMMARY_DEFAULTS.examples,
    timeoutMs: fields.timeout === undefined ? null : parseDuration(fields.timeout),
    env: fields.env ?? SUMMARY_DEFAULTS.env,
    inheritEnv: fields.inheritEnv ?? false,
    holdLeaseWhileAsking: fields.holdLeaseWhileAsking ?? false,
    critical: fields.critical ?? false,
    person: fields.person ?? false,
    agents: fields.agents ?? false,
    schema,
  };
}

/** What of a definition is code; everything else is in the summary. */
interface RunnableDefinition {
  readonly args?: CommandDefinition["args"] | undefined;
  readonly parseArgs?: CommandDefinition["parseArgs"] | undefined;
  readonly run: CommandDefinition["run"];
  readonly graceMs?: number | undefined;
}

/** A command whose summary is known already; describing its arguments would load zod. */
export function commandWith(definition: RunnableDefinition, summary: CommandSummary): Command {
  return {
    summary,
    ...(definition.graceMs === undefined ? {} : { graceMs: definition.graceMs }),
    args: definition.args ?? null,
    parseArgs: definition.parseArgs === undefined ? null : (line) => definition.parseArgs?.(line),
    // What `run` expects is known to its schema alone, which has been asked by then.
    run: (args, context) => definition.run(args as never, context),
  };
}
