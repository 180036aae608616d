import type { $ZodType } from "zod/v4/core";
import type { CommandSummary } from "../command/command.ts";

type Checker = typeof import("../command/check-arguments.ts");

let checker: Promise<Checker> | null = null;

/** zod comes with the first command that has a schema: it costs too much to be there at every start. */
export async function checkBySchema(
  summary: CommandSummary,
  schema: $ZodType,
  raw: unknown,
): Promise<unknown> {
  checker ??= import("../command/check-arguments.ts");
  return (await checker).checkArguments(summary, schema, raw);
}
