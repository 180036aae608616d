// What a decision comes to on an agent that cannot do everything: what restricts becomes a veto with the reason,
// what adds is left out, and both are noted.
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { StepAbility } from "./hook-agent.ts";

interface SettledTool {
  readonly outcome: "deny" | "ask" | "allow" | "pass";
  /** Always there with `deny`; may be there with `ask`. */
  readonly reason: string | null;
  readonly args: ToolArguments | null;
  readonly context: string | undefined;
  readonly notes: readonly string[];
}

export const reasonOf = ({ reason, decidedBy }: StepDecision): string => {
  const given = reason?.trim() ?? "";
  if (given !== "") return given;
  return decidedBy === null ? "vetoed by a hook" : `vetoed by \`${decidedBy}\``;
};

export const isVeto = ({ control, permission }: StepDecision): boolean =>
  control === "veto" || permission === "deny";

export const contextOf = ({ additionalContext }: StepDecision): string | undefined => {
  const texts = additionalContext.filter((text) => text.trim() !== "");
  return texts.length === 0 ? undefined : texts.join("\n\n");
};

/** For steps where context can only be said together with the reason of a veto. */
export function reasonWithContext(decision: StepDecision): string {
  const context = contextOf(decision);
  return context === undefined ? reasonOf(decision) : `${reasonOf(decision)}\n\n${context}`;
}

/** For steps where a veto is a word to the model. */
export const feedbackOf = (decision: StepDecision): string | undefined =>
  isVeto(decision) ? reasonWithContext(decision) : contextOf(decision);

export const leftOut = (what: string, { agent, step }: Envelope): string =>
  `${agent} cannot honour \`${what}\` at \`${step}\`; left out`;

/** For steps at which an agent goes on whatever is said. */
export const refusalLeftOut = (decision: StepDecision, { agent, step }: Envelope) =>
  isVeto(decision) ? [`${agent} cannot refuse at \`${step}\`; left out`] : [];

export const becameWarning = ({ agent, step }: Envelope): string =>
  `${agent} cannot refuse at \`${step}\`; the reason is shown as a warning`;

/** Undefined where nothing is said and the agent asks whom it would have asked anyway. */
export function permissionAnswer(decision: StepDecision) {
  if (isVeto(decision)) return { behavior: "deny", message: reasonOf(decision) };
  return decision.permission === "allow" ? { behavior: "allow" } : undefined;
}

export const toolAnswer = ({ outcome, reason }: SettledTool) => ({
  permissionDecision: outcome === "pass" ? undefined : outcome,
  permissionDecisionReason: reason ?? undefined,
});

/** The notes for context and changes an agent does not take at this step. */
export function describeUnhonoured(
  decision: StepDecision,
  envelope: Envelope,
  can: readonly string[],
) {
  const changes: readonly (readonly [string, boolean])[] = [
    ["additional_context", contextOf(decision) !== undefined],
    ["prompt", decision.prompt !== null],
    ["output", decision.output !== null],
  ];
  return changes
    .filter(([what, isAsked]) => isAsked && !can.includes(what))
    .map(([what]) => leftOut(what, envelope));
}

interface ToolAnswerOptions {
  readonly ability: StepAbility;
  readonly canAllow: boolean;
}

export function settleTool(
  decision: StepDecision,
  envelope: Envelope,
  { ability, canAllow }: ToolAnswerOptions,
): SettledTool {
  const canAdd = ability.changes.includes("additional_context");
  const context = canAdd ? contextOf(decision) : undefined;
  const notes = describeUnhonoured(decision, envelope, ability.changes);
  const settled = { reason: null, args: decision.args, context, notes };
  const veto = vetoOf(decision, envelope, ability);
  if (veto !== null)
    return {
      ...settled,
      outcome: "deny",
      reason: veto.reason,
      args: null,
      notes: veto.note === null ? notes : [...notes, veto.note],
    };
  if (decision.permission === "ask")
    return { ...settled, outcome: "ask", reason: decision.reason?.trim() || null };
  if (decision.permission !== "allow") return { ...settled, outcome: "pass" };
  if (canAllow) return { ...settled, outcome: "allow", reason: decision.reason?.trim() || null };
  return { ...settled, outcome: "pass", notes: [...notes, leftOut("permission: allow", envelope)] };
}

interface Veto {
  readonly reason: string;
  readonly note: string | null;
}

function vetoOf(decision: StepDecision, envelope: Envelope, ability: StepAbility): Veto | null {
  if (isVeto(decision)) return { reason: reasonOf(decision), note: null };
  if (decision.result !== null)
    return { reason: resultReason(decision.result, envelope), note: null };
  if (decision.args !== null && !ability.changes.includes("args"))
    return {
      reason: rewriteReason(decision.args, envelope),
      note: becameVeto("a rewrite of `args`", envelope),
    };
  if (decision.permission === "ask" && !ability.canAsk)
    return { reason: askReason(decision), note: becameVeto("`permission: ask`", envelope) };
  return null;
}

const becameVeto = (what: string, { agent, step }: Envelope): string =>
  `${agent} cannot honour ${what} at \`${step}\`; became a veto`;

const askReason = ({ reason }: StepDecision): string =>
  ["needs a person's approval, which cannot be asked for here", reason?.trim()]
    .filter(Boolean)
    .join(": ");

function rewriteReason(args: ToolArguments, { tool }: Envelope): string {
  const call = JSON.stringify(args);
  return `not as it was; call \`${tool ?? ""}\` with these arguments instead: ${call}`;
}

function resultReason(result: NonNullable<StepDecision["result"]>, { tool }: Envelope): string {
  const { output, error_output = "", exit_code = 0 } = result;
  const lines = [`answered in place of \`${tool ?? ""}\`, this is its result:`, output];
  if (error_output !== "") lines.push("error output:", error_output);
  if (exit_code !== 0) lines.push(`exit code ${exit_code}`);
  return lines.join("\n");
}
