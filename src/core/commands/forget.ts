import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import { PERSON_USES } from "../command/person.ts";
import { resolveCommand } from "../command/registry.ts";
import { ok } from "../command/result.ts";
import { defineBundled, type Program } from "./bundled.ts";

export default defineBundled({
  name: "forget",
  description: "Forget a remembered consent of this project",
  category: "consent",
  safety: "destructive",
  person: PERSON_USES.forget,
  examples: ["adj forget deploy"],
  args: z.strictObject({
    name: z
      .string()
      .check(
        z.meta({ positional: 0, command: true, description: "the command that is to ask again" }),
      ),
  }),
  run: async ({ name }, _, program) => {
    const command = await ownName(name, program);
    if (!program.sessions().forget(program.root, command)) throw notRemembered(command, program);
    return ok(`${command} asks again`, { command, root: program.root });
  },
});

/** A consent outlives its command, so a name that nobody answers to now can be forgotten too. */
async function ownName(name: string, program: Program): Promise<string> {
  const found = resolveCommand(await program.layers(), name);
  return found.kind === "found" ? found.entry.summary.name : name;
}

function notRemembered(name: string, program: Program) {
  const names = program
    .sessions()
    .listApproved()
    .filter(({ root }) => root === program.root)
    .map(({ command }) => `\`${command}\``);
  const hint = names.length === 0 ? "there is none here" : `remembered are ${names.join(", ")}`;
  const facts = { what: `\`${name}\``, problem: "no consent for it is remembered" };
  return fault("InputInvalid", facts, { hint });
}
