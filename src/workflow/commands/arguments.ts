// What `adj workflow` takes on the command line.
import * as z from "zod/mini";
import { APPROVAL_MODES } from "../../core/command/context.ts";
import {
  choiceArgument,
  countArgument,
  flagArgument,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

export const WORKFLOW_ACTIONS = [
  "run",
  "list",
  "show",
  "plan",
  "resume",
  "pause",
  "stop",
  "skip",
  "retry",
  "adopt",
  "report",
  "attach",
  "detach",
] as const;

const ACTIONS: Readonly<Record<(typeof WORKFLOW_ACTIONS)[number], string>> = {
  run: "Run a workflow, by name or file",
  list: "List the workflows and the last runs",
  show: "Show a workflow, or how far a run is",
  plan: "Show what a run would do; nothing runs",
  resume: "Go on with a run that was paused or broken off; what is finished is not run again",
  pause: "Hold a run after what is under way",
  stop: "End a run",
  skip: "Leave a call of a run out",
  retry: "Run a call of a run once more",
  adopt: "Merge what a call left in its worktree",
  report: "Show what a run did and what it cost, or write it as a page",
  attach: "Let a workflow of stages lead this session",
  detach: "Let it no longer do so",
};

const MAX_AT_ONCE = 256;

const RUN = "the run, by the beginning of its id, or `last`";
const CALL = `${RUN}, and its call, by number`;
const DEFINITION = "the workflow, by name or file";

const WORDS: Readonly<Partial<typeof ACTIONS>> = {
  ...{ run: DEFINITION, show: `${DEFINITION}; or a run`, plan: DEFINITION, attach: DEFINITION },
  ...{ resume: RUN, pause: RUN, stop: RUN, report: `${RUN}, which is the default` },
  ...{ skip: CALL, retry: CALL, adopt: CALL },
};

// For which first words a flag is.
const STARTS = ["run", "attach"] as const;
const FOLLOWS = ["run", "resume"] as const;
const REPORT = ["report"] as const;

export const WORKFLOW_ARGUMENTS = z.strictObject({
  action: z.string().check(
    z.meta({
      positional: 0,
      plain: true,
      actions: ACTIONS,
      description: `what to do: ${WORKFLOW_ACTIONS.join(", ")}`,
    }),
  ),
  words: textsArgument(
    "a workflow by name or file; a run by the beginning of its id, or `last`; a call by its number",
    { positional: "rest", plain: true, file: true, means: WORDS },
  ),
  input: textsArgument("`name=value`, an input of the workflow", { when: STARTS }),
  args: textArgument("what a script gets as `args`, as JSON; `-` for what is piped in", {
    when: STARTS,
  }),
  agent: textArgument("the agent of calls that name none", {
    plain: true,
    when: [...STARTS, "plan"],
  }),
  model: textArgument("the model of calls that name none", { plain: true, when: STARTS }),
  mode: choiceArgument(APPROVAL_MODES, "how tools are approved in its calls", { when: STARTS }),
  budget: textArgument("where it stops: `usd=2,tokens=500000,calls=100,time=10m`", {
    plain: true,
    when: [...STARTS, "resume"],
  }),
  atOnce: countArgument("so many calls at a time", { to: MAX_AT_ONCE, when: STARTS }),
  detach: flagArgument("leave the run to the host and return at once", { when: FOLLOWS }),
  events: flagArgument("what happens as JSON, one object a line", { when: FOLLOWS }),
  hash: textArgument(
    "with a file that is no project's: the hash of its content, in place of a yes",
    { plain: true, when: STARTS },
  ),
  mermaid: flagArgument("with `show`: the drawing as Mermaid", { when: ["show"] }),
  markdown: flagArgument("with `report`: as Markdown", { when: REPORT }),
  html: flagArgument("with `report`: as one page", { when: REPORT }),
  out: textArgument("with `report`: into this file", { file: true, when: REPORT }),
});

export type WorkflowArguments = z.infer<typeof WORKFLOW_ARGUMENTS>;
