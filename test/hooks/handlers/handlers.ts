// How these tests run one handler, and look for what is left of it.

import type { StepSubject } from "../../../src/core/step/envelope.ts";
import { runHookHandler } from "../../../src/hooks/handlers/run.ts";
import type { HookRule, RuleRun } from "../../../src/hooks/match/rule.ts";
import { sampleEnvelope, sampleRule, subjectOf } from "../pipeline/samples.ts";

export interface RuleChanges extends Partial<Omit<HookRule, "run">> {
  readonly subject?: StepSubject;
  readonly callerEnv?: Readonly<Record<string, string | undefined>>;
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

export function runRule(run: RuleRun, changes: RuleChanges = {}) {
  const { subject, callerEnv, limitMs, signal, ...rest } = changes;
  return runHookHandler(sampleRule("guard", { ...rest, run }), subject ?? toolCall(), {
    env: callerEnv ?? { PATH: process.env.PATH },
    stateDir: "/nowhere",
    sessionDir: "/nowhere/session",
    timeoutMs: limitMs ?? 20_000,
    signal: signal ?? new AbortController().signal,
  });
}

export const shell = (command: string): RuleRun => ({ type: "shell", shell: "sh", command });

export const toolCall = (): StepSubject =>
  subjectOf(sampleEnvelope({ tool: "Bash", kind: "shell", args: { command: "ls" } }));
