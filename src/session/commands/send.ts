import * as z from "zod/mini";
import { VIAS } from "../../agents/run/conversation.ts";
import {
  choiceArgument,
  defineBundled,
  flagArgument,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "send",
  description: "Send a prompt to the agent of this session and show what it does",
  category: "session",
  // A turn is queued beside commands; it holds no lease.
  effect: "read",
  inheritEnv: true,
  graceMs: 10_000,
  argumentHint: "[text …]",
  examples: [
    "adj send 'explain this repository'",
    "git diff | adj send --agent codex 'review this change'",
    "adj send --detach 'fix the failing test'",
  ],
  args: z.strictObject({
    text: textsArgument("the prompt; what is piped in follows it", { positional: "rest" }),
    agent: textArgument("the agent for this turn", { plain: true }),
    model: textArgument("the model for this turn", { plain: true }),
    param: textsArgument("`path=value`, for this turn"),
    via: choiceArgument(VIAS, "how the agent keeps the thread; a process that stays"),
    detach: flagArgument("leave the turn to the host and return at once"),
    steer: flagArgument("put the words into the turn that runs, where its agent can take them"),
    events: flagArgument("everything as JSON, one object a line"),
  }),
  run: async (args, context, program) =>
    (await import("./send-turn.ts")).sendTurn(args, context, program),
});
