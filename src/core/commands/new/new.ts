import * as z from "zod/mini";
import { PERSON_USES } from "../../command/person.ts";
import { resolveCommand } from "../../command/registry.ts";
import { ok } from "../../command/result.ts";
import { escapeLine } from "../../command/words.ts";
import { defineBundled, flagArgument, textsArgument } from "../bundled.ts";

export default defineBundled({
  name: "new",
  description: "Scaffold a command or a workflow in this project, or for yourself",
  category: "start here",
  person: PERSON_USES.new,
  examples: [
    "adj new greet --ts",
    "adj new lint --argv -- npx eslint .",
    "adj new review --md",
    "adj new ship --workflow",
  ],
  args: z.strictObject({
    name: z.string().check(z.meta({ positional: 0, description: "what it is to be called" })),
    ts: flagArgument("a TypeScript function"),
    argv: flagArgument("a program and its words, in `commands.yaml`"),
    md: flagArgument("a prompt in Markdown"),
    workflow: flagArgument("a workflow of stages"),
    script: flagArgument("with `--workflow`: a script instead"),
    user: flagArgument("for yourself, in every project"),
    description: z.optional(
      z.string().check(z.minLength(1), z.meta({ description: "one line for listings" })),
    ),
    words: textsArgument("for `--argv`: the program and its words", { positional: "rest" }),
  }),
  run: async (words, _, program) => {
    const { findScaffold, listScaffoldSteps, planScaffold } = await import("./write.ts");
    const { writeScaffold } = await import("./write.ts");
    const plan = planScaffold(words, program);
    const scaffold = await findScaffold(plan.kind, program);
    // Asked before anything is written: then the project has a name that nobody trusts yet.
    const hidden = resolveCommand(await program.layers(), plan.name);
    const files = await writeScaffold(plan, scaffold);
    const isCommand = plan.kind !== "workflow" && plan.kind !== "script";
    const hides =
      isCommand && hidden.kind === "found" && hidden.at.layer !== plan.layer ? hidden.at : null;
    const nextSteps = listScaffoldSteps(plan, scaffold);
    const lines = [
      ...files.map((file) => `wrote ${escapeLine(file)}`),
      ...(hides === null ? [] : [`it hides the ${hides.layer} command of the same name`]),
      "next:",
      ...nextSteps.map((step) => `  ${step}`),
    ];
    const { name, kind, layer } = plan;
    return ok(lines.join("\n"), { name, kind, layer, files, hides, nextSteps });
  },
});
