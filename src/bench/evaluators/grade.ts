import type { Grade } from "../evaluator.ts";

export const pass = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "passed",
  score: 1,
  message,
  metrics,
});

export const fall = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "failed",
  score: 0,
  message,
  metrics,
});

/** It could not be told, which is neither: it weighs nothing. */
export const skip = (message: string): Grade => ({
  status: "skipped",
  score: null,
  message,
  metrics: {},
});

/** From 0 to 1; passed from the bar on. */
export const gradeScore = (score: number, bar: number, message: string): Grade => ({
  status: score >= bar ? "passed" : "failed",
  score,
  message,
  metrics: { score },
});
