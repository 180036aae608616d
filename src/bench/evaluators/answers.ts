// What the agent said: texts it must hold, an expression it must match.
import { runInNewContext } from "node:vm";
import * as z from "zod/mini";
import { answerText } from "../../agents/log/run-log.ts";
import type { Evaluator } from "../suite/evaluator.ts";
import { failGrade, gradeScore, passGrade, readOptionsBy } from "./grade.ts";

const text = z.string().check(z.minLength(1));
const texts = z.union([text, z.array(text).check(z.minLength(1))], {
  error: "must be a text or a list of texts",
});

export const contains: Evaluator<z.infer<typeof texts>> = {
  type: "contains",
  description: "the answer holds these texts",
  readOptions: readOptionsBy(texts),
  files: () => [],
  grade: async (options, { log }) => {
    const wanted = [options].flat();
    const answer = answerText(log);
    const missing = wanted.filter((part) => !answer.includes(part));
    const message =
      missing.length === 0
        ? "all there"
        : `missing: ${missing.map((part) => JSON.stringify(part)).join(", ")}`;
    return gradeScore(1 - missing.length / wanted.length, 1, message);
  },
};

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
const pattern = text.check(z.refine(isPattern, "is not a regular expression"));

const MAX_SEARCH_MS = 1_000;

export const regex: Evaluator<string> = {
  type: "regex",
  description: "the answer matches this expression",
  readOptions: readOptionsBy(pattern),
  files: () => [],
  grade: async (options, { log }) => {
    const answer = answerText(log);
    const isMatch = withinTime(MAX_SEARCH_MS, () => new RegExp(options, "u").test(answer));
    return isMatch ? passGrade("it matches") : failGrade("it does not match");
  },
};

/**
 * Work that may never end, an expression that looks for its match among all there could be: past its time it is
 * broken off and throws. Nothing else of this program runs meanwhile.
 */
export function withinTime<Value>(timeout: number, work: () => Value): Value {
  const done: { value: Value }[] = [];
  try {
    runInNewContext("work()", { work: () => void done.push({ value: work() }) }, { timeout });
  } catch (error) {
    if (!isOverdue(error)) throw error;
  }
  const [first] = done;
  if (first === undefined) throw new Error(`it took longer than ${timeout} ms to decide`);
  return first.value;
}

/** It comes from another realm, and is no `Error` of this one. */
const isOverdue = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
