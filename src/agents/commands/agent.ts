import { defineBundled } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { AGENT_ARGUMENTS } from "./arguments.ts";

export default defineBundled({
  name: "agent",
  description: "List the agents here, run one, or read what a run did",
  category: "agents",
  argumentHint: "<list|run|log|normalize> [name] [words…]",
  examples: [
    "adj agent list",
    "adj agent run claude-code 'explain this repository'",
    "git diff | adj agent run codex --prompt-file review.md --timeout 10m",
    "adj agent log 3f2a --md",
    "adj agent normalize gemini saved.jsonl --exit-code 0",
  ],
  // An agent has 5 s between SIGTERM and SIGKILL, and its log is wanted all the same.
  graceMs: 8_000,
  // What an agent is given of it is picked per agent; see `pickEnvironment`.
  inheritEnv: true,
  env: [WIDTH_VARIABLE],
  args: AGENT_ARGUMENTS,
  run: async (args, context, program) => {
    switch (args.action) {
      case "list":
        return (await import("./list.ts")).listAgents(context, program);
      case "run":
        return (await import("./run.ts")).startRun(args, context, program);
      case "log":
        return (await import("./log.ts")).showRun(args, context, program);
      case "normalize":
        return (await import("./normalize.ts")).normalizeSaved(args, context);
    }
  },
});
