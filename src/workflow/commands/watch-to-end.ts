// A run is watched until it ends, and what that means for whoever waits. Who goes away leaves it to the host; where the
// host is this very process it is stopped, and can be resumed.
import type { CommandResult } from "../../core/command/result.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import type { ConnectedHost } from "../../session/host/connect.ts";
import { readCensus } from "../engine/census.ts";
import type { JournalEntry, RunRecord } from "../journal/journal.ts";
import { isEnded, questionOf, type RunView } from "../report/live-view.ts";
import { describeStatus, runFigures } from "../report/run-summary.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { concludeRun, describeOutcome } from "./conclude.ts";
import { type WorkflowContext, withJournal } from "./context.ts";
import { type FollowOptions, followNarration, followRun } from "./follow.ts";

interface Watching {
  /** Null where another process than a host has the run. */
  readonly host: ConnectedHost | null;
  readonly runId: string;
  readonly args: Pick<WorkflowArguments, "events">;
  /** Once everything is heard; null where it runs already. */
  readonly start: (() => Promise<void>) | null;
}

export const watchToEnd = (
  { host, runId, args, start }: Watching,
  place: WorkflowContext,
): Promise<CommandResult> =>
  withJournal(place, async (journal) => {
    const { context, program } = place;
    const isInside = host?.isInside === true;
    const isEnough = (view: RunView) => isInside && isLeftAlone(view, context.isInteractive);
    const follow = { journal, runId, context, program, asEvents: args.events, isEnough };
    const narration = host === null ? null : await followNarration(host, follow);
    let isEndTold = false;
    const { run, entries } = await startAndFollow(start, follow)
      .then((view) => {
        isEndTold = start !== null && isEnded(view.run) && view.run.status !== "paused";
        return view;
      })
      .finally(() => narration?.leave({ isEndTold }));
    if (context.signal.aborted && !isEnded(run))
      await context.write(`${describeLeaving(runId, isInside)}\n`, "stderr");
    context.signal.throwIfAborted();
    const read = { run, entries, census: readCensus(journal, runId) };
    const result = concludeRun(read, isInside);
    if (args.events)
      await context.write(`${JSON.stringify({ kind: "end", ...describeOutcome(read) })}\n`);
    else if (context.isInteractive) await context.write(`${describeEnd(run, entries)}\n`, "stderr");
    // Below the lines of its progress nothing else would say why it does not count as done.
    if (result.errorOutput !== null) await context.write(`${result.errorOutput}\n`, "stderr");
    return result;
  });

async function startAndFollow(start: Watching["start"], follow: FollowOptions): Promise<RunView> {
  await start?.();
  return followRun(follow);
}

/** Nothing moves before a person answers, and where nobody sits nobody will. A quota or a sleep is waited for. */
const isLeftAlone = ({ run, entries, questions }: RunView, isInteractive: boolean): boolean =>
  run.status === "waiting" &&
  run.waitingUntil === null &&
  !isInteractive &&
  entries.some((entry) => questionOf(entry, questions) !== null);

/** What is left of the lines that were painted. */
const describeEnd = (run: RunRecord, entries: readonly JournalEntry[]): string =>
  plainLine(
    `${run.workflow} (${run.id}) ${describeStatus(run)}: ${runFigures(run, entries, Date.now()).join(" · ")}`,
  );

const describeLeaving = (runId: string, isInside: boolean): string =>
  isInside
    ? `adj: the run ends with this process; nothing is lost, go on with \`adj workflow resume ${runId}\``
    : `adj: the run goes on in the host; follow it with \`adj workflow resume ${runId}\`, end it with \`adj workflow stop ${runId}\``;
