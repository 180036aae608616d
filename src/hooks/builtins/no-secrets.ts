// Keeps secrets out of files and commits.
import type { StepName } from "../step.ts";
import type { Builtin } from "./builtin.ts";
import { choice, flag, optionalText, readFields } from "./read-fields.ts";
import { ACTIONS, type Action, act, NO_INTERVENTION } from "./verdicts.ts";

interface SecretOptions {
  readonly commits: boolean;
  readonly action: Action;
  readonly reason: string | null;
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const noSecrets: Builtin<SecretOptions> = {
  name: "no-secrets",
  description: "keeps secrets out of what is written and out of what `git commit` would record",
  steps: STEPS,
  readOptions: (raw) =>
    readFields(raw, {
      commits: flag(true),
      action: choice(ACTIONS, "deny"),
      reason: optionalText,
    }),
  async decide({ commits, action, reason }, subject, { env, signal }) {
    const { findSecret } = await import("./find-secret.ts");
    const where = await findSecret(subject, { commits, env, signal });
    if (where === null) return NO_INTERVENTION;
    return act(
      action,
      reason ?? `there is a secret in ${where}; take it from the environment instead`,
    );
  },
};
