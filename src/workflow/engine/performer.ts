// The one function through which every effect of a run goes: what is finished answers from the journal, the rest is done.
import { Fault, formatFault } from "../../core/command/fault.ts";
import { MASK } from "../../core/secrets/mask.ts";
import type { JournalEntry } from "../journal/journal.ts";
import { chooseAct, findValue, isValueEffect, type ValueEffect } from "./acts.ts";
import { describeAsked, labelEffect, type ResolvedEffect, resolveEffect } from "./content-key.ts";
import {
  type EffectOutcome,
  type EffectRequest,
  OPENING_PATH,
  type PerformEffect,
} from "./effect.ts";
import type { RunExecution } from "./execution.ts";
import { LiveEffect } from "./live-effect.ts";
import { isSettled } from "./recorded-calls.ts";

const MAX_CALLS = 10_000;

/** What is asked, where, and what the journal has of it. */
interface KnownRequest {
  readonly resolved: ResolvedEffect;
  readonly path: string;
  readonly ordinal: number;
  readonly known: JournalEntry | null;
}

export function createPerformer(execution: RunExecution): PerformEffect {
  const counts = { calls: 0, values: 0 };
  return async (request) => {
    if (execution.end !== null) return execution.ended();
    const unit = isValueEffect(request.effect) ? "values" : "calls";
    if (++counts[unit] > MAX_CALLS)
      return { kind: "thrown", message: `a run may make at most ${MAX_CALLS} ${unit}` };
    try {
      return await execution.follow(perform(execution, request));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.class !== "Storage") return { kind: "thrown", message: formatFault(error) };
      // A journal that cannot be written ends the run, and whoever resumes it loses nothing that was handed on.
      execution.breakOff(error);
      return execution.ended();
    }
  };
}

async function perform(
  execution: RunExecution,
  { path, effect }: EffectRequest,
): Promise<EffectOutcome> {
  const resolved = resolveEffect(execution.run, effect);
  const refusal = effect.kind === "agent" ? refuseCall(execution, resolved) : null;
  if (refusal !== null) return { kind: "thrown", message: refusal };
  const { entry: key, ordinal } = execution.recorded.find({ path, content: resolved.content });
  const { journal, run } = execution;
  const known = key === null ? null : journal.readEntry(run.id, key.number);
  if (known !== null && isSettled(known) && !mustBeAskedAgain(known)) return replay(known);
  const request = { resolved, path, ordinal, known };
  if (isValueEffect(effect)) return makeValue(execution, effect, request);
  return new LiveEffect(execution, { ...request, ...chooseAct(execution, effect) }).run();
}

/** The secret in an answer was not kept, and a script would go on with what stands in its place. */
const mustBeAskedAgain = ({ kind, path, result }: JournalEntry): boolean =>
  kind === "ask" && path !== OPENING_PATH && typeof result === "string" && result.includes(MASK);

function refuseCall({ run, ports }: RunExecution, { agent, model }: ResolvedEffect): string | null {
  if (agent === null) return "no agent is named, and the run has none";
  return run.limits.usd !== null && !ports.statesCost(agent, model)
    ? describeCostless(agent, model)
    : null;
}

export const describeCostless = (agent: string, model: string | null): string =>
  `agent \`${agent}\` does not say what it costs, and there is no price for ${model === null ? "its default model" : `\`${model}\``}: a limit in dollars cannot be kept`;

function replay({ status, result = null, usage }: JournalEntry): EffectOutcome {
  const outputTokens = usage?.outputTokens ?? 0;
  return status === "done"
    ? { kind: "value", value: result, outputTokens }
    : { kind: "null", reason: "skipped", outputTokens };
}

/** Begun and done at once, so that it is one write. */
async function makeValue(
  execution: RunExecution,
  effect: ValueEffect,
  { resolved, path, ordinal, known }: KnownRequest,
): Promise<EffectOutcome> {
  const { journal, run, clock } = execution;
  const value = findValue(execution, effect);
  const asked = describeAsked(effect, clock.now());
  const label = labelEffect(effect);
  const { kind } = effect;
  await journal.together(() => {
    const entry = { kind, path, content: resolved.content, ordinal, label, asked };
    const number =
      known?.number ??
      journal.begin(run.id, { ...entry, phase: null, agent: null, model: null, sessionId: null });
    journal.change(run.id, number, { status: "done", result: value });
  });
  return { kind: "value", value, outputTokens: 0 };
}
