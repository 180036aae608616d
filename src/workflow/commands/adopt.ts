// `adj workflow adopt RUN CALL`: what a call left in its worktree is merged into the branch of the project.
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { adoptWorktree } from "../worktree/call-worktree.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { findCall, findWorkflowRun, takeWords, withJournal } from "./context.ts";

export const adoptCall = (
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> => {
  const [word = "", number = ""] = takeWords(args, ["a run", "a call of it, by its number"]);
  const { context, program } = caller;
  return withJournal(caller, async (journal) => {
    const run = findWorkflowRun(journal, word, program.root);
    const { worktree, label, ...entry } = findCall(journal, run, number);
    if (worktree === null)
      throw fault(
        "InputInvalid",
        { what: "`adj workflow adopt`", problem: `call ${number} left no worktree` },
        { hint: `\`adj workflow report ${run.id}\` says which did` },
      );
    const git = { cwd: run.root, env: context.env.forChild(), signal: context.signal };
    const message = `${run.workflow}: ${label}`;
    const { commit, diffstat } = await adoptWorktree(worktree, { context: git, message });
    const text = `merged ${worktree.branch} as ${commit.slice(0, 10)}: ${diffstat}`;
    return ok(text, { run: run.id, call: entry.number, commit, branch: worktree.branch, diffstat });
  });
};
