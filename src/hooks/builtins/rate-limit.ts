// So many steps in so much time, counted over all processes.
import type { StepName } from "../step.ts";
import type { StepSubject } from "../subject.ts";
import type { Builtin } from "./builtin.ts";
import { choice, count, duration, optionalText, readFields } from "./read-fields.ts";
import { ACTIONS, type Action, act, NO_INTERVENTION } from "./verdicts.ts";

const SCOPES = ["session", "project", "agent", "all"] as const;
type Scope = (typeof SCOPES)[number];

interface RateOptions {
  readonly limit: number;
  readonly per: number;
  readonly by: Scope;
  readonly action: Action;
  readonly reason: string | null;
}

const STEPS: readonly StepName[] = [
  ...(["before_tool", "before_permission", "before_prompt"] as const),
  ...(["before_command", "subagent_start"] as const),
];

export const rateLimit: Builtin<RateOptions> = {
  name: "rate-limit",
  description: "lets a step pass only so many times in so much time",
  steps: STEPS,
  readOptions: (raw) =>
    readFields(raw, {
      limit: count,
      per: duration(null),
      by: choice(SCOPES, "session"),
      action: choice(ACTIONS, "deny"),
      reason: optionalText,
    }),
  async decide(options, subject, { rule, stateDir, now }) {
    const { takeTurn } = await import("../../storage/rate-counts.ts");
    const key = JSON.stringify([rule, options.by, scopeOf(options.by, subject)]);
    const { limit, per: windowMs } = options;
    const turn = takeTurn(stateDir, { key, limit, windowMs, now: now.getTime() });
    if (turn.kind === "taken") return NO_INTERVENTION;
    const wait = Math.max(1, Math.ceil((turn.freeAt - now.getTime()) / 1_000));
    const why = options.reason ?? `the rule \`${rule}\` allows ${limit} in ${windowMs / 1_000} s`;
    return act(options.action, `${why}; the next one is free in ${wait} s`);
  },
};

function scopeOf(by: Scope, { envelope, root }: StepSubject): string {
  if (by === "session") return `${envelope.agent} ${envelope.session_id}`;
  if (by === "project") return root;
  return by === "agent" ? envelope.agent : "";
}
