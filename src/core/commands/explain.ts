import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import { joinWords } from "../command/words.ts";
import { parseGivenArguments } from "../dispatch/invocation.ts";
import { defineBundled, requireCommand, textsArgument } from "./bundled.ts";

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
    words: textsArgument("as it would be called", { positional: "rest", verbatim: true }),
  }),
  run: async ({ name, words }, context, program) => {
    const { entry, at } = await requireCommand(name, program);
    const command = await program.load(entry, at);
    if (command.explain === undefined)
      throw fault(
        "ArgumentsInvalid",
        { command: "explain", problem: `\`${name}\` is no Markdown command, it runs as it stands` },
        { hint: `see \`adj help ${name}\`` },
      );
    // The words are parsed as a call of the command would parse them.
    const invocation = { name, given: words, line: joinWords([name, ...words]) };
    return command.explain(await parseGivenArguments(command, invocation), context);
  },
});
