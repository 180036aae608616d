// The line of a step, taken apart once however many rules ask for it.
import type { StepSubject } from "../subject.ts";
import { analyzeLine } from "./analyze-line.ts";
import type { LineAnalysis } from "./line-analysis.ts";

const analyses = new WeakMap<StepSubject, LineAnalysis>();

/** Null where the tool is no shell. */
export function lineOf(subject: StepSubject): LineAnalysis | null {
  if (subject.line === null) return null;
  const known = analyses.get(subject);
  if (known !== undefined) return known;
  const analysis = analyzeLine(subject.line);
  analyses.set(subject, analysis);
  return analysis;
}
