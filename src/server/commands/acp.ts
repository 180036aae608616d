import * as z from "zod/mini";
import { VIAS } from "../../agents/run/conversation.ts";
import { choiceArgument, defineBundled, textArgument } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "acp",
  description: "Stand behind an editor that speaks the Agent Client Protocol, with any agent",
  category: "session",
  effect: "read",
  inheritEnv: true,
  graceMs: 10_000,
  argumentHint: "",
  examples: ["adj acp", "adj acp --agent codex"],
  args: z.strictObject({
    agent: textArgument("the agent to begin with; `/provider` switches it", { plain: true }),
    via: choiceArgument(VIAS, "how the agent keeps the thread; a process that stays"),
  }),
  run: async (args, context, program) =>
    (await import("../acp/serve-editor.ts")).serveEditor(args, context, program),
});
