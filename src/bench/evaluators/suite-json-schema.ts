// The published schema of a suite, for editors. What depends on another field is checked when the suite is read.
import * as z from "zod/mini";
import { AGENT, CASE, DURATION, MATRIX, SUITE } from "../suite/schema.ts";
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
    z.array(z.extend(CASE, { matrix, evaluators: z.optional(z.array(EVALUATOR)) })),
  ),
});

const DURATION_PATTERN = String.raw`^\d+(\.\d+)?(ms|s|m|h|d)$`;

export function suiteJsonSchema(): object {
  const schema = z.toJSONSchema(WRITTEN, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === DURATION)
        Object.assign(jsonSchema, { type: "string", pattern: DURATION_PATTERN });
    },
  });
  return {
    ...schema,
    title: "Adjutant suite",
    description: "Cases, agents and what decides between them, run by `adj bench`.",
  };
}
