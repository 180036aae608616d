import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { builtinNames, findBuiltin } from "../../hooks/builtins/find-builtin.ts";
import { STEPS } from "../../hooks/step.ts";
import { screenWidth } from "../screen-width.ts";

const COLUMNS = [
  { title: "BUILTIN" },
  { title: "WHAT IT DOES", least: 24 },
  { title: "STEPS", least: 16 },
] as const;

export function listBuiltins(context: CommandContext): CommandResult {
  const builtins = builtinNames().flatMap((name) => {
    const found = findBuiltin(name);
    return found === null ? [] : [{ name, description: found.description, steps: found.steps }];
  });
  const rows = builtins.map(({ name, description, steps }) => [
    name,
    description,
    steps.length === STEPS.length ? "every step" : steps.join(", "),
  ]);
  return ok(formatTable(COLUMNS, rows, screenWidth(context)).join("\n"), { builtins });
}
