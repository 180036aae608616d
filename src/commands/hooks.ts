import { misuse } from "../command/misuse.ts";
import { HOME_VARIABLES } from "../hooks/install/home-variables.ts";
import { findMisuse, HOOKS_ARGUMENTS } from "./hooks/hooks-arguments.ts";
import { defineBundled } from "./program.ts";
import { WIDTH_VARIABLE } from "./screen-width.ts";

export default defineBundled({
  name: "hooks",
  description: "List the hooks in force, try a step on them, say which match and why",
  category: "hooks",
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
  args: HOOKS_ARGUMENTS,
  run: async (args, context, program) => {
    const problem = findMisuse(args);
    if (problem !== null) throw misuse("hooks", problem);
    switch (args.action) {
      case "list":
        return (await import("./hooks/list-hooks.ts")).listHooks(args, context, program);
      case "test":
        return (await import("./hooks/test-step.ts")).testStep(args, context, program);
      case "explain":
        return (await import("./hooks/explain-step.ts")).explainStep(args, context, program);
      case "builtins":
        return (await import("./hooks/list-builtins.ts")).listBuiltins(context);
      case "init":
        return (await import("./hooks/init-hooks.ts")).initHooks(args, context, program);
    }
  },
});
