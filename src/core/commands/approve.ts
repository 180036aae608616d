import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import { PERSON_USES } from "../command/person.ts";
import { ok } from "../command/result.ts";
import { defineBundled, requireCommand } from "./bundled.ts";

export default defineBundled({
  name: "approve",
  description: "Remember consent for a destructive command in this project",
  category: "consent",
  safety: "destructive",
  person: PERSON_USES.approve,
  examples: ["adj approve deploy"],
  args: z.strictObject({
    name: z.string().check(
      z.meta({
        positional: 0,
        command: true,
        description: "the command that need not ask again",
      }),
    ),
  }),
  run: async ({ name }, _, program) => {
    // Consent is kept under the command's own name, whichever alias was typed.
    const { entry } = await requireCommand(name, program);
    const { summary } = entry;
    if (summary.safety !== "destructive")
      throw refuse(summary.name, "it is not destructive and never asks");
    if (summary.person !== false) throw refuse(summary.name, "a person is asked for it every time");
    program.sessions().approve(program.root, summary.name);
    const text = `${summary.name} no longer asks in ${program.root}; take it back with \`adj forget ${summary.name}\``;
    return ok(text, { command: summary.name, root: program.root });
  },
});

const refuse = (name: string, problem: string) =>
  fault("InputInvalid", { what: `\`${name}\``, problem }, { hint: "there is nothing to approve" });
