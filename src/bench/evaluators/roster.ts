// Every evaluator, one line each.
import type { Evaluator } from "../evaluator.ts";
import type { EvaluatorTable } from "../suite-file/read-evaluators.ts";
import { contains, regex } from "./answers.ts";
import { cost, time, tokens, turns } from "./budgets.ts";
import { command } from "./command.ts";
import { diff } from "./diff.ts";
import { expected } from "./expected.ts";
import { jsonSchema } from "./json-answer.ts";
import { judge } from "./judge.ts";
import { run } from "./run.ts";
import { tools } from "./tools.ts";

const ROSTER: readonly Evaluator[] = [
  run,
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
  command,
];

const BY_TYPE: ReadonlyMap<string, Evaluator> = new Map(
  ROSTER.map((evaluator) => [evaluator.type, evaluator]),
);

export const EVALUATORS: EvaluatorTable = {
  find: (type) => BY_TYPE.get(type) ?? null,
  types: () => [...BY_TYPE.keys()],
};
