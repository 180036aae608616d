import * as z from "zod/mini";
import { texts } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "explain",
  description: "Say what a Markdown command would run, and why",
  category: "commands",
  safety: "read_only",
  argumentHint: "<name> [its words and flags…]",
  examples: ["adj explain review", "adj explain review --focus security --json"],
  // What an agent is given of it is picked per agent; see `pickEnvironment`.
  inheritEnv: true,
  args: z.strictObject({
    name: z
      .string()
      .check(z.meta({ positional: 0, plain: true, command: true, description: "the command" })),
    words: texts("as it would be called", { positional: "rest", verbatim: true }),
  }),
  run: async ({ name, words }, context, program) => {
    const { explainCommand } = await import("./explain/explain-command.ts");
    return explainCommand(name, words, { context, program });
  },
});
