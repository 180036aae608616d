// Workflows as the library has them: the actions of `adj workflow`, with what comes of them as values.
import type { ApprovalMode, JsonValue } from "../core/command/context.ts";
import type { Outcome } from "../core/command/request.ts";
import type { Program } from "../core/commands/bundled.ts";
import type { Adjutant } from "../core/dispatch/adjutant.ts";
import { freezeDeep } from "../core/project/json-value.ts";
import { reviveFault } from "../session/host/session-host.ts";
import { describeOutcome, type RunOutcome } from "./commands/conclude.ts";
import { withJournal } from "./commands/context.ts";
import { readCensus } from "./engine/census.ts";
import type { RunRecord } from "./journal/journal.ts";
import type { RunEvent } from "./report/live-view.ts";

/** How a run ended; `census` says what is missing of it. */
export type WorkflowOutcome = RunOutcome;

/** A line of `adj workflow run --events`. */
export type WorkflowEvent = Omit<RunEvent, "text"> | ({ readonly kind: "end" } & WorkflowOutcome);

interface WatchOptions {
  /** `usd=2,tokens=500000,calls=100,time=10m`. */
  readonly budget?: string;
  /** Leaves a run in the host running; ends one that lives in this process, to be resumed. */
  readonly signal?: AbortSignal;
  /** What changes, as it happens and in order; `end` is the last. */
  readonly onEvent?: (event: WorkflowEvent) => void;
}

export interface WorkflowOptions extends WatchOptions {
  /** What a script gets as `args`, or the inputs of stages. */
  readonly args?: JsonValue;
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: ApprovalMode;
  readonly atOnce?: number;
  /** Of the content, in place of a person's yes to a file that is no trusted project's. */
  readonly hash?: string;
}

export interface LibraryWorkflows {
  /**
   * Runs a workflow, by name or file, and waits for its end. Failed calls and a run that is stopped are an outcome; a
   * workflow that cannot be started is a `Fault`.
   *
   * @example
   * const { status, result } = await adjutant.workflows.run("panel", { args: { files: ["a.ts"] } });
   * console.log(status, result);
   */
  run(workflow: string, options?: WorkflowOptions): Promise<WorkflowOutcome>;
  /**
   * The runs of this project, newest first.
   *
   * @example
   * const [newest] = await adjutant.workflows.list();
   */
  list(): Promise<readonly Omit<RunRecord, "source">[]>;
  /**
   * Goes on with a run, or follows one that is alive; by the beginning of its id, or `last`.
   *
   * @example
   * const { census } = await adjutant.workflows.resume("last");
   */
  resume(run: string, options?: WatchOptions): Promise<WorkflowOutcome>;
  /** Ends all that is under way; nothing that is finished is lost. Refused below an agent, as `adj workflow stop` is. */
  stop(run: string): Promise<void>;
}

interface WorkflowsContext {
  readonly program: Program;
  readonly dispatch: Adjutant["dispatch"];
}

/** Dispatched like from a shell, so consent, person and record are the same. */
export function openWorkflows(context: WorkflowsContext): LibraryWorkflows {
  const { program } = context;
  return {
    run: (workflow, { args, ...options } = {}) => {
      const given = args === undefined ? {} : { args: JSON.stringify(args) };
      return watch({ action: "run", words: [workflow], ...given }, options, context);
    },
    list: () =>
      withJournal({ program }, (journal) =>
        journal.listRuns({ root: program.root }).map(({ source: _, ...run }) => freezeDeep(run)),
      ),
    resume: (run, options = {}) => watch({ action: "resume", words: [run] }, options, context),
    stop: async (run) => void (await act({ action: "stop", words: [run] }, {}, context)),
  };
}

type Arguments = Readonly<Record<string, unknown>>;

async function watch(
  args: Arguments,
  { signal, onEvent, ...options }: WatchOptions,
  context: WorkflowsContext,
): Promise<WorkflowOutcome> {
  const words = { ...args, ...options, events: onEvent !== undefined };
  const how = { ...(signal && { signal }), ...(onEvent && { onEvent }) };
  const { result } = await act(words, how, context);
  const runId = String(result.metadata?.run);
  return withJournal(context, (journal) => {
    const run = journal.readRun(runId);
    if (run === null) throw new TypeError(`run ${runId} is not in the journal`);
    const entries = journal.listEntries(runId);
    return freezeDeep(describeOutcome({ run, entries, census: readCensus(journal, runId) }));
  });
}

async function act(
  args: Arguments,
  { signal, onEvent }: Pick<WatchOptions, "signal" | "onEvent">,
  { dispatch }: WorkflowsContext,
): Promise<Outcome> {
  const outcome = await dispatch(
    { name: "workflow", args, ...(signal && { signal }) },
    onEvent === undefined ? {} : { onOutput: createEventReader(onEvent) },
  );
  if (outcome.error !== undefined) throw reviveFault(outcome.error, outcome.result.exitCode);
  return outcome;
}

/** A line of JSON for each event, which may come in pieces. */
function createEventReader(onEvent: NonNullable<WatchOptions["onEvent"]>) {
  let text = "";
  return (chunk: Uint8Array, channel: "stdout" | "stderr"): void => {
    if (channel === "stderr") return;
    text += Buffer.from(chunk).toString();
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) onEvent(freezeDeep(JSON.parse(line)));
  };
}
