// What a stage has done by others, through the one function that looks into the journal first.

import type { JsonValue } from "../../../core/command/context.ts";
import { isJsonObject } from "../../../core/project/json-value.ts";
import { renderWords } from "../../definition/template.ts";
import type { Effect, EffectOutcome } from "../effect.ts";
import {
  type CheckReport,
  RunEnded,
  type StageScope,
  type StageVisit,
  shortenOutput,
} from "./stage-run.ts";

type Performed =
  | Extract<EffectOutcome, { kind: "value" }>
  | { readonly kind: "none"; readonly reason: string; readonly isFinal: boolean };

/** Throws `RunEnded` where the run is over. */
export async function perform(visit: StageVisit, path: string, effect: Effect): Promise<Performed> {
  if (visit.options.signal.aborted) throw new RunEnded("stopped");
  const outcome = await visit.options.perform({ path, effect });
  if (outcome.kind === "ended") throw new RunEnded(outcome.reason);
  if (outcome.kind === "value") return outcome;
  return outcome.kind === "thrown"
    ? { kind: "none", reason: outcome.message, isFinal: true }
    : { kind: "none", reason: outcome.reason, isFinal: false };
}

export const isYes = (answer: JsonValue): boolean => answer === true || answer === "yes";

export interface RanLine extends CheckReport {
  readonly metadata: JsonValue;
}

/** A line through the dispatcher; passed where it exits with 0. */
export async function runLine(
  visit: StageVisit,
  line: string,
  { path, scope }: { readonly path: string; readonly scope: StageScope },
): Promise<RanLine> {
  const [name = "", ...args] = renderWords(line, scope);
  const outcome = await perform(visit, path, { kind: "command", name, args });
  if (outcome.kind !== "value") return { isPassed: false, output: outcome.reason, metadata: null };
  const { exitCode, output, errorOutput, metadata } = readResult(outcome.value);
  const isPassed = exitCode === 0;
  const said = isPassed
    ? output
    : [output, errorOutput].filter((part) => part.trim() !== "").join("\n");
  const text =
    shortenOutput(said) || (isPassed ? "" : `\`${name}\` ended with exit code ${exitCode}`);
  return { isPassed, output: text, metadata };
}

/** What the journal gives back is our own, but of any version. */
function readResult(value: JsonValue) {
  const fields = isJsonObject(value) ? value : {};
  const text = (key: string) => (typeof fields[key] === "string" ? fields[key] : "");
  return {
    exitCode: typeof fields.exitCode === "number" ? fields.exitCode : 0,
    output: typeof value === "string" ? value : text("output"),
    errorOutput: text("errorOutput"),
    metadata: fields.metadata ?? null,
  };
}
