// A step as rules see it. Reads shell lines, so it is loaded only where there are rules.
import type { HookAgent } from "./agents/hook-agent.ts";
import type { Envelope } from "./envelope.ts";
import { matchRule } from "./match/match-rule.ts";
import type { HookRule } from "./rule.ts";
import { classifyStep } from "./shell/classify-step.ts";
import type { StepSubject } from "./subject.ts";

export interface SubjectPlace {
  readonly agent: Pick<HookAgent, "shellLine" | "filePaths">;
  readonly root: string;
  readonly home: string;
}

export function subjectOf({ agent, root, home }: SubjectPlace, envelope: Envelope): StepSubject {
  const subject = {
    envelope,
    line: agent.shellLine(envelope),
    paths: agent.filePaths(envelope),
    root,
    home,
  };
  if (envelope.kind === undefined) return subject;
  return { ...subject, envelope: { ...envelope, safety: classifyStep(subject) } };
}

export const matches = (rule: HookRule, subject: StepSubject): boolean =>
  matchRule(rule.match, subject).matches;
