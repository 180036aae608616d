import { describeArguments } from "../command/arguments-schema.ts";
import type { Command } from "../command/command.ts";
import type { CommandDefinition } from "../command/definition.ts";
import { commandWith } from "./command-with.ts";
import { summaryOf } from "./summary.ts";

/** A command of a definition that needs no check, because our own code wrote it. */
export function commandOf(definition: CommandDefinition, name: string): Command {
  const schema = definition.args === undefined ? null : describeArguments(definition.args);
  return commandWith(definition, summaryOf(definition, name, schema));
}
