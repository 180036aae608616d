import type { StepSafety } from "../envelope.ts";
import { classifyCommand, worstOf } from "./classify-command.ts";
import type { LineAnalysis } from "./line-analysis.ts";

/** A line is as dangerous as its most dangerous simple command. */
export function classifyLine({ commands, problem, unresolved }: LineAnalysis): StepSafety {
  if (problem !== null || unresolved.length > 0) return "destructive";
  return worstOf(commands.map(classifyCommand));
}
