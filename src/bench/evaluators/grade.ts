// What evaluators have in common: how they read their options, and how they say a grade.
import type { ZodMiniType } from "zod/mini";
import { capText } from "../../agents/log/text.ts";
import type { OptionsReading } from "../../core/command/definition.ts";
import { describeIssues } from "../../core/project/schema-problem.ts";
import type { Grade } from "../suite/evaluator.ts";

/** What is said of a grade stands in every report, and may come from a program that goes on and on. */
const MAX_MESSAGE_LENGTH = 500;

export const passGrade = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "passed",
  score: 1,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics,
});

export const failGrade = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "failed",
  score: 0,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics,
});

/** It could not be told, which is neither: it weighs nothing. */
export const skipGrade = (message: string): Grade => ({
  status: "skipped",
  score: null,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics: {},
});

/** From 0 to 1; passed from the bar on. */
export const gradeScore = (score: number, bar: number, message: string): Grade => ({
  status: score >= bar ? "passed" : "failed",
  score,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics: { score },
});

/** The options by their schema; what is wrong is said in the words of the suite's file. */
export const readOptionsBy =
  <Options>(schema: ZodMiniType<Options>) =>
  (raw: unknown): OptionsReading<Options> => {
    const checked = schema.safeParse(raw, { reportInput: true });
    if (checked.success) return { kind: "options", options: checked.data };
    const { path, message, hint } = describeIssues(checked.error.issues, schema);
    const steps = path.filter((step) => typeof step !== "symbol");
    return {
      kind: "invalid",
      path: steps,
      problem: hint === null ? message : `${message}; ${hint}`,
    };
  };
