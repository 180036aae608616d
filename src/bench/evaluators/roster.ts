// Every evaluator, one line each.
import type { Evaluator } from "../suite/evaluator.ts";
import type { EvaluatorTable } from "../suite/evaluators.ts";
import { contains, jsonSchema, regex } from "./answers.ts";
import { commandEvaluator } from "./command.ts";
import { diff } from "./diff.ts";
import { expected } from "./expected.ts";
import { judge } from "./judge.ts";
import { runEvaluator } from "./run.ts";
import { cost, time, tokens, tools, turns } from "./usage.ts";

const ROSTER: readonly Evaluator[] = [
  runEvaluator,
  diff,
  expected,
  contains,
  regex,
  jsonSchema,
  tools,
  cost,
  tokens,
  time,
  turns,
  judge,
  commandEvaluator,
];

const BY_TYPE: ReadonlyMap<string, Evaluator> = new Map(
  ROSTER.map((evaluator) => [evaluator.type, evaluator]),
);

export const EVALUATORS: EvaluatorTable = {
  find: (type) => BY_TYPE.get(type) ?? null,
  types: () => [...BY_TYPE.keys()],
};
