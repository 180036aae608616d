// What the agent said.
import * as z from "zod/mini";
import { answerText } from "../../agents/answer-text.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, gradeScore, pass } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";
import { withinTime } from "./within-time.ts";

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

const LONGEST_SEARCH_MS = 1_000;

export const regex: Evaluator<string> = {
  type: "regex",
  description: "the answer matches this expression",
  readOptions: readOptionsBy(pattern),
  files: () => [],
  grade: async (options, { log }) => {
    const answer = answerText(log);
    const isMatch = withinTime(LONGEST_SEARCH_MS, () => new RegExp(options, "u").test(answer));
    return isMatch ? pass("it matches") : fall("it does not match");
  },
};
