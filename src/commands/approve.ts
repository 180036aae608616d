import * as z from "zod/mini";
import { fault } from "../command/fault.ts";
import { ok } from "../command/result.ts";
import { PERSON_ONLY } from "../dispatch/consent.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "approve",
  description: "Remember consent for a destructive command in this project",
  category: "consent",
  safety: "destructive",
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
    const found = await program.resolve(name);
    if (found.kind === "unknown")
      throw fault("CommandUnknown", found, { hint: "list all with `adj commands`" });
    if (found.kind === "broken") {
      const problem = found.passedOver[0]?.fault.message ?? "it is broken";
      throw fault("CommandBroken", { name, problem });
    }
    // Consent is kept under the command's own name, whichever alias was typed.
    const { summary } = found.entry;
    if (summary.safety !== "destructive")
      throw refuse(summary.name, "it is not destructive and never asks");
    if (found.at.layer === "bundled" && PERSON_ONLY.has(summary.name))
      throw refuse(summary.name, "a person is asked for it every time");
    program.sessions().approve(program.root, summary.name);
    const text = `${summary.name} no longer asks in ${program.root}; take it back with \`adj forget ${summary.name}\``;
    return ok(text, { command: summary.name, root: program.root });
  },
});

const refuse = (name: string, problem: string) =>
  fault("InputInvalid", { what: `\`${name}\``, problem }, { hint: "there is nothing to approve" });
