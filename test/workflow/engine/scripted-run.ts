// A run on a real journal whose workflow is a function of the test and whose paid model is a fake.
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import { newId } from "../../../src/core/command/new-id.ts";
import type { BudgetLimits, ScriptWorkflow } from "../../../src/workflow/definition/workflow.ts";
import { AgentBreakers } from "../../../src/workflow/engine/breakers.ts";
import type { WorkflowEnding } from "../../../src/workflow/engine/census.ts";
import { type Clock, systemClock } from "../../../src/workflow/engine/clock.ts";
import type {
  AgentCall,
  AgentCallEnding,
  AgentEffect,
  Effect,
  EffectOutcome,
  EffectPorts,
  PerformEffect,
} from "../../../src/workflow/engine/effect.ts";
import { executeRun, type RunRequest } from "../../../src/workflow/engine/execute-run.ts";
import type { ChildRunner, FormEnding } from "../../../src/workflow/engine/forms.ts";
import type { Journal } from "../../../src/workflow/journal/journal.ts";
import { openJournal } from "../../../src/workflow/journal/sqlite-journal.ts";

export const USAGE = { inputTokens: 10, outputTokens: 5, totalTokens: 15, costUsd: 0.1 };
export const NO_LIMITS: BudgetLimits = { usd: null, tokens: null, calls: null, timeMs: null };

export const agentEffect = (prompt: string, more: Partial<AgentEffect> = {}): AgentEffect => ({
  ...{ kind: "agent", prompt, label: null, phase: null, agent: null, model: null, effort: null },
  ...{ schema: null, isolation: null, agentType: null, timeoutMs: null, maxUsd: null },
  ...{ conversation: "fresh", stage: null },
  ...more,
});

export const done = (text: string, data: JsonValue = null): AgentCallEnding => ({
  ...{ kind: "done", text, data, attempts: 1, usage: USAGE },
});

/** What a test's workflow may do. `at` is where it stands. */
interface ScriptTools {
  agent(prompt: string, more?: Partial<AgentEffect>, at?: string): Promise<JsonValue>;
  effect(effect: Effect, at?: string): Promise<JsonValue>;
  runChild: ChildRunner;
  signal: AbortSignal;
}

/** Ends the script where nothing may catch it. */
class Ended extends Error {}

export type TestScript = (tools: ScriptTools) => Promise<JsonValue | undefined>;

function toolsFor(perform: PerformEffect, runChild: ChildRunner, signal: AbortSignal): ScriptTools {
  const unwrap = (outcome: EffectOutcome): JsonValue => {
    if (outcome.kind === "value") return outcome.value;
    if (outcome.kind === "null") return null;
    if (outcome.kind === "thrown") throw new Error(outcome.message);
    throw new Ended(outcome.reason);
  };
  return {
    agent: async (prompt, more = {}, path = "") =>
      unwrap(await perform({ path, effect: agentEffect(prompt, more) })),
    effect: async (effect, path = "") => unwrap(await perform({ path, effect })),
    runChild,
    signal,
  };
}

/** The dialect's own `parallel`: a throw is null in its slot, but an end is an end. */
export const parallel = <Result>(work: readonly (() => Promise<Result>)[]) =>
  Promise.all(
    work.map((act) =>
      act().catch((error: unknown) => {
        if (error instanceof Ended) throw error;
        return null;
      }),
    ),
  );

async function runTestScript(script: TestScript, tools: ScriptTools): Promise<FormEnding> {
  try {
    return { kind: "returned", value: await script(tools) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof Ended ? { kind: "ended", reason: message } : { kind: "threw", message };
  }
}

const scriptWorkflow = (name: string, source = name): ScriptWorkflow => ({
  ...{ form: "script", name, description: name, file: `/${name}.js`, source, hash: source },
  ...{ whenToUse: null, phases: [], body: source },
});

export interface RunFixture {
  readonly journal: Journal;
  readonly runId: string;
  /** Prompts of the calls that were made, in order of their start, over all executions. */
  readonly billed: string[];
  readonly calls: AgentCall[];
  execute(script: TestScript, more?: Partial<RunRequest>): Promise<WorkflowEnding>;
}

interface FixtureOptions {
  readonly callAgent?: (call: AgentCall) => Promise<AgentCallEnding>;
  readonly ports?: Partial<EffectPorts>;
  readonly limits?: Partial<BudgetLimits>;
  readonly atOnce?: number;
  readonly clock?: Clock;
  readonly backoffMs?: readonly number[];
  readonly children?: Readonly<Record<string, TestScript>>;
}

export function addTestRun(journal: Journal, more: Partial<Parameters<Journal["addRun"]>[0]> = {}) {
  const id = more.id ?? `wf_${newId().replaceAll("-", "").slice(0, 12)}`;
  journal.addRun({
    ...{ id, workflow: "test", form: "script", file: "/test.js", source: "", sourceHash: "" },
    ...{ args: undefined, root: "/", cwd: "/", sessionId: null, agent: "claude", model: null },
    ...{ mode: null, limits: NO_LIMITS, atOnce: 16, status: "running", reason: null },
    ...{ waitingUntil: null, phase: null, result: undefined, endedAt: null },
    createdAt: new Date().toISOString(),
    ...more,
  });
  return id;
}

export function createRun(stateDir: string, options: FixtureOptions = {}): RunFixture {
  const { clock = systemClock, limits = {}, atOnce = 16, backoffMs = [20] } = options;
  const journal = openJournal(stateDir);
  const runId = addTestRun(journal, { limits: { ...NO_LIMITS, ...limits }, atOnce });
  const breakers = new AgentBreakers({ journal, clock, backoffMs });
  onTestFinished(() => {
    breakers.close();
    journal.close();
  });
  const billed: string[] = [];
  const calls: AgentCall[] = [];
  const answer = options.callAgent ?? (async ({ effect }) => done(`answer to ${effect.prompt}`));
  const ports: EffectPorts = {
    statesCost: () => true,
    callAgent: async (call) => {
      billed.push(call.effect.prompt);
      calls.push(call);
      return answer(call);
    },
    runCommand: async () => ({ exitCode: 0, output: "", errorOutput: "", metadata: null }),
    ask: async () => null,
    ...options.ports,
  };
  const execute = (script: TestScript, more: Partial<RunRequest> = {}) =>
    executeRun({
      ...{ runId, journal, ports, breakers, clock, newId, env: {} },
      workflow: scriptWorkflow("test"),
      forms: {
        runScript: ({ workflow, perform, runChild, signal }) => {
          const chosen = workflow.name === "test" ? script : options.children?.[workflow.name];
          return runTestScript(chosen ?? script, toolsFor(perform, runChild, signal));
        },
        runStages: () => Promise.reject(new Error("no stages here")),
        readWorkflow: async (reference) => {
          if (typeof reference !== "string" || !options.children?.[reference])
            throw new Error(`there is no workflow \`${JSON.stringify(reference)}\``);
          return scriptWorkflow(reference);
        },
      },
      narration: { log: () => {}, phase: () => {} },
      signal: new AbortController().signal,
      ...more,
    });
  return { journal, runId, billed, calls, execute };
}

/** Never answers, but ends when it is called off. */
export const untilCancelled = async ({ signal }: AgentCall): Promise<AgentCallEnding> => {
  while (!signal.aborted) await pause(2);
  return { kind: "cancelled", usage: USAGE };
};
