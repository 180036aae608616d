import type { BuiltinPlace } from "../../src/hooks/builtins/builtin.ts";
import { findBuiltin } from "../../src/hooks/builtins/find-builtin.ts";
import type { StepSubject } from "../../src/hooks/subject.ts";
import type { Verdict } from "../../src/hooks/verdict.ts";

export const placeIn = (stateDir: string, place: Partial<BuiltinPlace> = {}): BuiltinPlace => ({
  rule: "guard",
  stateDir,
  now: new Date("2026-01-01T00:00:00Z"),
  env: { PATH: process.env.PATH ?? "", HOME: stateDir, GIT_CONFIG_NOSYSTEM: "1" },
  signal: new AbortController().signal,
  ...place,
});

interface Deciding {
  readonly with?: unknown;
  readonly subject: StepSubject;
  readonly place: BuiltinPlace;
}

/** What a builtin answers, its options read first as a hooks file has them. */
export async function decideBy(name: string, deciding: Deciding): Promise<Verdict> {
  const builtin = findBuiltin(name);
  if (builtin === null) throw new Error(`no builtin ${name}`);
  const reading = builtin.readOptions(deciding.with);
  if (reading.kind === "invalid") throw new Error(reading.problem);
  return builtin.decide(reading.options, deciding.subject, deciding.place);
}
