import { describeArguments } from "../command/arguments-schema.ts";
import type { Command, CommandSummary } from "../command/command.ts";
import type { CommandDefinition } from "../command/definition.ts";
import { summaryOf } from "./summary.ts";

/** A command of a definition that needs no check, because our own code wrote it. */
export function commandOf(definition: CommandDefinition, name: string): Command {
  const schema = definition.args === undefined ? null : describeArguments(definition.args);
  return commandWith(definition, summaryOf(definition, name, schema));
}

/** What of a definition is code; everything else is in the summary. */
interface Runnable {
  readonly args?: CommandDefinition["args"] | undefined;
  readonly parseArgs?: CommandDefinition["parseArgs"] | undefined;
  readonly run: CommandDefinition["run"];
}

/** The same where the summary is known already. */
export function commandWith(definition: Runnable, summary: CommandSummary): Command {
  return {
    summary,
    args: definition.args ?? null,
    parseArgs: definition.parseArgs === undefined ? null : (line) => definition.parseArgs?.(line),
    // What `run` expects is known to its schema alone, which has been asked by then.
    run: (args, context) => definition.run(args as never, context),
  };
}
