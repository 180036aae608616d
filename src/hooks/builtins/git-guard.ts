// Refuses git commands that lose work, knowing git's own options.
import type { StepName } from "../step.ts";
import type { Builtin } from "./builtin.ts";
import { FORBIDDABLE, type Forbidden } from "./git-offence.ts";
import { choice, choices, optionalText, readFields, texts } from "./read-fields.ts";
import { ACTIONS, type Action, act, NO_INTERVENTION } from "./verdicts.ts";

export interface GitOptions {
  readonly forbid: readonly Forbidden[];
  readonly protected_branches: readonly string[];
  readonly action: Action;
  readonly reason: string | null;
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission", "before_command"];

/** All but what loses nothing that others have, and what many want. */
const DEFAULTS: readonly Forbidden[] = FORBIDDABLE.filter(
  (each) => each !== "force-with-lease" && each !== "no-verify",
);

export const gitGuard: Builtin<GitOptions> = {
  name: "git",
  description: "refuses git commands that lose work: force pushes, hard resets, cleaning, …",
  steps: STEPS,
  readOptions: (raw) =>
    readFields(raw, {
      forbid: choices(FORBIDDABLE, DEFAULTS),
      protected_branches: texts([]),
      action: choice(ACTIONS, "deny"),
      reason: optionalText,
    }),
  async decide(options, subject, { rule, env, signal }) {
    const { findOffence } = await import("./find-offence.ts");
    const offence = await findOffence(options, subject, { env, signal });
    if (offence === null) return NO_INTERVENTION;
    const why = options.reason === null ? "" : `; ${options.reason}`;
    return act(options.action, `\`${rule}\`: ${offence.what} (\`${offence.text}\`)${why}`);
  },
};
