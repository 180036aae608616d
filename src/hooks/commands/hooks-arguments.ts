import * as z from "zod/mini";
import { DEFAULT_HOOK_AGENT } from "../../agents/roster.ts";
import { nearestSteps } from "../../agents/steps/event-names.ts";
import { flagArgument, textArgument } from "../../core/commands/bundled.ts";
import { STEPS } from "../../core/step/step.ts";

const TEST = ["test"] as const;
const CALL = ["test", "explain"] as const;

const ACTIONS = {
  list: "List the hooks in force, step by step",
  test: "Try a step on the hooks and show what an agent would be told",
  explain: "Say of each hook whether it matches a step, and why",
  builtins: "List the builtin guards with their options",
  init: "Write a first `hooks.yaml`",
};

export const HOOKS_ARGUMENTS = z.strictObject({
  action: z._default(
    z
      .enum(["list", "test", "explain", "builtins", "init"])
      .check(z.meta({ positional: 0, plain: true, description: "what to do", actions: ACTIONS })),
    "list",
  ),
  step: z.optional(
    z.enum(STEPS, { error: ({ input }) => describeUnknownStep(input) }).check(
      z.meta({
        positional: 1,
        plain: true,
        description: "the step; all of them with `list`, else `before_tool` by default",
        means: {
          list: "only this step",
          test: "the step; `before_tool` by default",
          explain: "the step; `before_tool` by default",
        },
      }),
    ),
  ),
  agent: textArgument(`whose step it is; \`${DEFAULT_HOOK_AGENT}\` by default`, {
    plain: true,
    when: CALL,
  }),
  payload: textArgument("what the agent would write, a file or `-` for what is piped in", {
    file: true,
    when: TEST,
  }),
  tool: textArgument("the tool, by the agent's name for it or Claude Code's", {
    plain: true,
    when: CALL,
  }),
  command: textArgument("a shell line", { when: CALL }),
  path: textArgument("the file that the tool names", { file: true, when: CALL }),
  args: textArgument("other arguments of the tool, as a JSON object", { when: CALL }),
  output: textArgument("with `after_tool`: what the tool printed", { when: TEST }),
  prompt: textArgument("with `before_prompt`: what the person typed", { when: TEST }),
  user: flagArgument("for yourself, in every project; the default", { when: ["init"] }),
  project: flagArgument("for everybody in this project", { when: ["init"] }),
});

function describeUnknownStep(input: unknown): string | undefined {
  const [nearest] = typeof input === "string" ? nearestSteps(input) : [];
  return nearest === undefined ? undefined : `has no such value; did you mean \`${nearest}\`?`;
}

export type HooksArguments = z.infer<typeof HOOKS_ARGUMENTS>;
