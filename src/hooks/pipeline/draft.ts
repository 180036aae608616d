// A step on its way through its handlers: what it looks like by now, and what was decided so far. Pure.
import type { Envelope } from "../../core/step/envelope.ts";
import { STEP_RULES } from "../../core/step/step.ts";
import {
  type HandlerReport,
  NO_DECISION,
  PERMISSIONS,
  type Permission,
  type StepDecision,
  type Verdict,
} from "../../core/step/verdict.ts";
import type { HookRule } from "../match/rule.ts";

export interface DecisionDraft {
  /** With the effect of every handler so far. */
  readonly envelope: Envelope;
  readonly decision: StepDecision;
}

export const startDraft = (envelope: Envelope): DecisionDraft => ({
  envelope,
  decision: NO_DECISION,
});

/** A valid verdict, applied whole. What a veto makes pointless goes with it. */
export function applyVerdict(
  draft: DecisionDraft,
  rule: HookRule,
  verdict: Verdict,
): DecisionDraft {
  const isVeto = verdict.control !== undefined && verdict.control !== "proceed";
  const isDenied = verdict.permission === "deny";
  const changed = applyContext(applyChanges(draft, rule, verdict), rule, verdict);
  if (isVeto || isDenied) {
    const verb = isVeto ? "vetoed" : "denied";
    return applyVeto(changed, rule, verdict.reason?.trim() || `${verb} by \`${rule.name}\``);
  }
  return applyPermission(changed, verdict);
}

/** Whether a verdict does anything at all. */
export const isIdle = ({ control, reason: _, ...effects }: Verdict): boolean =>
  (control === undefined || control === "proceed") && Object.keys(effects).length === 0;

function applyChanges(draft: DecisionDraft, rule: HookRule, verdict: Verdict): DecisionDraft {
  const { envelope, decision } = draft;
  const { args, result, prompt, output } = verdict;
  const isAnswered = decision.result !== null;
  const isRewriting = args !== undefined || result !== undefined;
  if (!isRewriting && prompt === undefined && output === undefined) return draft;
  if (isRewriting && isAnswered)
    return addNote(draft, `\`${rule.name}\` rewrote a step that was already answered: left out`);
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

function applyContext(draft: DecisionDraft, rule: HookRule, verdict: Verdict): DecisionDraft {
  const added = verdict.additional_context ?? [];
  if (added.length === 0) return draft;
  const { step } = draft.envelope;
  if (!STEP_RULES[step].changes.includes("additional_context"))
    return addNote(draft, `\`${rule.name}\` added context, for which \`${step}\` has no place`);
  const { decision } = draft;
  const additionalContext = [...decision.additionalContext, ...added];
  return { ...draft, decision: { ...decision, additionalContext } };
}

/** Only ever tighter: deny over ask over allow, whoever speaks first. */
function applyPermission(draft: DecisionDraft, verdict: Verdict): DecisionDraft {
  const { decision } = draft;
  const permission = tighter(decision.permission, verdict.permission ?? null);
  if (permission === decision.permission) return draft;
  const reason = verdict.reason?.trim() || null;
  return { ...draft, decision: { ...decision, permission, reason } };
}

function tighter(before: Permission | null, given: Permission | null): Permission | null {
  if (before === null || given === null) return given ?? before;
  return PERMISSIONS.indexOf(given) > PERMISSIONS.indexOf(before) ? given : before;
}

/** Ends the pipeline. A step that does not happen has neither new arguments nor an answer. */
export function applyVeto(draft: DecisionDraft, rule: HookRule, reason: string): DecisionDraft {
  const { decision, envelope } = draft;
  const { changes, vetoWord } = STEP_RULES[envelope.step];
  const isOff = vetoWord === "break" ? { args: null, result: null, prompt: null } : {};
  const permission = changes.includes("permission") ? "deny" : decision.permission;
  return {
    ...draft,
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

export function addNote(draft: DecisionDraft, diagnostic: string): DecisionDraft {
  const { decision } = draft;
  return {
    ...draft,
    decision: { ...decision, diagnostics: [...decision.diagnostics, diagnostic] },
  };
}

export function addReport(draft: DecisionDraft, report: HandlerReport): DecisionDraft {
  const { decision } = draft;
  return { ...draft, decision: { ...decision, reports: [...decision.reports, report] } };
}
