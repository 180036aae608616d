// Rules by which tools pass unasked, in the language of `match`; a bare text is a shell line's glob.
import type { JsonValue } from "../../core/command/context.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";
import { showRule } from "../../hooks/inbox/approval-question.ts";
import { matchRule } from "../../hooks/match/match-rule.ts";
import type { RuleMatch } from "../../hooks/match/rule.ts";
import type { MatchedPosture } from "./decide.ts";

export type AllowRuleReading =
  | { readonly kind: "rule"; readonly match: RuleMatch }
  | { readonly kind: "invalid"; readonly problem: string };

/** Reads one rule as a person or a session has it. */
export async function readAllowRule(rule: JsonValue): Promise<AllowRuleReading> {
  const { readMatch } = await import("../../hooks/match/read-match.ts");
  return readMatch(typeof rule === "string" ? { kind: "shell", command: rule } : rule);
}

/** The first rule that allows the call, as it is shown; a rule that cannot be read allows nothing. */
export async function findAllowing(
  rules: readonly JsonValue[],
  subject: StepSubject,
): Promise<string | null> {
  for (const rule of rules) {
    const reading = await readAllowRule(rule);
    if (reading.kind === "rule" && matchRule(reading.match, subject, "loosens").matches)
      return showRule(rule);
  }
  return null;
}

/** What a workflow's stage says of tools. */
export interface Posture {
  /** As a person knows it: `stage plan`. */
  readonly stage: string;
  readonly rules: readonly { readonly action: Permission; readonly match: RuleMatch }[];
}

const STRICTEST_FIRST: readonly Permission[] = ["deny", "ask", "allow"];

/** The strictest rule that speaks of the call; null where none does. */
export function findPosture(posture: Posture | null, subject: StepSubject): MatchedPosture | null {
  if (posture === null) return null;
  const { stage, rules } = posture;
  const action = STRICTEST_FIRST.find((wanted) => {
    const manner = wanted === "allow" ? "loosens" : "restricts";
    const isMeant = rules.filter((rule) => rule.action === wanted);
    return isMeant.some(({ match }) => matchRule(match, subject, manner).matches);
  });
  return action === undefined ? null : { action, stage };
}
