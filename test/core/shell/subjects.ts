// Steps for the tests of matching, classifying and the builtins.
import type { Envelope, StepSubject } from "../../../src/core/step/envelope.ts";

export interface SubjectFacts {
  readonly line?: string;
  readonly paths?: readonly string[];
  readonly root?: string;
  readonly home?: string;
}

const BASE: Envelope = {
  protocol: 1,
  step: "before_tool",
  agent: "claude-code",
  session_id: "s1",
  cwd: "/project",
  correlation_id: "c1",
  time: "2026-01-01T00:00:00.000Z",
  native: {},
};

export function toolSubject(envelope: Partial<Envelope>, facts: SubjectFacts = {}): StepSubject {
  const cwd = envelope.cwd ?? facts.root ?? BASE.cwd;
  return {
    envelope: { ...BASE, ...envelope, cwd },
    line: facts.line ?? null,
    paths: facts.paths ?? [],
    root: facts.root ?? "/project",
    home: facts.home ?? "/home/someone",
  };
}

export const shellSubject = (line: string, facts: SubjectFacts = {}): StepSubject =>
  toolSubject({ tool: "Bash", kind: "shell", args: { command: line } }, { ...facts, line });
