import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import type { CommandResult } from "../../command/result.ts";
import { joinWords } from "../../command/words.ts";
import { parseSpoken } from "../../dispatch/spoken-command.ts";
import type { Program } from "../program.ts";

interface Place {
  readonly context: CommandContext;
  readonly program: Program;
}

/** The words are parsed as a call of the command would parse them. */
export async function explainCommand(
  name: string,
  words: readonly string[],
  { context, program }: Place,
): Promise<CommandResult> {
  const found = await program.resolve(name);
  if (found.kind === "broken")
    throw fault("CommandBroken", {
      name,
      problem: found.passedOver[0]?.fault.message ?? "it is broken",
    });
  if (found.kind === "unknown")
    throw fault("CommandUnknown", found, { hint: "list all with `adj commands`" });
  const command = await program.load(found.entry, found.at);
  if (command.explain === undefined)
    throw fault(
      "ArgumentsInvalid",
      { command: "explain", problem: `\`${name}\` is no Markdown command, it runs as it stands` },
      { hint: `see \`adj help ${name}\`` },
    );
  const spoken = { name, given: words, line: joinWords([name, ...words]) };
  return command.explain(await parseSpoken(command, spoken), context);
}
