import { findBuiltin } from "../builtins/find-builtin.ts";
import type { HookRule, RuleRun } from "../rule.ts";
import type { StepSubject } from "../subject.ts";
import type { Verdict } from "../verdict.ts";
import { handlerEnvironment } from "./handler-environment.ts";
import type { HandlerOutcome } from "./handler-outcome.ts";
import type { HandlerPlace } from "./handler-place.ts";
import { readGiven } from "./read-answer.ts";

type BuiltinRun = Extract<RuleRun, { type: "builtin" }>;

export async function runBuiltinHandler(
  rule: HookRule & { readonly run: BuiltinRun },
  subject: StepSubject,
  place: HandlerPlace,
): Promise<HandlerOutcome> {
  const { signal, stateDir, timeoutMs } = place;
  const builtin = findBuiltin(rule.run.builtin);
  // The compiled form may be another version's.
  if (builtin === null)
    return { kind: "error", problem: `there is no builtin \`${rule.run.builtin}\`` };
  const reading = builtin.readOptions(rule.run.with ?? undefined);
  if (reading.kind === "invalid") return { kind: "error", problem: reading.problem };
  const env = handlerEnvironment(rule, subject, place.env);
  const own = { rule: rule.name, stateDir, now: new Date(), env };
  const decide = (within: AbortSignal): Verdict | Promise<Verdict> =>
    builtin.decide(reading.options, subject, { ...own, signal: within });
  const ending = await withinTime(decide, { signal, timeoutMs });
  if (ending.kind !== "done") return ending;
  return readGiven({ step: subject.envelope.step, value: ending.value, stderr: null });
}

type Ending<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | Extract<HandlerOutcome, { kind: "error" | "cancelled" }>;

/** Ends when time does, whether or not the work heeds its signal. */
async function withinTime<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  { signal, timeoutMs }: Pick<HandlerPlace, "signal" | "timeoutMs">,
): Promise<Ending<Value>> {
  const limit = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const within = AbortSignal.any([signal, limit]);
  const ended = new Promise<Ending<Value>>((resolve) => {
    within.addEventListener("abort", () =>
      resolve(
        signal.aborted
          ? { kind: "cancelled" }
          : { kind: "error", problem: `it did not answer within ${Math.ceil(timeoutMs)} ms` },
      ),
    );
  });
  const done = Promise.resolve(work(within)).then((value) => ({ kind: "done", value }) as const);
  return Promise.race([done, ended]);
}
