// All handlers of one step, one after another. Each sees the effect of those before it; the first
// control other than `proceed` ends it. It never throws: what a handler or a matcher throws is that rule's error.
import { messageOf } from "../../core/command/fault.ts";
import type { Envelope, StepSubject } from "../../core/step/envelope.ts";
import { isTurnEnd } from "../../core/step/step.ts";
import { type HandlerReport, NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import type { HandlerOutcome } from "../handlers/protocol.ts";
import type { HookRule } from "../match/rule.ts";
import {
  addNote,
  addReport,
  applyVerdict,
  applyVeto,
  type DecisionDraft,
  isIdle,
  startDraft,
} from "./draft.ts";
import { isBlockingRule } from "./guard-marker.ts";

interface HandlerLimit {
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
const MAX_CONTINUES = 3;

/**
 * Decides one step by its rules; who matches, what a handler answers and what time it is, is passed in.
 *
 * @example
 * const decision = await runPipeline({
 *   rules: [rule],
 *   envelope,
 *   subjectOf: (now) => ({ envelope: now, line: null, paths: [], root: "/p", home: "/h" }),
 *   matches: () => true,
 *   runHandler: async () => ({ kind: "verdict", verdict: { control: "veto", reason: "no" }, stderr: null }),
 *   deadlineMs: 5_000,
 *   now: () => 0,
 *   signal: new AbortController().signal,
 * });
 * console.log(decision.control, decision.reason);
 */
export async function runPipeline(request: PipelineRequest): Promise<StepDecision> {
  const { envelope } = request;
  if ((envelope.continues_so_far ?? 0) >= MAX_CONTINUES && isTurnEnd(envelope.step)) {
    const told = `the turn was continued ${MAX_CONTINUES} times, so its handlers were not asked`;
    return { ...NO_DECISION, diagnostics: [told] };
  }
  const rules = request.rules.filter((rule) => rule.isEnabled && rule.on.includes(envelope.step));
  const waited: Promise<HandlerReport>[] = [];
  const pipeline = {
    ...request,
    subjectOf: rememberSubject(request.subjectOf),
    onAsync: request.onAsync ?? ((report) => waited.push(report)),
  };
  let draft = startDraft(envelope);
  for (const rule of rules) {
    draft = await passRule(pipeline, draft, rule);
    if (draft.decision.control === "veto") break;
  }
  const settled = await Promise.all(waited);
  return { ...draft.decision, reports: [...draft.decision.reports, ...settled] };
}

/** Until somebody rewrites the step it is the same for all. */
function rememberSubject(subjectOf: PipelineRequest["subjectOf"]): PipelineRequest["subjectOf"] {
  let known: { readonly envelope: Envelope; readonly subject: StepSubject } | null = null;
  return (envelope) => {
    if (known?.envelope !== envelope) known = { envelope, subject: subjectOf(envelope) };
    return known.subject;
  };
}

type Pipeline = PipelineRequest & Required<Pick<PipelineRequest, "onAsync">>;

async function passRule(
  pipeline: Pipeline,
  draft: DecisionDraft,
  rule: HookRule,
): Promise<DecisionDraft> {
  const startedAt = pipeline.now();
  const since = (): number => Math.max(0, pipeline.now() - startedAt);
  const attempt = attemptMatch(pipeline, draft, rule);
  if (attempt.kind === "passed") return draft;
  if (attempt.kind === "failed") return failed(draft, rule, { problem: attempt.problem, ms: 0 });
  const { subject } = attempt;
  if (pipeline.signal.aborted || draft.decision.isCancelled) return cancelled(draft, rule, 0);
  if (rule.isAsync) {
    startAsync(pipeline, subject, rule);
    return draft;
  }
  const left = pipeline.deadlineMs - startedAt;
  if (left <= 0) return failed(draft, rule, { problem: "the time for this step was over", ms: 0 });
  const outcome = await ask(pipeline, rule, subject, Math.min(rule.timeoutMs, left));
  if (outcome.kind === "cancelled") return cancelled(draft, rule, since());
  if (outcome.kind === "error")
    return failed(draft, rule, { problem: outcome.problem, ms: since() });
  if (rule.isOnce) pipeline.once?.markRun(rule);
  return took(draft, rule, { outcome, ms: since() });
}

type MatchAttempt =
  | { readonly kind: "passed" }
  | { readonly kind: "matched"; readonly subject: StepSubject }
  | { readonly kind: "failed"; readonly problem: string };

function attemptMatch(
  pipeline: Pipeline,
  { envelope }: DecisionDraft,
  rule: HookRule,
): MatchAttempt {
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
  draft: DecisionDraft,
  rule: HookRule,
  { outcome, ms }: { outcome: Answer; ms: number },
): DecisionDraft {
  const facts = { rule, ms, stderr: outcome.stderr };
  if (outcome.kind === "none") {
    const told = outcome.diagnostic;
    const noted = told === null ? draft : addNote(draft, `\`${rule.name}\`: ${told}`);
    return addReport(noted, report({ ...facts, did: "nothing", note: told }));
  }
  if (isIdle(outcome.verdict)) return addReport(draft, report({ ...facts, did: "nothing" }));
  const after = applyVerdict(draft, rule, outcome.verdict);
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
function failed(draft: DecisionDraft, rule: HookRule, { problem, ms }: Failing): DecisionDraft {
  const told = addReport(
    addNote(draft, `\`${rule.name}\` failed: ${problem}`),
    report({ rule, ms, did: "failed", note: problem }),
  );
  if (!isBlockingRule(rule, draft.envelope.step)) return told;
  return applyVeto(told, rule, `the hook \`${rule.name}\` failed: ${problem}`);
}

/** Nobody is asked any more; a step that a guard could not look at does not happen either. */
function cancelled(draft: DecisionDraft, rule: HookRule, ms: number): DecisionDraft {
  const ended = { ...draft, decision: { ...draft.decision, isCancelled: true } };
  const problem = "it was cancelled";
  const told = addReport(ended, report({ rule, ms, did: "failed", note: problem }));
  if (!isBlockingRule(rule, draft.envelope.step)) return told;
  return applyVeto(told, rule, `the hook \`${rule.name}\` was cancelled`);
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
