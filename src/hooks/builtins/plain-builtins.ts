// Builtins that always say the same; the rule's `match` decides when.
import { STEP_RULES, STEPS, type StepName } from "../step.ts";
import type { Builtin } from "./builtin.ts";
import { optionalText, readFields } from "./read-fields.ts";
import { askPerson, NO_INTERVENTION, refuse } from "./verdicts.ts";

interface ReasonOptions {
  readonly reason: string | null;
}

const readReason = (raw: unknown) => readFields(raw, { reason: optionalText });

/** At the end of a turn a veto means that the work goes on, which is not what `deny` says. */
const DENIABLE: readonly StepName[] = STEPS.filter(
  (step) => STEP_RULES[step].canVeto && STEP_RULES[step].vetoWord !== "continue",
);
const PERMISSIBLE: readonly StepName[] = ["before_tool", "before_permission"];

export const deny: Builtin<ReasonOptions> = {
  name: "deny",
  description: "refuses the step, with a reason",
  steps: DENIABLE,
  readOptions: readReason,
  decide: ({ reason }, _, { rule }) => refuse(reason ?? `refused by the rule \`${rule}\``),
};

export const allow: Builtin<ReasonOptions> = {
  name: "allow",
  description: "allows the tool without asking, unless another rule is stricter",
  steps: PERMISSIBLE,
  readOptions: readReason,
  decide: ({ reason }) => ({ permission: "allow", ...(reason === null ? {} : { reason }) }),
};

export const ask: Builtin<ReasonOptions> = {
  name: "ask",
  description: "has a person asked before the tool runs",
  steps: PERMISSIBLE,
  readOptions: readReason,
  decide: ({ reason }, _, { rule }) =>
    askPerson(reason ?? `the rule \`${rule}\` wants a person's approval`),
};

export const requireApproval: Builtin<ReasonOptions> = { ...ask, name: "require-approval" };

export const audit: Builtin<Readonly<Record<never, never>>> = {
  name: "audit",
  description: "puts the step on record with the rule's name and changes nothing",
  steps: STEPS,
  readOptions: (raw) => readFields(raw, {}),
  decide: () => NO_INTERVENTION,
};
