// A handler that comes with the program: it runs right here, within the time that its rule has.
import type { OptionsReading } from "../../core/command/definition.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import { findBuiltin } from "../builtins/builtins.ts";
import type { HookRule, RuleRun } from "../match/rule.ts";
import { handlerEnvironment } from "./environment.ts";
import { type HandlerOutcome, readGiven } from "./protocol.ts";
import type { HandlerContext } from "./run.ts";

type BuiltinRun = Extract<RuleRun, { type: "builtin" }>;

export async function runBuiltinHandler(
  rule: HookRule & { readonly run: BuiltinRun },
  subject: StepSubject,
  context: HandlerContext,
): Promise<HandlerOutcome> {
  const { signal, stateDir, sessionDir, timeoutMs } = context;
  const builtin = findBuiltin(rule.run.builtin);
  // The compiled form may be another version's.
  if (builtin === null)
    return { kind: "error", problem: `there is no builtin \`${rule.run.builtin}\`` };
  const reading = await optionsOf(rule.run);
  if (reading.kind === "invalid") return { kind: "error", problem: reading.problem };
  const env = handlerEnvironment(rule, subject, context.env);
  const own = { rule: rule.name, stateDir, sessionDir, now: new Date(), env };
  const decide = (within: AbortSignal): Verdict | Promise<Verdict> =>
    builtin.decide(reading.options, subject, { ...own, signal: within });
  const ending = await withinTime(decide, { signal, timeoutMs });
  if (ending.kind !== "done") return ending;
  return readGiven({ step: subject.envelope.step, value: ending.value, stderr: null });
}

/** Read when the rule was compiled; only a form that an older version kept has them still to be read. */
async function optionsOf({
  builtin,
  options,
  ...run
}: BuiltinRun): Promise<OptionsReading<unknown>> {
  if (options !== undefined) return { kind: "options", options };
  const { readBuiltinOptions } = await import("../builtins/options.ts");
  return readBuiltinOptions(builtin, run.with);
}

type Ending<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | Extract<HandlerOutcome, { kind: "error" | "cancelled" }>;

/** Ends when time does, whether or not the work heeds its signal. */
async function withinTime<Value>(
  work: (signal: AbortSignal) => Value | Promise<Value>,
  { signal, timeoutMs }: Pick<HandlerContext, "signal" | "timeoutMs">,
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
