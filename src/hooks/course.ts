// A step on its way through its handlers: what it looks like by now, and what was decided so far. Pure.
import type { Decision, HandlerReport } from "./decision.ts";
import { NO_DECISION } from "./decision.ts";
import type { Envelope } from "./envelope.ts";
import type { HookRule } from "./rule.ts";
import { STEP_RULES } from "./step.ts";
import { PERMISSIONS, type Permission, type Verdict } from "./verdict.ts";

export interface Course {
  /** With the effect of every handler so far. */
  readonly envelope: Envelope;
  readonly decision: Decision;
}

export const startCourse = (envelope: Envelope): Course => ({ envelope, decision: NO_DECISION });

/** A valid verdict, applied whole. What a veto makes pointless goes with it. */
export function applyVerdict(course: Course, rule: HookRule, verdict: Verdict): Course {
  const isVeto = verdict.control !== undefined && verdict.control !== "proceed";
  const isDenied = verdict.permission === "deny";
  const changed = applyContext(applyChanges(course, rule, verdict), rule, verdict);
  if (isVeto || isDenied) {
    const verb = isVeto ? "vetoed" : "denied";
    return veto(changed, rule, verdict.reason?.trim() || `${verb} by \`${rule.name}\``);
  }
  return applyPermission(changed, verdict);
}

/** Whether a verdict does anything at all. */
export const isIdle = ({ control, reason: _, ...effects }: Verdict): boolean =>
  (control === undefined || control === "proceed") && Object.keys(effects).length === 0;

function applyChanges(course: Course, rule: HookRule, verdict: Verdict): Course {
  const { envelope, decision } = course;
  const { args, result, prompt, output } = verdict;
  const isAnswered = decision.result !== null;
  const isRewriting = args !== undefined || result !== undefined;
  if (!isRewriting && prompt === undefined && output === undefined) return course;
  if (isRewriting && isAnswered)
    return note(course, `\`${rule.name}\` rewrote a step that was already answered: left out`);
  return {
    envelope: {
      ...envelope,
      ...(args === undefined ? {} : { args }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(output === undefined ? {} : { output }),
    },
    decision: {
      ...decision,
      args: args ?? decision.args,
      result: result ?? decision.result,
      prompt: prompt ?? decision.prompt,
      output: output ?? decision.output,
    },
  };
}

function applyContext(course: Course, rule: HookRule, verdict: Verdict): Course {
  const added = verdict.additional_context ?? [];
  if (added.length === 0) return course;
  const { step } = course.envelope;
  if (!STEP_RULES[step].changes.includes("additional_context"))
    return note(course, `\`${rule.name}\` added context, for which \`${step}\` has no place`);
  const { decision } = course;
  const additionalContext = [...decision.additionalContext, ...added];
  return { ...course, decision: { ...decision, additionalContext } };
}

/** Only ever tighter: deny over ask over allow, whoever speaks first. */
function applyPermission(course: Course, verdict: Verdict): Course {
  const { decision } = course;
  const permission = tighter(decision.permission, verdict.permission ?? null);
  if (permission === decision.permission) return course;
  const reason = verdict.reason?.trim() || null;
  return { ...course, decision: { ...decision, permission, reason } };
}

function tighter(before: Permission | null, given: Permission | null): Permission | null {
  if (before === null || given === null) return given ?? before;
  return PERMISSIONS.indexOf(given) > PERMISSIONS.indexOf(before) ? given : before;
}

/** Ends the course. A step that does not happen has neither new arguments nor an answer. */
export function veto(course: Course, rule: HookRule, reason: string): Course {
  const { decision, envelope } = course;
  const { changes, vetoWord } = STEP_RULES[envelope.step];
  const isOff = vetoWord === "break" ? { args: null, result: null, prompt: null } : {};
  const permission = changes.includes("permission") ? "deny" : decision.permission;
  return {
    ...course,
    decision: {
      ...decision,
      ...isOff,
      control: "veto",
      reason,
      decidedBy: rule.name,
      permission,
    },
  };
}

export function note(course: Course, diagnostic: string): Course {
  const { decision } = course;
  return {
    ...course,
    decision: { ...decision, diagnostics: [...decision.diagnostics, diagnostic] },
  };
}

export function addReport(course: Course, report: HandlerReport): Course {
  const { decision } = course;
  return { ...course, decision: { ...decision, reports: [...decision.reports, report] } };
}
