// What a stage does: a turn, a command, a question, another workflow, or one of these for each entry of a list.
import { readAnswerSchema } from "../../../agents/log/json-answer.ts";
import type { JsonValue } from "../../../core/command/context.ts";
import { Fault, formatFault } from "../../../core/command/fault.ts";
import { jsonOrText } from "../../../core/project/json-value.ts";
import { evaluateExpression } from "../../definition/expression.ts";
import { renderText } from "../../definition/template.ts";
import type { StageAct } from "../../definition/workflow.ts";
import type { AgentEffect } from "../effect.ts";
import { isYes, perform, runLine } from "./stage-effects.ts";
import {
  type CheckReport,
  pathOf,
  RunEnded,
  type StageScope,
  type StageVisit,
  scopeOf,
} from "./stage-run.ts";

export type ActEnding =
  | { readonly kind: "done"; readonly output: JsonValue }
  | { readonly kind: "chosen"; readonly to: string; readonly output: JsonValue }
  /** `isFinal` where acting again would come to the same. */
  | { readonly kind: "failed"; readonly reason: string; readonly isFinal: boolean }
  /** Of a list some did what they should. */
  | { readonly kind: "partly"; readonly reason: string; readonly done: EachOutputs };

/** By the place in the list. */
export type EachOutputs = ReadonlyMap<number, JsonValue>;

export interface Attempt {
  readonly number: number;
  /** Of the attempt before. */
  readonly check: CheckReport | null;
  /** What needs not be done again of a list, because only others failed. */
  readonly kept: EachOutputs;
}

type OneAct = Exclude<StageAct, { kind: "each" } | { kind: "ask" }>;

const failed = (reason: string, isFinal = false): ActEnding => ({
  kind: "failed",
  reason,
  isFinal,
});

/** Throws `RunEnded` where the run as a whole is over. */
export async function performAct(visit: StageVisit, attempt: Attempt): Promise<ActEnding> {
  const { act } = visit.stage;
  const scope = scopeOf(visit, attempt.check === null ? {} : { check: attempt.check });
  if (act.kind === "each") return performEach(visit, act, { attempt, scope });
  const path = pathOf(visit, attempt.number, "act");
  if (act.kind === "ask") return withFaults(() => performAsk(visit, act, { path, scope }));
  return performOne(visit, act, { path, scope, check: attempt.check, slot: null });
}

/** A template that makes too much of a value is a failed act; a bug stays one. */
async function withFaults(perform: () => Promise<ActEnding>): Promise<ActEnding> {
  try {
    return await perform();
  } catch (error) {
    if (error instanceof Fault) return failed(formatFault(error), true);
    throw error;
  }
}

async function performAsk(
  visit: StageVisit,
  act: Extract<StageAct, { kind: "ask" }>,
  { path, scope }: { readonly path: string; readonly scope: StageScope },
): Promise<ActEnding> {
  const choices = Object.keys(act.choices ?? {});
  const question = renderText(act.question, scope);
  const answer = await perform(visit, path, { kind: "ask", question, choices, isInput: false });
  if (answer.kind !== "value") return failed(answer.reason, true);
  if (act.choices === null)
    return isYes(answer.value) ? { kind: "done", output: true } : failed("the answer was no", true);
  const chosen = typeof answer.value === "string" ? answer.value : "";
  const to = Object.hasOwn(act.choices, chosen) ? act.choices[chosen] : undefined;
  return to === undefined
    ? failed(`the answer \`${chosen}\` is none of the choices`, true)
    : { kind: "chosen", to, output: chosen };
}

interface Performance {
  readonly path: string;
  readonly scope: StageScope;
  readonly check: CheckReport | null;
  /** The place in a list; null for an act of its own. */
  readonly slot: number | null;
}

const performOne = (visit: StageVisit, act: OneAct, performance: Performance): Promise<ActEnding> =>
  withFaults(() => {
    if (act.kind === "prompt") return performTurn(visit, act.prompt, performance);
    if (act.kind === "command") return performCommand(visit, act.line, performance);
    return performWorkflow(visit, act, performance);
  });

async function performTurn(
  visit: StageVisit,
  template: string,
  { path, scope, check, slot }: Performance,
): Promise<ActEnding> {
  const spent = findSpentBudget(visit);
  if (spent !== null) return failed(spent, true);
  visit.spent.calls += 1;
  const text = renderText(template, scope);
  // Whoever does not say where it belongs gets it at the end: to be asked the same again helps nobody.
  const isTold = /\bcheck\b/.test(template);
  const again = check === null || isTold ? "" : `\n\nThe check did not pass:\n${check.output}`;
  const opening = visit.opening === "" ? "" : `\n\n${visit.opening}`;
  const outcome = await perform(visit, path, turnOf(visit, `${text}${opening}${again}`, slot));
  if (outcome.kind !== "value") return failed(outcome.reason, outcome.isFinal);
  visit.spent.tokens += outcome.outputTokens;
  return { kind: "done", output: outcome.value };
}

function findSpentBudget({ stage, spent }: StageVisit): string | null {
  const { calls, tokens } = stage.budget;
  if (calls !== null && spent.calls >= calls) return `its budget of ${calls} calls is used up`;
  return tokens !== null && spent.tokens >= tokens
    ? `its budget of ${tokens} tokens is used up`
    : null;
}

function turnOf({ workflow, stage }: StageVisit, prompt: string, slot: number | null): AgentEffect {
  const { name, act, posture, commands, hide, budget } = stage;
  const isIsolated = stage.isolate || (act.kind === "each" && act.isolate);
  const limits = [stage.timeoutMs, budget.timeMs].filter((limit) => limit !== null);
  return {
    kind: "agent",
    prompt,
    label: slot === null ? name : `${name} ${slot + 1}`,
    phase: name,
    agent: stage.agent ?? workflow.agent,
    model: stage.model ?? workflow.model,
    effort: null,
    schema: stage.output,
    isolation: isIsolated ? "worktree" : null,
    agentType: null,
    timeoutMs: limits.length === 0 ? null : Math.min(...limits),
    maxUsd: budget.usd,
    // Several at once, or in another folder, cannot share one thread.
    conversation: act.kind === "each" || isIsolated ? "fresh" : stage.conversation,
    stage: { stage: name, mode: stage.mode ?? workflow.mode, posture, commands, hide },
  };
}

async function performCommand(
  visit: StageVisit,
  line: string,
  { path, scope }: Performance,
): Promise<ActEnding> {
  const ran = await runLine(visit, line, { path, scope });
  if (!ran.isPassed) return failed(ran.output);
  const { output: schema } = visit.stage;
  return schema === null
    ? { kind: "done", output: ran.output }
    : checkFit(schema, ran.metadata ?? jsonOrText(ran.output));
}

/** What an act gave that no agent was asked for in this form. */
function checkFit(schema: object, value: JsonValue): ActEnding {
  const reading = readAnswerSchema(schema);
  const problem = reading.kind === "invalid" ? reading.problem : reading.check(value);
  return problem === null
    ? { kind: "done", output: value }
    : failed(`the output does not fit: ${problem}`);
}

async function performWorkflow(
  visit: StageVisit,
  act: Extract<OneAct, { kind: "workflow" }>,
  { path, scope }: Performance,
): Promise<ActEnding> {
  const { runChild, signal } = visit.options;
  const inputs = Object.fromEntries(
    Object.entries(act.inputs).map(([name, value]) => [
      name,
      typeof value === "string" ? renderText(value, scope) : value,
    ]),
  );
  const ending = await runChild({ name: act.name, inputs, path, signal });
  if (ending.kind === "ended") throw new RunEnded(ending.reason);
  if (ending.kind === "failed") return failed(ending.reason);
  const { output: schema } = visit.stage;
  return schema === null ? { kind: "done", output: ending.value } : checkFit(schema, ending.value);
}

const MAX_ITEMS = 4_096;

async function performEach(
  visit: StageVisit,
  act: Extract<StageAct, { kind: "each" }>,
  { attempt, scope }: { readonly attempt: Attempt; readonly scope: StageScope },
): Promise<ActEnding> {
  const items = evaluateExpression(act.in, scope);
  if (!isList(items)) return failed("`in` of `each` is no list", true);
  if (items.length > MAX_ITEMS)
    return failed(`\`each\` has ${items.length} entries, at most ${MAX_ITEMS} are allowed`, true);
  const done = new Map(attempt.kept);
  const problems = new Map<number, string>();
  const pending = items.keys();
  const work = async (): Promise<void> => {
    for (const slot of pending) {
      if (done.has(slot)) continue;
      const path = pathOf(visit, attempt.number, `each/${slot}`);
      const own = { ...scope, [act.as]: items[slot] ?? null };
      const { check } = attempt;
      const ending = await performOne(visit, act.do, { path, scope: own, check, slot });
      if (ending.kind === "done") done.set(slot, ending.output);
      else if (ending.kind === "failed") problems.set(slot, ending.reason);
    }
  };
  const workers = Array.from({ length: Math.min(act.atOnce, items.length) }, work);
  // All of them: what is under way when one ends the run is not left behind unwatched.
  const ends = await Promise.allSettled(workers);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  if (problems.size === 0)
    return { kind: "done", output: items.map((_, slot) => done.get(slot) ?? null) };
  const reasons = [...problems].sort(([one], [other]) => one - other);
  const reason = reasons.map(([slot, why]) => `entry ${slot + 1}: ${why}`).join("\n");
  return { kind: "partly", reason, done };
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
