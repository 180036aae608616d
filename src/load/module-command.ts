import type { Command, CommandSummary } from "../command/command.ts";
import { fault } from "../command/fault.ts";
import type { CommandFile } from "./command-file.ts";
import { commandWith } from "./command-with.ts";
import { showFile } from "./layer-source.ts";
import { importDefault } from "./typescript.ts";

/** A command whose file is a module. */
export async function loadModule(
  file: CommandFile,
  known: CommandSummary | null,
): Promise<Command> {
  const exported = await importDefault(file);
  const shown = showFile(file.source, file.path);
  if (known === null) {
    const { checkDefinition } = await import("./definition-check.ts");
    return checkDefinition(exported, { name: file.name, file: shown });
  }
  if (!isRunnable(exported))
    throw fault(
      "FileInvalid",
      { problem: "it exports something else than when it was indexed" },
      { where: { file: shown }, hint: "a command's definition must not depend on the moment" },
    );
  return commandWith(exported, known);
}

const isRunnable = (value: unknown): value is Parameters<typeof commandWith>[0] =>
  typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
