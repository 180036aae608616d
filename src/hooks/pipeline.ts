// All handlers of one step, one after another. Each sees the effect of those before it; the first
// control other than `proceed` ends it. It never throws: what a handler or a matcher throws is that rule's error.
import { addReport, applyVerdict, type Course, isIdle, note, startCourse, veto } from "./course.ts";
import { type Decision, type HandlerReport, NO_DECISION } from "./decision.ts";
import type { Envelope } from "./envelope.ts";
import type { HandlerOutcome } from "./handlers/handler-outcome.ts";
import type { HookRule } from "./rule.ts";
import { STEP_RULES, type StepName } from "./step.ts";
import type { StepSubject } from "./subject.ts";

export interface HandlerLimit {
  /** The rule's own, or what is left until the deadline. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface PipelineRequest {
  /** In the order in which they run, as a HookSet has them. */
  readonly rules: readonly HookRule[];
  readonly envelope: Envelope;
  /** Asked again after every rewrite, and must then classify anew: the envelope's `safety` may be stale. */
  readonly subjectOf: (envelope: Envelope) => StepSubject;
  readonly matches: (rule: HookRule, subject: StepSubject) => boolean;
  readonly runHandler: (
    rule: HookRule,
    subject: StepSubject,
    limit: HandlerLimit,
  ) => Promise<HandlerOutcome>;
  /** A moment on the clock of `now`, not a duration. */
  readonly deadlineMs: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Of rules that run once per session. Without it they run every time. */
  readonly once?: { hasRun(rule: HookRule): boolean; markRun(rule: HookRule): void };
  /** Takes over an `async` handler, to be settled before the process ends. Without it the pipeline waits itself. */
  readonly onAsync?: (report: Promise<HandlerReport>) => void;
}

/** A turn that was continued so often ends without asking anybody. */
export const MOST_CONTINUES = 3;

export async function runPipeline(request: PipelineRequest): Promise<Decision> {
  const { envelope } = request;
  if ((envelope.continues_so_far ?? 0) >= MOST_CONTINUES && isEnd(envelope.step)) {
    const told = `the turn was continued ${MOST_CONTINUES} times, so its handlers were not asked`;
    return { ...NO_DECISION, diagnostics: [told] };
  }
  const rules = request.rules.filter((rule) => rule.isEnabled && rule.on.includes(envelope.step));
  const waited: Promise<HandlerReport>[] = [];
  const pipeline = {
    ...request,
    subjectOf: rememberSubject(request.subjectOf),
    onAsync: request.onAsync ?? ((report) => waited.push(report)),
  };
  let course = startCourse(envelope);
  for (const rule of rules) {
    course = await passRule(pipeline, course, rule);
    if (course.decision.control === "veto") break;
  }
  const settled = await Promise.all(waited);
  return { ...course.decision, reports: [...course.decision.reports, ...settled] };
}

const isEnd = (step: StepName): boolean => step === "before_turn_end" || step === "subagent_end";

/** Until somebody rewrites the step it is the same for all. */
function rememberSubject(subjectOf: PipelineRequest["subjectOf"]): PipelineRequest["subjectOf"] {
  let known: { readonly envelope: Envelope; readonly subject: StepSubject } | null = null;
  return (envelope) => {
    if (known?.envelope !== envelope) known = { envelope, subject: subjectOf(envelope) };
    return known.subject;
  };
}

type Pipeline = PipelineRequest & Required<Pick<PipelineRequest, "onAsync">>;

async function passRule(pipeline: Pipeline, course: Course, rule: HookRule): Promise<Course> {
  const startedAt = pipeline.now();
  const since = (): number => Math.max(0, pipeline.now() - startedAt);
  const sight = look(pipeline, course, rule);
  if (sight.kind === "passed") return course;
  if (sight.kind === "failed") return failed(course, rule, { problem: sight.problem, ms: 0 });
  const { subject } = sight;
  if (pipeline.signal.aborted || course.decision.isCancelled) return cancelled(course, rule, 0);
  if (rule.isAsync) {
    startAsync(pipeline, subject, rule);
    return course;
  }
  const left = pipeline.deadlineMs - startedAt;
  if (left <= 0) return failed(course, rule, { problem: "the time for this step was over", ms: 0 });
  const outcome = await ask(pipeline, rule, subject, Math.min(rule.timeoutMs, left));
  if (outcome.kind === "cancelled") return cancelled(course, rule, since());
  if (outcome.kind === "error")
    return failed(course, rule, { problem: outcome.problem, ms: since() });
  if (rule.isOnce) pipeline.once?.markRun(rule);
  return took(course, rule, { outcome, ms: since() });
}

type Sight =
  | { readonly kind: "passed" }
  | { readonly kind: "matched"; readonly subject: StepSubject }
  | { readonly kind: "failed"; readonly problem: string };

function look(pipeline: Pipeline, { envelope }: Course, rule: HookRule): Sight {
  try {
    const subject = pipeline.subjectOf(envelope);
    if (!pipeline.matches(rule, subject)) return { kind: "passed" };
    const isSpent = rule.isOnce && pipeline.once?.hasRun(rule) === true;
    return isSpent ? { kind: "passed" } : { kind: "matched", subject };
  } catch (error) {
    // A guard that cannot be matched must not be one that is passed by.
    return { kind: "failed", problem: `it could not be matched: ${messageOf(error)}` };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function ask(
  { runHandler, signal }: Pipeline,
  rule: HookRule,
  subject: StepSubject,
  timeoutMs: number,
): Promise<HandlerOutcome> {
  try {
    return await runHandler(rule, subject, { timeoutMs, signal });
  } catch (error) {
    return { kind: "error", problem: `it threw: ${messageOf(error)}` };
  }
}

type Answer = Extract<HandlerOutcome, { kind: "verdict" | "none" }>;

function took(
  course: Course,
  rule: HookRule,
  { outcome, ms }: { outcome: Answer; ms: number },
): Course {
  const facts = { rule, ms, stderr: outcome.stderr };
  if (outcome.kind === "none") {
    const told = outcome.diagnostic;
    const noted = told === null ? course : note(course, `\`${rule.name}\`: ${told}`);
    return addReport(noted, report({ ...facts, did: "nothing", note: told }));
  }
  if (isIdle(outcome.verdict)) return addReport(course, report({ ...facts, did: "nothing" }));
  const after = applyVerdict(course, rule, outcome.verdict);
  const isVeto = after.decision.control === "veto";
  const reason = isVeto ? after.decision.reason : (outcome.verdict.reason ?? null);
  const did = isVeto ? "vetoed" : "changed";
  return addReport(after, report({ ...facts, did, note: reason }));
}

interface Failing {
  readonly problem: string;
  readonly ms: number;
}

/** A handler's own error means what its rule, or else the step, says. */
function failed(course: Course, rule: HookRule, { problem, ms }: Failing): Course {
  const told = addReport(
    note(course, `\`${rule.name}\` failed: ${problem}`),
    report({ rule, ms, did: "failed", note: problem }),
  );
  if (!isBlocking(rule, course.envelope.step)) return told;
  return veto(told, rule, `the hook \`${rule.name}\` failed: ${problem}`);
}

/** Where the step cannot be vetoed there is nothing to block. */
function isBlocking(rule: HookRule, step: StepName): boolean {
  const { canVeto, onError } = STEP_RULES[step];
  return canVeto && !rule.isAsync && (rule.onError ?? onError) === "block";
}

/** Nobody is asked any more; a step that a guard could not look at does not happen either. */
function cancelled(course: Course, rule: HookRule, ms: number): Course {
  const ended = { ...course, decision: { ...course.decision, isCancelled: true } };
  const problem = "it was cancelled";
  const told = addReport(ended, report({ rule, ms, did: "failed", note: problem }));
  if (!isBlocking(rule, course.envelope.step)) return told;
  return veto(told, rule, `the hook \`${rule.name}\` was cancelled`);
}

interface Reported {
  readonly rule: HookRule;
  readonly ms: number;
  readonly did: HandlerReport["did"];
  readonly note?: string | null;
  readonly stderr?: string | null;
}

const report = ({ rule, ms, did, note = null, stderr = null }: Reported): HandlerReport => ({
  rule: rule.name,
  layer: rule.layer,
  durationMs: ms,
  did,
  note,
  stderr,
});

/** It only looks on: nobody waits for it, and nothing it says counts. */
function startAsync(pipeline: Pipeline, subject: StepSubject, rule: HookRule): void {
  const startedAt = pipeline.now();
  const observed = ask(pipeline, rule, subject, rule.timeoutMs).then((outcome) => {
    if (rule.isOnce && outcome.kind !== "error") pipeline.once?.markRun(rule);
    const ms = Math.max(0, pipeline.now() - startedAt);
    if (outcome.kind === "error") return report({ rule, ms, did: "failed", note: outcome.problem });
    if (outcome.kind === "cancelled")
      return report({ rule, ms, did: "failed", note: "it was cancelled" });
    const isIgnored = outcome.kind === "verdict" && !isIdle(outcome.verdict);
    const told = isIgnored ? "an `async` handler decides nothing; its verdict was left out" : null;
    return report({ rule, ms, did: "observed", note: told, stderr: outcome.stderr });
  });
  pipeline.onAsync(observed);
}
