import * as z from "zod/mini";
import { resolveCommand } from "../command/registry.ts";
import { ok } from "../command/result.ts";
import { flag, texts } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "new",
  description: "Scaffold a command in this project, or for yourself",
  category: "start here",
  examples: ["adj new greet --ts", "adj new lint --argv -- npx eslint .", "adj new review --md"],
  args: z.strictObject({
    name: z.string().check(z.meta({ positional: 0, description: "what it is to be called" })),
    ts: flag("a TypeScript function"),
    argv: flag("a program and its words, in `commands.yaml`"),
    md: flag("a prompt in Markdown"),
    user: flag("for yourself, in every project"),
    description: z.optional(
      z.string().check(z.minLength(1), z.meta({ description: "one line for listings" })),
    ),
    words: texts("for `--argv`: the program and its words", { positional: "rest" }),
  }),
  run: async (wish, _, program) => {
    const { planScaffold } = await import("./new/plan.ts");
    const { writeScaffold } = await import("./new/write.ts");
    const { listNextSteps } = await import("./new/next-steps.ts");
    const plan = planScaffold(wish, program);
    // Asked before anything is written: then the project has a name that nobody trusts yet.
    const hidden = resolveCommand(await program.layers(), plan.name);
    const files = await writeScaffold(plan);
    const hides = hidden.kind === "found" && hidden.at.layer !== plan.layer ? hidden.at : null;
    const nextSteps = listNextSteps(plan);
    const lines = [
      ...files.map((file) => `wrote ${file}`),
      ...(hides === null ? [] : [`it hides the ${hides.layer} command of the same name`]),
      "next:",
      ...nextSteps.map((step) => `  ${step}`),
    ];
    const { name, kind, layer } = plan;
    return ok(lines.join("\n"), { name, kind, layer, files, hides, nextSteps });
  },
});
