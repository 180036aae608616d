import { HOME_VARIABLES } from "../../agents/roster.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { defineBundled } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { HOOKS_ARGUMENTS } from "./hooks-arguments.ts";

export default defineBundled({
  name: "hooks",
  description: "List the hooks in force, try a step on them, say which match and why",
  category: "hooks",
  person: PERSON_USES.hooks,
  argumentHint: "[list|test|explain|builtins|init] [step]",
  examples: [
    "adj hooks list before_tool",
    "adj hooks test before_tool --command 'git push --force'",
    "adj hooks test before_tool --agent codex --payload saved.json",
    "adj hooks explain --command 'cd x && sudo rm -rf build'",
    "adj hooks explain --tool Write --path .env",
    "adj hooks init --project",
  ],
  // A handler gets of it what a hook call of an agent would carry.
  inheritEnv: true,
  env: [WIDTH_VARIABLE, ...HOME_VARIABLES],
  textParts: ["table", "verdicts"],
  args: HOOKS_ARGUMENTS,
  run: async (args, context, program) => {
    switch (args.action) {
      case "list":
        return (await import("./list-hooks.ts")).listHooks(args, context, program);
      case "test":
        return (await import("./test-step.ts")).testStep(args, context, program);
      case "explain":
        return (await import("./explain-step.ts")).explainStep(args, context, program);
      case "builtins":
        return (await import("./list-hooks.ts")).listBuiltins(context);
      case "init":
        return (await import("./init-hooks.ts")).initHooks(args, context, program);
    }
  },
});
