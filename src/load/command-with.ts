import type { Command, CommandSummary } from "../command/command.ts";
import type { CommandDefinition } from "../command/definition.ts";

/** What of a definition is code; everything else is in the summary. */
interface Runnable {
  readonly args?: CommandDefinition["args"] | undefined;
  readonly parseArgs?: CommandDefinition["parseArgs"] | undefined;
  readonly run: CommandDefinition["run"];
  readonly graceMs?: number | undefined;
}

/** A command whose summary is known already; describing its arguments would load zod. */
export function commandWith(definition: Runnable, summary: CommandSummary): Command {
  return {
    summary,
    ...(definition.graceMs === undefined ? {} : { graceMs: definition.graceMs }),
    args: definition.args ?? null,
    parseArgs: definition.parseArgs === undefined ? null : (line) => definition.parseArgs?.(line),
    // What `run` expects is known to its schema alone, which has been asked by then.
    run: (args, context) => definition.run(args as never, context),
  };
}
