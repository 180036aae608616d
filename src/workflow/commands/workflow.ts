// `adj workflow`: one command; its first word says what to do, and each is loaded when it is asked for.
import { fault } from "../../core/command/fault.ts";
import { nearestNames } from "../../core/command/names.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { type BundledContext, defineBundled } from "../../core/commands/bundled.ts";
import { WIDTH_VARIABLE } from "../../core/terminal/render.ts";
import { WORKFLOW_ACTIONS, WORKFLOW_ARGUMENTS, type WorkflowArguments } from "./arguments.ts";

export default defineBundled({
  name: "workflow",
  description: "Run many steps over any agents; what is finished is never run again",
  category: "workflow",
  // It holds no lease: a run goes on beside commands and turns.
  effect: "read",
  argumentHint: `<${WORKFLOW_ACTIONS.join("|")} …>`,
  examples: [
    "adj workflow run plan-build-review --input 'task=add a --version flag'",
    'adj workflow run ./panel.js --args \'{"files": ["a.ts"]}\' --budget usd=2',
    "adj workflow list",
    "adj workflow resume last",
    "adj workflow report last --html --out report.html",
    "adj workflow attach plan-build-review",
  ],
  inheritEnv: true,
  env: [WIDTH_VARIABLE],
  // Agents of a run inside this process have five seconds to end, and the journal is closed after that.
  graceMs: 20_000,
  person: PERSON_USES.workflow,
  args: WORKFLOW_ARGUMENTS,
  run: (args, context, program) => startAction(args, { context, program }),
});

async function startAction(
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const action = WORKFLOW_ACTIONS.find((name) => name === args.action);
  switch (action) {
    case undefined:
      throw unknownAction(args.action);
    case "run":
      return (await import("./run.ts")).runWorkflow(args, caller);
    case "list":
      return (await import("./list.ts")).showList(args, caller);
    case "show":
      return (await import("./show.ts")).showWorkflow(args, caller);
    case "plan":
      return (await import("./plan.ts")).planWorkflow(args, caller);
    case "resume":
      return (await import("./resume.ts")).resumeRun(args, caller);
    case "pause":
    case "stop":
      return (await import("./control.ts")).controlRun(action, args, caller);
    case "skip":
    case "retry":
      return (await import("./control.ts")).controlCall(action, args, caller);
    case "adopt":
      return (await import("./adopt.ts")).adoptCall(args, caller);
    case "report":
      return (await import("./report.ts")).reportRun(args, caller);
    case "attach":
      return (await import("./attach.ts")).attachWorkflow(args, caller);
    case "detach":
      return (await import("./attach.ts")).detachWorkflow(args, caller);
  }
}

function unknownAction(word: string) {
  const [nearest] = nearestNames(word, WORKFLOW_ACTIONS);
  const hint =
    nearest === undefined
      ? `give one of ${WORKFLOW_ACTIONS.join(", ")}`
      : `did you mean \`${nearest}\`?`;
  const problem = `\`${word}\` is nothing that can be done`;
  return fault("ArgumentsInvalid", { command: "workflow", problem }, { hint });
}
