import type { StepSubject } from "../../../src/core/step/envelope.ts";
import type { Verdict } from "../../../src/core/step/verdict.ts";
import type { BuiltinContext } from "../../../src/hooks/builtins/builtin.ts";
import { findBuiltin } from "../../../src/hooks/builtins/builtins.ts";
import { readBuiltinOptions } from "../../../src/hooks/builtins/options.ts";

export const placeIn = (stateDir: string, place: Partial<BuiltinContext> = {}): BuiltinContext => ({
  rule: "guard",
  stateDir,
  sessionDir: `${stateDir}/session`,
  now: new Date("2026-01-01T00:00:00Z"),
  env: { PATH: process.env.PATH ?? "", HOME: stateDir, GIT_CONFIG_NOSYSTEM: "1" },
  signal: new AbortController().signal,
  ...place,
});

interface Deciding {
  readonly with?: unknown;
  readonly subject: StepSubject;
  readonly place: BuiltinContext;
}

/** What a builtin answers, its options read first as a hooks file has them. */
export async function decideBy(name: string, deciding: Deciding): Promise<Verdict> {
  const builtin = findBuiltin(name);
  if (builtin === null) throw new Error(`no builtin ${name}`);
  const reading = readBuiltinOptions(name, deciding.with);
  if (reading.kind === "invalid") throw new Error(reading.problem);
  return builtin.decide(reading.options, deciding.subject, deciding.place);
}
