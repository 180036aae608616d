// What is known of the bundled commands without loading them. The build replaces this module by its result.
import type { Command, CommandDefinition, CommandSummary } from "./core/command/definition.ts";
import { describeArguments } from "./core/command/describe-arguments.ts";
import { commandWith, summaryOf } from "./core/load/summary.ts";
import { loadAllBundled } from "./features.ts";

const refuseProgram = () => {
  throw new TypeError("a summary needs no program");
};

export async function summarizeBundled(): Promise<readonly CommandSummary[]> {
  const commands = await loadAllBundled();
  return commands.map((make) => {
    const { textParts = [], ...definition } = make(refuseProgram);
    const { summary } = commandOf(definition, definition.name);
    return textParts === null ? summary : { ...summary, textParts };
  });
}

/** A command of a definition that needs no check, because our own code wrote it. */
export function commandOf(definition: CommandDefinition, name: string): Command {
  const schema = definition.args === undefined ? null : describeArguments(definition.args);
  return commandWith(definition, summaryOf(definition, name, schema));
}
