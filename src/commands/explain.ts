import * as z from "zod/mini";
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
    words: z._default(
      z
        .array(z.string())
        .check(
          z.meta({ positional: "rest", verbatim: true, description: "as it would be called" }),
        ),
      [],
    ),
  }),
  run: async ({ name, words }, context, program) => {
    const { explainCommand } = await import("./explain/explain-command.ts");
    return explainCommand(name, words, { context, program });
  },
});
