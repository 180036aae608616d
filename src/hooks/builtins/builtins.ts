// The handlers that come with the program. A new one is a file beside this, its options in options.ts, and its name here.
import { STEP_RULES, STEPS, type StepName } from "../../core/step/step.ts";
import { askNetwork } from "./ask-network.ts";
import { askBecause, type Builtin, NO_INTERVENTION, vetoBecause } from "./builtin.ts";
import { gitGuard } from "./git-guard.ts";
import { noSecrets } from "./no-secrets.ts";
import type { BuiltinOptions } from "./options.ts";
import { protectPaths } from "./protect-paths.ts";
import { rateLimit } from "./rate-limit.ts";
import { redact } from "./redact.ts";
import { rmGuard } from "./rm.ts";
import { runBeforeStop, testsBeforeStop } from "./run-before-stop.ts";
import { selfProtection } from "./self-protection.ts";

export const findBuiltin = (name: string): Builtin | null =>
  [...BUILTINS, selfProtection].find((builtin) => builtin.name === name) ?? null;

export const builtinNames = (): string[] => BUILTINS.map(({ name }) => name).sort();

// These always say the same; the `match` of the rule decides when.

/** At the end of a turn a veto means that the work goes on, which is not what `deny` says. */
const DENIABLE: readonly StepName[] = STEPS.filter(
  (step) => STEP_RULES[step].canVeto && STEP_RULES[step].vetoWord !== "continue",
);
const PERMISSIBLE: readonly StepName[] = ["before_tool", "before_permission"];

const deny: Builtin<BuiltinOptions<"deny">> = {
  name: "deny",
  description: "refuses the step, with a reason",
  steps: DENIABLE,
  decide: ({ reason }, _, { rule }) => vetoBecause(reason ?? `refused by the rule \`${rule}\``),
};

const allow: Builtin<BuiltinOptions<"deny">> = {
  name: "allow",
  description: "allows the tool without asking, unless another rule is stricter",
  steps: PERMISSIBLE,
  decide: ({ reason }) => ({ permission: "allow", ...(reason === null ? {} : { reason }) }),
};

const ask: Builtin<BuiltinOptions<"deny">> = {
  name: "ask",
  description: "has a person asked before the tool runs",
  steps: PERMISSIBLE,
  decide: ({ reason }, _, { rule }) =>
    askBecause(reason ?? `the rule \`${rule}\` wants a person's approval`),
};

const requireApproval: Builtin<BuiltinOptions<"deny">> = { ...ask, name: "require-approval" };

const audit: Builtin = {
  name: "audit",
  description: "puts the step on record with the rule's name and changes nothing",
  steps: STEPS,
  decide: () => NO_INTERVENTION,
};

const BUILTINS: readonly Builtin[] = [
  ...[allow, ask, askNetwork, audit, deny, gitGuard, noSecrets, protectPaths],
  ...[rateLimit, redact, requireApproval, rmGuard, runBeforeStop, testsBeforeStop],
];
