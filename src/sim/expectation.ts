import * as z from "zod/mini";
import { count, ordinal, someText, textMatcher } from "./scenario-value.ts";

const countBounds = z
  .strictObject({ at_least: z.optional(count), at_most: z.optional(count) })
  .check(z.refine((value) => Object.keys(value).length > 0, "needs `at_least` or `at_most`"));

const expectationFields = z.strictObject({
  /** How many requests asked for a turn. */
  requests: z.optional(z.union([count, countBounds], "must be a whole number from 0, or bounds")),
  /** Which of them the matchers below are about; any of them, if nothing is said. */
  request: z.optional(
    z.union(
      [z.enum(["any", "every", "none", "last"]), ordinal],
      "must be a whole number from 1, or `any`, `every`, `none`, `last`",
    ),
  ),
  text: z.optional(textMatcher),
  system: z.optional(textMatcher),
  user: z.optional(textMatcher),
  tool_result: z.optional(textMatcher),
  tool_offered: z.optional(someText),
  header: z.optional(z.union([someText, z.strictObject({ name: someText, value: textMatcher })])),
  /** These texts appear one after the other over all the requests. */
  order: z.optional(z.array(someText).check(z.minLength(2))),
  exit_code: z.optional(
    z.union([count, z.literal("nonzero")], "must be a whole number from 0, or `nonzero`"),
  ),
});
export type Expectation = z.output<typeof expectationFields>;

const WHOLE_RUN = ["requests", "order", "exit_code"];

function findProblem(line: Expectation): string | null {
  const given = Object.keys(line);
  const wholeRun = given.find((key) => WHOLE_RUN.includes(key));
  if (wholeRun !== undefined && given.length > 1)
    return `has more than \`${wholeRun}\`, which stands alone`;
  if (given.every((key) => key === "request"))
    return "must check something, such as `requests`, `user`, `tool_result` or `order`";
  return null;
}

export const expectation = expectationFields.check(
  z.superRefine((line, context) => {
    const problem = findProblem(line);
    if (problem !== null) context.addIssue({ code: "custom", message: problem, input: line });
  }),
);
