// The line of a step, taken apart once however many rules ask for it.
import type { StepSubject } from "../subject.ts";
import { analyzeLine } from "./analyze-line.ts";
import type { LineAnalysis } from "./line-analysis.ts";

/** A step is described anew when its safety is known or its arguments changed, so the text is the key. */
const recent = new Map<string, LineAnalysis>();
const MOST_RECENT = 8;

/** Null where the tool is no shell. */
export function lineOf({ line }: Pick<StepSubject, "line">): LineAnalysis | null {
  if (line === null) return null;
  const known = recent.get(line);
  if (known !== undefined) return known;
  const analysis = analyzeLine(line);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size >= MOST_RECENT) recent.delete(oldest);
  recent.set(line, analysis);
  return analysis;
}
