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
  name: "console",
  description: "Talk with an agent in the terminal, and run commands beside it",
  category: "session",
  textParts: null,
  // Its turns and commands take what they need themselves.
  effect: "read",
  inheritEnv: true,
  graceMs: 10_000,
  argumentHint: "",
  examples: [
    "adj console --agent replay",
    "adj console --continue",
    "printf 'hello\\n/model\\n' | adj console --agent replay",
  ],
  args: z.strictObject({
    agent: textArgument("the agent to begin with; `/provider` switches it", { plain: true }),
    model: textArgument("the model to begin with; `/model` switches it", { plain: true }),
    session: textArgument("go on with this session, or begin one of this name"),
    continue: flagArgument("go on with the last session of this project"),
    workflow: textArgument("attach this workflow, as `/workflow attach` does", { plain: true }),
    param: textsArgument("`path=value`, for the turns of this session"),
    via: choiceArgument(VIAS, "how the agent keeps the thread; a process that stays"),
    shell: textArgument("run this shell line as `!` would, by hooks and approvals, and leave"),
    plain: flagArgument("line by line, as in a pipe: one prompt a line, the answer as text"),
    json: flagArgument("line by line, everything that happens as JSON, one object a line"),
  }),
  run: async (args, context, program) =>
    (await import("../console/run-console.ts")).runConsole(args, context, program),
});
