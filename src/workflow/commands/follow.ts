// Watching a run until it ends: any process can, since all of it is in the journal. Lines that change where a person
// looks, a plain line for each change in a pipe, an object for each with `--events`.
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import type { ConnectedHost } from "../../session/host/connect.ts";
import type { SessionHost } from "../../session/host/session-host.ts";
import { readCensus } from "../engine/census.ts";
import type { Journal, JournalEntry, RunRecord } from "../journal/journal.ts";
import { withPhases } from "../report/call-facts.ts";
import { drawRun, isEnded, listChanges, questionOf, type RunView } from "../report/live-view.ts";
import { describeStatus, runFigures } from "../report/run-summary.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { concludeRun, describeOutcome } from "./conclude.ts";
import { withJournal } from "./context.ts";

interface FollowOptions extends BundledContext {
  readonly journal: Journal;
  readonly runId: string;
  readonly asEvents: boolean;
  /** Looked at between two looks; true where whoever watches has seen enough. */
  readonly isEnough?: (view: RunView) => boolean;
}

const LOOK_MS = 150;
/** A look at a run of ten thousand calls takes its time, and must not take all of it. */
const LOOK_SHARE = 10;
const MAX_LINES = 24;

/** The run as it ended, or as it stood when the signal came or whoever watches had seen enough. */
async function followRun(options: FollowOptions): Promise<RunView> {
  const { context, isEnough = () => false } = options;
  let before: RunView | null = null;
  for (;;) {
    const startedAt = performance.now();
    const view = readRunView(options);
    await showChange(before, view, options);
    before = view;
    if (isEnded(view.run) || isEnough(view) || context.signal.aborted) return view;
    const took = performance.now() - startedAt;
    await waitUnlessAborted(Math.max(LOOK_MS, took * LOOK_SHARE), context.signal);
  }
}

export function readRunView({
  journal,
  runId,
  program,
}: Pick<FollowOptions, "journal" | "runId" | "program">): RunView {
  const run = journal.readRun(runId);
  if (run === null) throw new TypeError(`run ${runId} is not in the journal`);
  const { questions } = program.sessions();
  return {
    run,
    entries: withPhases(run, journal.listEntries(runId)),
    questions: questions.listOpen(),
    now: Date.now(),
  };
}

async function showChange(
  before: RunView | null,
  view: RunView,
  { context, asEvents }: FollowOptions,
): Promise<void> {
  if (asEvents) {
    for (const { text: _, ...event } of listChanges(before, view))
      await context.write(`${JSON.stringify(event)}\n`);
    return;
  }
  if (context.isInteractive) {
    context.progress(drawRun(view, MAX_LINES).join("\n"));
    return;
  }
  for (const event of listChanges(before, view)) {
    // Why a run failed or stopped is said at the end, with what to do about it.
    const isToldAtEnd = event.kind === "run" && event.status !== "done" && isEnded(event);
    if (!isToldAtEnd) await context.write(`${event.text}\n`, "stderr");
  }
}

interface Narration {
  /**
   * What was said last is still on its way when the journal has the end; where the host tells the end too, behind all
   * that was said, it is waited for.
   */
  leave(how: { readonly isEndTold: boolean }): Promise<void>;
}

/** The end is told a moment after the journal has it; a host that was killed tells nothing. */
const LAST_WORDS_MS = 2_000;

/** What the workflow itself says as it goes, by `log()`; only the host has it, and nothing keeps it. */
async function followNarration(
  host: Pick<SessionHost, "follow">,
  { runId, context, asEvents }: Pick<FollowOptions, "runId" | "context" | "asEvents">,
): Promise<Narration> {
  const stop = new AbortController();
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const request = { sessionId: runId, signal: stop.signal, onOpen: opened.resolve };
  const listen = async () => {
    for await (const event of host.follow(request)) {
      const fields = event.kind === "extension" && isJsonObject(event.data) ? event.data : {};
      if (fields.ended !== undefined) ended.resolve();
      const { log: text } = fields;
      if (typeof text !== "string") continue;
      if (asEvents) await context.write(`${JSON.stringify({ kind: "log", run: runId, text })}\n`);
      else await context.write(`${plainLine(text)}\n`, "stderr");
    }
  };
  // A host that goes away takes its words along; the run itself is followed in the journal.
  const listening = listen().catch(() => undefined);
  await Promise.race([opened.promise, listening]);
  return {
    leave: async ({ isEndTold }) => {
      if (isEndTold)
        await Promise.race([
          ended.promise,
          listening,
          waitUnlessAborted(LAST_WORDS_MS, stop.signal),
        ]);
      stop.abort();
      await listening;
    },
  };
}

// A run is watched until it ends, and what that means for whoever waits. Who goes away leaves it to the host; where the
// host is this very process it is stopped, and can be resumed.

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
  caller: BundledContext,
): Promise<CommandResult> =>
  withJournal(caller, async (journal) => {
    const { context, program } = caller;
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
