import * as z from "zod/mini";
import type { Evaluator } from "../evaluator.ts";
import { gradeScore } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";
import { readScore } from "./read-score.ts";

const text = z.string().check(z.minLength(1));
const COMMAND = z.union(
  [
    text,
    z.strictObject({
      name: text,
      args: z.optional(z.array(z.string())),
      pass: z.optional(z.number().check(z.gte(0), z.lte(1))),
    }),
  ],
  { error: "must be the name of a command, or a map with `name` and `args`" },
);

/** What the command is given as its last argument. */
const describeTrial = (value: unknown): string => JSON.stringify(value);

export const command: Evaluator<z.infer<typeof COMMAND>> = {
  type: "command",
  description: "an Adjutant command that is given the trial as JSON and answers with a score",
  readOptions: readOptionsBy(COMMAND),
  files: () => [],
  grade: async (options, grading) => {
    const { name, args = [], pass = 1 } = typeof options === "string" ? { name: options } : options;
    const { caseId, agentId, prompt, log } = grading;
    const workspace = await grading.copySnapshot();
    const trial = { case: caseId, agent: agentId, prompt, workspace, log };
    const result = await grading.runCommand(name, [...args, describeTrial(trial)]);
    const output =
      typeof result.output === "string" ? result.output : Buffer.from(result.output).toString();
    const reading = readScore("json", output);
    if (!result.success || reading === null)
      throw new Error(`\`${name}\` exited with ${result.exitCode} and said no score`);
    return gradeScore(reading.score, pass, reading.message);
  },
};
