// The state machine: enter → gate → act → check → exit → next, each an event, until a stage leads to `end`.
import type { JsonValue } from "../../../core/command/context.ts";
import { Fault, formatFault } from "../../../core/command/fault.ts";
import { holds, printExpression } from "../../definition/expression.ts";
import { renderText } from "../../definition/template.ts";
import type { Stage, StageCheck, StageWorkflow } from "../../definition/workflow.ts";
import { type ActEnding, type EachOutputs, performAct } from "./act.ts";
import { decideNext, type StageEnding } from "./decide-next.ts";
import { isYes, perform, runLine } from "./stage-effects.ts";
import {
  type CheckReport,
  pathOf,
  RunEnded,
  type StageEvent,
  type StageRunOptions,
  type StageRunResult,
  type StageVisit,
  scopeOf,
  shortenOutput,
} from "./stage-run.ts";

/** Every ending is a value. */
export async function runStages(
  workflow: StageWorkflow,
  options: StageRunOptions,
): Promise<StageRunResult> {
  try {
    return await new StageMachine(workflow, options).run();
  } catch (error) {
    if (error instanceof RunEnded) return { kind: "ended", reason: error.reason };
    throw error;
  }
}

interface LeftStage {
  readonly ending: StageEnding;
  /** Undefined where the stage did not get to act. */
  readonly output: JsonValue | undefined;
}

class StageMachine {
  readonly #workflow: StageWorkflow;
  readonly #options: StageRunOptions;
  readonly #visits = new Map<string, number>();
  readonly #outputs = new Map<string, JsonValue>();
  #latest: JsonValue = null;
  #hasActed = false;

  constructor(workflow: StageWorkflow, options: StageRunOptions) {
    this.#workflow = workflow;
    this.#options = options;
  }

  async run(): Promise<StageRunResult> {
    const { stages, start } = this.#workflow;
    let stage = this.#stage(start);
    for (;;) {
      const visit = this.#enter(stage);
      const { ending, output } = await this.#pass(visit);
      if (output !== undefined) {
        this.#latest = output;
        this.#outputs.set(stage.name, output);
      }
      const isPassed = ending.kind !== "refused";
      const reason = ending.kind === "refused" ? ending.reason : null;
      this.#report(visit, { phase: "exit", isPassed, reason });
      const scope = scopeOf(this.#look(stage, visit.visit));
      const next = decideNext({ stage, ending, stages, visits: this.#visits, scope });
      const to = next.kind === "stage" ? next.to : next.kind === "end" ? "end" : null;
      this.#report(visit, { phase: "next", to });
      if (next.kind === "failed") return { kind: "failed", stage: stage.name, reason: next.reason };
      if (next.kind === "end")
        return {
          kind: "done",
          stage: stage.name,
          output: this.#latest,
          outputs: Object.fromEntries(this.#outputs),
        };
      stage = this.#stage(next.to);
    }
  }

  #stage(name: string): Stage {
    const stage = this.#workflow.stages[name];
    if (stage === undefined) throw new TypeError(`a workflow was read with a lost stage ${name}`);
    return stage;
  }

  #enter(stage: Stage): StageVisit {
    const number = (this.#visits.get(stage.name) ?? 0) + 1;
    this.#visits.set(stage.name, number);
    const visit = this.#look(stage, number);
    this.#options.narration.phase(stage.name);
    this.#report(visit, { phase: "enter" });
    return visit;
  }

  /** The stage with all that is known so far. */
  #look(stage: Stage, visit: number): StageVisit {
    const { inputs } = this.#options;
    const names = Object.keys(this.#workflow.stages);
    const stages = names.map((name) => [name, { output: this.#outputs.get(name) ?? null }]);
    return {
      workflow: this.#workflow,
      stage,
      visit,
      options: this.#options,
      opening: "",
      base: { inputs: { ...inputs }, stages: Object.fromEntries(stages) },
      outputBefore: this.#latest,
      spent: { calls: 0, tokens: 0 },
    };
  }

  async #pass(visit: StageVisit): Promise<LeftStage> {
    const { when } = visit.stage;
    const isOpen = when === null || holds(when, scopeOf(visit));
    this.#report(visit, { phase: "gate", isOpen });
    if (!isOpen && when !== null) {
      const reason = `\`when: ${printExpression(when)}\` does not hold`;
      return { ending: { kind: "refused", reason }, output: undefined };
    }
    const opening = await this.#readOpening(visit.stage);
    return this.#attempt({ ...visit, opening });
  }

  async #readOpening(stage: Stage): Promise<string> {
    if (this.#hasActed) return "";
    this.#hasActed = true;
    const text = (await this.#options.beforeFirstAct?.(stage)) ?? "";
    if (this.#options.signal.aborted) throw new RunEnded("stopped");
    return text.trim();
  }

  async #attempt(visit: StageVisit): Promise<LeftStage> {
    const { attempts, name } = visit.stage;
    let check: CheckReport | null = null;
    let kept: EachOutputs = new Map();
    for (let number = 1; ; number++) {
      this.#report(visit, { phase: "act", attempt: number });
      const act = await performAct(visit, { number, check, kept });
      check = await this.#check(visit, act, number);
      const { isPassed, output } = check;
      this.#report(visit, { phase: "check", attempt: number, isPassed, output });
      const given = act.kind === "done" || act.kind === "chosen" ? act.output : undefined;
      if (isPassed) return { ending: endingOf(act), output: given };
      const isLast = number >= attempts || (act.kind === "failed" && act.isFinal);
      if (isLast) return { ending: { kind: "refused", reason: output }, output: given };
      kept = act.kind === "partly" ? act.done : new Map();
      const [line = ""] = output.split("\n");
      this.#options.narration.log(
        `${name}: attempt ${number} of ${attempts} did not pass: ${line}`,
      );
    }
  }

  async #check(visit: StageVisit, act: ActEnding, attempt: number): Promise<CheckReport> {
    if (act.kind === "failed" || act.kind === "partly")
      return { isPassed: false, output: shortenOutput(act.reason) };
    for (const [index, check] of visit.stage.checks.entries()) {
      const path = pathOf(visit, attempt, `check/${index}`);
      const report = await runCheck(visit, check, { path, output: act.output });
      if (!report.isPassed) return report;
    }
    return { isPassed: true, output: "" };
  }

  #report(visit: StageVisit, event: PhaseOf<StageEvent>): void {
    this.#options.onEvent?.({ stage: visit.stage, visit: visit.visit, ...event });
  }
}

type PhaseOf<Event> = Event extends StageEvent ? Omit<Event, "stage" | "visit"> : never;

const endingOf = (act: ActEnding): StageEnding =>
  act.kind === "chosen" ? { kind: "chosen", to: act.to } : { kind: "passed" };

async function runCheck(
  visit: StageVisit,
  check: StageCheck,
  { path, output }: { readonly path: string; readonly output: JsonValue },
): Promise<CheckReport> {
  const scope = scopeOf(visit, { output });
  const say = (isPassed: boolean, problem: string): CheckReport => ({
    isPassed,
    output: isPassed ? "" : problem,
  });
  try {
    if (check.kind === "output")
      return say(
        holds(check.expression, scope),
        `\`${printExpression(check.expression)}\` does not hold`,
      );
    if (check.kind === "command") return await runLine(visit, check.line, { path, scope });
    if (check.kind === "file") {
      const file = renderText(check.path, scope);
      const found = await perform(visit, path, { kind: "file", path: file });
      return say(found.kind === "value" && found.value === true, `\`${file}\` is not there`);
    }
    const question = renderText(check.question, scope);
    const effect = { kind: "ask", question, choices: [], isInput: false } as const;
    const answer = await perform(visit, path, effect);
    return say(
      answer.kind === "value" && isYes(answer.value),
      `\`${question}\` was answered with no`,
    );
  } catch (error) {
    if (error instanceof Fault) return say(false, formatFault(error));
    throw error;
  }
}
