import { capText } from "../../agents/cap-text.ts";
import type { Grade } from "../evaluator.ts";

/** What is said of a grade stands in every report, and may come from a program that goes on and on. */
const LONGEST = 500;

export const pass = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "passed",
  score: 1,
  message: capText(message, LONGEST),
  metrics,
});

export const fall = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "failed",
  score: 0,
  message: capText(message, LONGEST),
  metrics,
});

/** It could not be told, which is neither: it weighs nothing. */
export const skip = (message: string): Grade => ({
  status: "skipped",
  score: null,
  message: capText(message, LONGEST),
  metrics: {},
});

/** From 0 to 1; passed from the bar on. */
export const gradeScore = (score: number, bar: number, message: string): Grade => ({
  status: score >= bar ? "passed" : "failed",
  score,
  message: capText(message, LONGEST),
  metrics: { score },
});
