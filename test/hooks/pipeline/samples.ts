import type { Envelope, StepSubject } from "../../../src/core/step/envelope.ts";
import type { Verdict } from "../../../src/core/step/verdict.ts";
import type { HandlerOutcome } from "../../../src/hooks/handlers/protocol.ts";
import type { HookRule } from "../../../src/hooks/match/rule.ts";
import { type PipelineRequest, runPipeline } from "../../../src/hooks/pipeline/pipeline.ts";

export const sampleRule = (name: string, rest: Partial<HookRule> = {}): HookRule => ({
  name,
  on: ["before_tool"],
  match: {},
  run: { type: "builtin", builtin: "deny", with: null },
  protocol: "adjutant",
  timeoutMs: 5_000,
  onError: null,
  isStrict: false,
  isOnce: false,
  isAsync: false,
  isEnabled: true,
  cwd: null,
  env: {},
  inheritEnv: false,
  layer: "user",
  file: "/home/hooks.yaml",
  folder: "/home",
  line: 1,
  column: 1,
  ...rest,
});

export const sampleEnvelope = (rest: Partial<Envelope> = {}): Envelope => ({
  protocol: 1,
  step: "before_tool",
  agent: "claude-code",
  session_id: "s1",
  cwd: "/",
  correlation_id: "c1",
  time: "2026-01-01T00:00:00.000Z",
  native: {},
  ...rest,
});

export const subjectOf = (envelope: Envelope): StepSubject => ({
  envelope,
  line: null,
  paths: [],
  root: "/",
  home: "/home",
});

type Answers = Verdict | HandlerOutcome | ((subject: StepSubject) => Verdict | HandlerOutcome);

const isOutcome = (answer: Verdict | HandlerOutcome): answer is HandlerOutcome => "kind" in answer;

export const verdict = (given: Verdict): HandlerOutcome => ({
  kind: "verdict",
  verdict: given,
  stderr: null,
});

/** A pipeline whose rules are named, in order, with what each answers. */
export function pipelineOf(
  answers: readonly (readonly [rule: HookRule | string, answer: Answers])[],
  rest: Partial<PipelineRequest> = {},
) {
  const asked: string[] = [];
  const pairs = answers.map(([rule, answer]) => ({
    rule: typeof rule === "string" ? sampleRule(rule) : rule,
    answer,
  }));
  const decide = () =>
    runPipeline({
      rules: pairs.map(({ rule }) => rule),
      envelope: sampleEnvelope(),
      subjectOf,
      matches: () => true,
      runHandler: async (rule, subject) => {
        asked.push(rule.name);
        const answer = pairs.find((pair) => pair.rule === rule)?.answer ?? {};
        const given = typeof answer === "function" ? answer(subject) : answer;
        return isOutcome(given) ? given : verdict(given);
      },
      deadlineMs: 1_000,
      now: () => 0,
      signal: new AbortController().signal,
      ...rest,
    });
  return { asked, decide };
}
