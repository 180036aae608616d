import * as z from "zod/mini";
import type { CommandContext } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { listCommands } from "../command/registry.ts";
import { type CommandResult, ok } from "../command/result.ts";
import { text } from "./argument-shapes.ts";
import { defineBundled, type Program } from "./program.ts";
import { screenWidth, WIDTH_VARIABLE } from "./screen-width.ts";

export default defineBundled({
  name: "help",
  description: "Show what there is, or how one command is used",
  category: "commands",
  safety: "read_only",
  env: [WIDTH_VARIABLE],
  examples: ["adj help", "adj help model"],
  args: z.strictObject({
    name: text("a command", { positional: 0, command: true }),
  }),
  run: async ({ name }, context, program) =>
    name === undefined ? showOverview(context, program) : explain(name, context, program),
});

async function showOverview(context: CommandContext, program: Program): Promise<CommandResult> {
  const { formatOverview } = await import("./help/overview.ts");
  const summaries = listCommands(await program.layers()).flatMap((one) =>
    one.kind === "found" ? [one.entry.summary] : [],
  );
  const commands = summaries.map(({ name, description, category }) => ({
    name,
    description,
    category,
  }));
  return ok(formatOverview(commands, program.version, screenWidth(context)), {
    version: program.version,
    commands,
  });
}

async function explain(
  name: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  // The one word that is no command: it says that a command's name follows.
  if (name === "run") return ok("usage: adj run NAME [words…]\n\nalways means the command NAME");
  const found = await program.resolve(name);
  if (found.kind === "found") {
    const { formatUsage, formatUsageLine } = await import("../command/usage-text.ts");
    const { entry, at } = found;
    const text = formatUsage(entry.summary, at, screenWidth(context));
    return ok(text, { usage: formatUsageLine(entry.summary), at, summary: entry.summary });
  }
  if (found.kind === "broken") {
    const problem = found.passedOver[0]?.fault.message ?? "it is broken";
    throw fault("CommandBroken", { name, problem });
  }
  throw fault("CommandUnknown", found, { hint: "list all with `adj commands`" });
}
