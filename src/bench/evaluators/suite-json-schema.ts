// The published schema of a suite, for editors. What depends on another field is checked when the suite is read.
import * as z from "zod/mini";
import { describeFile } from "../../core/load/file-schema.ts";
import { AGENT, CASE, MATRIX, SUITE } from "../suite/schema.ts";
import { EVALUATORS } from "./roster.ts";

const evaluators = EVALUATORS.types().map((type): [string, z.ZodMiniType] => [
  type,
  z.optional(z.unknown().check(z.meta({ description: EVALUATORS.find(type)?.description ?? "" }))),
]);

const EVALUATOR = z.strictObject({
  ...Object.fromEntries(evaluators),
  id: z.optional(z.string()),
  weight: z.optional(z.number().check(z.nonnegative())),
});

const matrix = z.optional(MATRIX);

const WRITTEN = z.strictObject({
  ...SUITE.shape,
  agents: z.optional(z.array(z.extend(AGENT, { matrix }))),
  cases: z.optional(
    z.array(
      z.extend(CASE, {
        // A file of cases gives them their ids.
        id: z.optional(CASE.shape.id),
        from: z.optional(z.string().check(z.meta({ description: "rows of a CSV or JSONL file" }))),
        matrix,
        evaluators: z.optional(z.array(EVALUATOR)),
      }),
    ),
  ),
});

export const suiteJsonSchema = (): object =>
  describeFile(WRITTEN, {
    title: "Adjutant suite",
    description: "Cases, agents and what decides between them, run by `adj bench`.",
  });
