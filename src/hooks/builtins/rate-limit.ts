// So many steps in so much time, counted over all processes.
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import { actBecause, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import type { BuiltinOptions } from "./options.ts";

type RateOptions = BuiltinOptions<"rate-limit">;

const STEPS: readonly StepName[] = [
  ...(["before_tool", "before_permission", "before_prompt"] as const),
  ...(["before_command", "subagent_start"] as const),
];

export const rateLimit: Builtin<RateOptions> = {
  name: "rate-limit",
  description: "lets a step pass only so many times in so much time",
  steps: STEPS,
  async decide(options, subject, { rule, stateDir, now }) {
    const { countCall } = await import("../../core/store/rate-counts.ts");
    const key = JSON.stringify([rule, options.by, scopeOf(options.by, subject)]);
    const { limit, per: windowMs } = options;
    const turn = countCall(stateDir, { key, limit, windowMs, now: now.getTime() });
    if (turn.kind === "taken") return NO_INTERVENTION;
    const wait = Math.max(1, Math.ceil((turn.freeAt - now.getTime()) / 1_000));
    const why = options.reason ?? `the rule \`${rule}\` allows ${limit} in ${windowMs / 1_000} s`;
    return actBecause(options.action, `${why}; the next one is free in ${wait} s`);
  },
};

function scopeOf(by: RateOptions["by"], { envelope, root }: StepSubject): string {
  if (by === "session") return `${envelope.agent} ${envelope.session_id}`;
  if (by === "project") return root;
  return by === "agent" ? envelope.agent : "";
}
