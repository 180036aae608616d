import * as z from "zod/mini";
import { defineBundled, flagArgument } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "mcp",
  description: "Offer the commands of this project and its user as tools of an MCP server",
  category: "session",
  effect: "read",
  inheritEnv: true,
  graceMs: 2_000,
  argumentHint: "",
  examples: ["adj mcp", "adj install codex --mcp"],
  args: z.strictObject({
    all: flagArgument("the program's own commands too"),
  }),
  run: async (args, context, program) =>
    (await import("../mcp/serve-stdio.ts")).serveMcp(args, context, program),
});
