// Executes a run from its beginning, or goes on with it, until it has ended or this process leaves it.
import { Fault, fault, formatFault, messageOf, ownProblem } from "../../core/command/fault.ts";
import type { Workflow } from "../definition/workflow.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import { type ActivityStatus, decideActivity } from "./activity.ts";
import { type RunCensus, readCensus, type WorkflowEnding } from "./census.ts";
import { followRequests } from "./control.ts";
import type { RunNarration } from "./effect.ts";
import { type ExecutionEnd, type ExecutionOptions, RunExecution } from "./execution.ts";
import { createChildRunner, type FormEnding, runForm, type WorkflowForms } from "./forms.ts";
import { MAX_RESULT_BYTES } from "./live-effect.ts";
import { createPerformer, describeCostless } from "./performer.ts";

const LOOK_MS = 200;

export interface RunRequest extends Omit<ExecutionOptions, "run" | "onActivity"> {
  readonly runId: string;
  /** As it was read now; the record keeps what was run last. */
  readonly workflow: Workflow;
  readonly forms: WorkflowForms;
  readonly narration: RunNarration;
  /** Aborted when this process leaves: what is under way is called off and can be taken up. */
  readonly signal: AbortSignal;
  /** Told of every change that views may want to show. */
  readonly onChange?: () => void;
}

/** A fault where another process has the run, its budget cannot be kept, or the journal cannot be written. */
export async function executeRun(request: RunRequest): Promise<WorkflowEnding> {
  const { journal, runId } = request;
  const claim = journal.claimRun(runId);
  if (claim.kind === "held") throw fault("RunTaken", { run: runId, pid: claim.by.pid });
  try {
    const run = prepareRun(request);
    refuseCostless(run, request);
    return await executeClaimed(run, request);
  } finally {
    releaseQuietly(journal, runId);
  }
}

/** The process ends or goes on without the run in any case; a claim that stays behind is a dead owner's soon. */
function releaseQuietly(journal: Journal, runId: string): void {
  try {
    journal.releaseRun(runId);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

function prepareRun({ journal, runId, workflow }: RunRequest): RunRecord {
  journal.changeRun(runId, {
    ...{ status: "running", reason: null, waitingUntil: null, requested: null, endedAt: null },
    ...{ source: workflow.source, sourceHash: workflow.hash },
  });
  const run = journal.readRun(runId);
  if (run === null)
    throw fault("InputInvalid", { what: "workflow", problem: `no run \`${runId}\`` });
  return run;
}

/** Refuses before anything is spent; a call that names another agent is refused when it comes. */
function refuseCostless(run: RunRecord, { journal, ports }: RunRequest): void {
  const { limits, agent, model } = run;
  if (limits.usd === null || agent === null || ports.statesCost(agent, model)) return;
  const problem = describeCostless(agent, model);
  const ended = { status: "stopped", reason: `budget: ${problem}` } as const;
  journal.changeRun(run.id, { ...ended, endedAt: new Date().toISOString() });
  const hint = "configure a price for the model, or limit tokens or calls instead";
  throw fault("InputInvalid", { what: "budget", problem }, { hint });
}

async function executeClaimed(run: RunRecord, request: RunRequest): Promise<WorkflowEnding> {
  const status = createStatusWriter(run.id, request.journal);
  const execution: RunExecution = new RunExecution({
    ...{ ...request, run },
    onActivity: () => {
      if (execution.end === null) guarded(execution, () => status(viewOf(execution)));
      request.onChange?.();
    },
  });
  const leave = () =>
    execution.finish({ kind: "left", reason: "its process leaves" }, { cancel: true });
  if (request.signal.aborted) leave();
  request.signal.addEventListener("abort", leave, { once: true });
  const looking = setInterval(() => lookForRequests(execution), LOOK_MS);
  try {
    const ending = await runWorkflow(execution, request);
    // What it did not wait for and that works already is finished; the rest is not begun.
    execution.finish({ kind: "over", reason: "the workflow is over" }, { cancel: false });
    await execution.drained();
    return settleRun(execution, ending);
  } finally {
    clearInterval(looking);
    request.signal.removeEventListener("abort", leave);
    execution.close();
  }
}

/** One look that fails, because somebody keeps the journal locked, is no reason to end calls: the next one may not. */
function lookForRequests(execution: RunExecution): void {
  try {
    followRequests(execution);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** What nobody waits for may not throw; a journal that cannot be written ends the execution. */
function guarded(execution: RunExecution, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    execution.breakOff(error);
  }
}

const viewOf = (execution: RunExecution): ActivityStatus =>
  decideActivity({
    isPaused: execution.isPaused,
    underWay: execution.activity.underWay,
    standing: execution.activity.standing,
    queued: execution.queuedStandstills(),
  });

/** Only what changed is written: calls come and go all the time. */
function createStatusWriter(runId: string, journal: Journal): (next: ActivityStatus) => void {
  let last = JSON.stringify({ status: "running", reason: null, waitingUntil: null });
  return (next) => {
    const text = JSON.stringify(next);
    if (text === last) return;
    last = text;
    journal.changeRun(runId, next);
  };
}

async function runWorkflow(execution: RunExecution, request: RunRequest): Promise<FormEnding> {
  const { forms, workflow, narration, journal } = request;
  const shared = {
    perform: createPerformer(execution),
    narration: {
      log: (text: string) => narration.log(text),
      phase: (title: string) => {
        guarded(execution, () => journal.changeRun(execution.run.id, { phase: title }));
        narration.phase(title);
      },
    },
    tokenLimit: execution.run.limits.tokens,
    signal: execution.ending,
  };
  const runChild = createChildRunner(forms, shared, ownProblem);
  try {
    return await runForm(forms, { ...shared, workflow, args: execution.run.args, runChild });
  } catch (error) {
    if (error instanceof Fault) return { kind: "threw", message: formatFault(error) };
    await abandon(execution, messageOf(error));
    throw error;
  }
}

/** After a bug nothing goes on by itself, and what is finished stays. */
async function abandon(execution: RunExecution, reason: string): Promise<void> {
  execution.finish({ kind: "left", reason }, { cancel: true });
  await execution.drained();
  const endedAt = new Date().toISOString();
  execution.journal.changeRun(execution.run.id, { status: "failed", reason, endedAt });
}

/** How the form ended counts only where the execution did not end before it. */
function settleRun(execution: RunExecution, ending: FormEnding): WorkflowEnding {
  const { journal, run } = execution;
  if (execution.end?.kind === "broken") throw execution.end.fault;
  if (execution.end !== null && execution.end.kind !== "over")
    return settleEarly(execution, execution.end);
  const failure = problemOf(ending);
  if (failure === null) dropUnasked(execution);
  const endedAt = new Date().toISOString();
  const census = readCensus(journal, run.id);
  const still = { waitingUntil: null, requested: null, endedAt } as const;
  if (failure !== null) {
    journal.changeRun(run.id, { ...still, status: "failed", reason: failure });
    return { kind: "failed", reason: failure, census };
  }
  const result = ending.kind === "returned" ? ending.value : undefined;
  journal.changeRun(run.id, { ...still, status: "done", reason: null, result });
  return { kind: "done", result, census };
}

function problemOf(ending: FormEnding): string | null {
  if (ending.kind === "threw") return ending.message;
  if (ending.kind === "ended") return ending.reason;
  const bytes = Buffer.byteLength(JSON.stringify(ending.value) ?? "");
  return bytes > MAX_RESULT_BYTES
    ? `the result of the run has ${bytes} bytes, and at most ${MAX_RESULT_BYTES} are kept`
    : null;
}

/** What an earlier version of the script asked for in vain is no failure of this one. */
function dropUnasked({ journal, run, recorded }: RunExecution): void {
  for (const { number, status } of recorded.unasked)
    if (status !== "done" && status !== "stopped")
      journal.change(run.id, number, { status: "stopped", waiting: null });
}

function settleEarly(
  { journal, run }: RunExecution,
  { kind, reason }: Extract<ExecutionEnd, { kind: "stopped" | "left" }>,
): WorkflowEnding {
  const census: RunCensus = readCensus(journal, run.id);
  if (kind === "left") return { kind, reason, census };
  const still = { waitingUntil: null, requested: null, endedAt: new Date().toISOString() } as const;
  journal.changeRun(run.id, { ...still, status: "stopped", reason });
  return { kind: "stopped", reason, census };
}
