import type { JsonValue } from "../../../src/core/command/context.ts";
import type {
  AgentEffect,
  EffectOutcome,
  EffectRequest,
} from "../../../src/workflow/engine/effect.ts";
import type { ScriptEnding } from "../../../src/workflow/script/ending.ts";
import { runScript, type ScriptOptions } from "../../../src/workflow/script/run-script.ts";

export interface BodyRun {
  readonly ending: ScriptEnding;
  readonly requests: readonly EffectRequest[];
  readonly log: readonly string[];
  readonly phases: readonly string[];
}

export const value = (result: JsonValue, outputTokens = 0): EffectOutcome => ({
  kind: "value",
  value: result,
  outputTokens,
});

type Answer = (request: EffectRequest) => EffectOutcome | Promise<EffectOutcome>;

/** Runs a script's text in a real process; without another answer every prompt is its own. */
export async function runBody(
  body: string,
  options: Partial<ScriptOptions> & { readonly answer?: Answer } = {},
): Promise<BodyRun> {
  const { answer = echo, ...rest } = options;
  const requests: EffectRequest[] = [];
  const log: string[] = [];
  const phases: string[] = [];
  const ending = await runScript({
    body,
    file: "/project/workflow.js",
    args: undefined,
    budgetTotal: null,
    perform: async (request) => {
      requests.push(request);
      return answer(request);
    },
    runChild: null,
    narration: { log: (text) => log.push(text), phase: (title) => phases.push(title) },
    signal: new AbortController().signal,
    ...rest,
  });
  return { ending, requests, log, phases };
}

export const echo = ({ effect }: EffectRequest): EffectOutcome =>
  value(effect.kind === "agent" ? effect.prompt : effect.kind);

/** What it returned; a script that ended otherwise fails the test with how. */
export function returned({ ending }: BodyRun): JsonValue | undefined {
  if (ending.kind !== "returned") throw new Error(JSON.stringify(ending));
  return ending.value;
}

export const agentEffects = ({ requests }: BodyRun): AgentEffect[] =>
  requests.flatMap(({ effect }) => (effect.kind === "agent" ? [effect] : []));

/** `prompt @ path` of every agent's call. */
export const pathsOf = ({ requests }: BodyRun): string[] =>
  requests.map(
    ({ path, effect }) => `${effect.kind === "agent" ? effect.prompt : effect.kind} @ ${path}`,
  );
