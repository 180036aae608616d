// A youBencha test case as far as it is read here; what else it holds is said in a note.
import * as z from "zod/mini";

const text = z.string().check(z.minLength(1));
const map = z.record(z.string(), z.unknown());

const script = z.object({
  command: text,
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  timeout_ms: z.optional(z.number()),
  working_dir: z.optional(text),
});

const step = z.object({ name: text, config: z.optional(map) });

export const EVALUATOR_DEFINITION = z.object({ name: text, config: z.optional(map) });
export type EvaluatorDefinition = z.infer<typeof EVALUATOR_DEFINITION>;

export const SCRIPT = script;
export type Script = z.infer<typeof script>;

export const YOUBENCHA_CASE = z.object({
  name: text,
  description: z.optional(z.string()),
  repo: text,
  branch: z.optional(text),
  commit: z.optional(text),
  agent: z.object({
    type: text,
    agent_name: z.optional(text),
    model: z.optional(text),
    config: z.optional(map),
  }),
  expected: z.optional(text),
  evaluators: z.array(z.union([z.object({ file: text }), EVALUATOR_DEFINITION])),
  pre_execution: z.optional(z.array(step)),
  post_evaluation: z.optional(z.array(step)),
  timeout: z.optional(z.number()),
});
export type YoubenchaCase = z.infer<typeof YOUBENCHA_CASE>;
