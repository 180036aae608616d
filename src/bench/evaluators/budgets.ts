// What the agent may spend. What it does not state cannot be held against it, nor for it.
import * as z from "zod/mini";
import type { RunLog } from "../../agents/run-log.ts";
import { parseDuration } from "../../command/duration.ts";
import { timeout as duration } from "../../load/field-schemas.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, pass, skip } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";

interface Budget {
  readonly type: string;
  readonly description: string;
  readonly unit: string;
  spent(log: RunLog): number | null;
}

const most = z.number().check(z.nonnegative());

function budgetEvaluator({ type, description, unit, spent }: Budget): Evaluator<number> {
  return {
    type,
    description,
    readOptions: readOptionsBy(most),
    files: () => [],
    grade: async (limit, { log }) => {
      const value = spent(log);
      if (value === null) return skip(`the agent does not state its ${type}`);
      const message = `${value} ${unit} of ${limit}`;
      return value <= limit ? pass(message, { value }) : fall(message, { value });
    },
  };
}

export const cost = budgetEvaluator({
  type: "cost",
  description: "at most so many dollars",
  unit: "USD",
  spent: (log) => log.cost?.usd ?? null,
});

export const tokens = budgetEvaluator({
  type: "tokens",
  description: "at most so many tokens",
  unit: "tokens",
  spent: (log) => log.usage.total_tokens,
});

export const turns = budgetEvaluator({
  type: "turns",
  description: "at most so many turns",
  unit: "turns",
  spent: (log) => log.turns,
});

export const time: Evaluator<string> = {
  type: "time",
  description: "at most so long, by the agent alone",
  readOptions: readOptionsBy(duration),
  files: () => [],
  grade: async (limit, { log }) => {
    const value = log.execution.duration_ms;
    const message = `${Math.round(value)} ms of ${limit}`;
    return value <= (parseDuration(limit) ?? 0)
      ? pass(message, { value })
      : fall(message, { value });
  },
};
