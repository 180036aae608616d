// `adj workflow resume RUN`: goes on with a run, or follows one that is alive. The file is read as it is now; what is
// finished and still asked for answers from the journal.
import { fault, messageOf } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { findHost } from "../../session/host/address.ts";
import type { UsableWorkflow } from "../definition/find-workflow.ts";
import { readCensus } from "../engine/census.ts";
import { hasLivingOwner, requestResume } from "../engine/control.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { concludeRun } from "./conclude.ts";
import { findWorkflowRun, takeWords, withJournal } from "./context.ts";
import { findDefinition, requireConsent } from "./definitions.ts";
import { watchToEnd } from "./follow.ts";
import { resumeInHost, withHost } from "./host-calls.ts";
import { parseBudget } from "./limits.ts";
import { describeStarted } from "./run.ts";

export const resumeRun = (
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> => {
  const [word = ""] = takeWords(args, ["a run"]);
  const limits = args.budget === undefined ? null : parseBudget(args.budget);
  return withJournal(caller, async (journal) => {
    const run = findWorkflowRun(journal, word, caller.program.root);
    const { id } = run;
    if (hasLivingOwner(run) && limits === null) {
      // Its owner looks in the journal whether a pause was lifted.
      requestResume(journal, id);
      return args.detach ? describeStarted(id) : followOwner(id, args, caller);
    }
    const found = await findAgain(run, caller);
    if (isOver(journal, run, found))
      return concludeRun(
        { run, entries: journal.listEntries(id), census: readCensus(journal, id) },
        false,
      );
    await requireConsent(found, args, caller);
    return withHost(caller, async (host) => {
      const start = () => resumeInHost(host, { runId: id, limits }, caller);
      if (!args.detach || host.isInside)
        return watchToEnd({ host, runId: id, args, start }, caller);
      await start();
      return describeStarted(id);
    });
  });
};

/** What it says as it goes is heard where its owner is the host. */
function followOwner(
  runId: string,
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> {
  const isHosted = findHost(caller.program.stateDir) !== null;
  if (!isHosted) return watchToEnd({ host: null, runId, args, start: null }, caller);
  return withHost(caller, (host) => watchToEnd({ host, runId, args, start: null }, caller));
}

/** By the file it came from, as it is now. */
async function findAgain(run: RunRecord, caller: BundledContext): Promise<UsableWorkflow> {
  try {
    return await findDefinition(run.file, caller);
  } catch (error) {
    throw fault(
      "InputInvalid",
      { what: `run \`${run.id}\``, problem: `its workflow ${run.file} cannot be used` },
      { hint: messageOf(error), cause: error },
    );
  }
}

/** Nothing of it is wanted again, and the file is what it was. */
const isOver = (journal: Journal, run: RunRecord, { workflow }: UsableWorkflow): boolean =>
  run.status === "done" &&
  journal.listRequested(run.id).length === 0 &&
  workflow.hash === run.sourceHash;
