// What is known of the bundled commands without loading them. The build replaces this module by its result.
import type { CommandSummary } from "../command/command.ts";
import { loadAllBundled } from "../commands/roster.ts";
import { commandOf } from "../load/command-of.ts";

const nobody = () => {
  throw new TypeError("a summary needs no program");
};

export async function summarizeBundled(): Promise<readonly CommandSummary[]> {
  const commands = await loadAllBundled();
  return commands.map((make) => {
    const definition = make(nobody);
    return commandOf(definition, definition.name).summary;
  });
}
