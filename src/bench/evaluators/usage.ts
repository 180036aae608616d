// What the agent may spend. What it does not state cannot be held against it, nor for it.
import * as z from "zod/mini";
import type { LogToolCall, RunLog } from "../../agents/log/run-log.ts";
import { parseDuration } from "../../core/command/time.ts";
import { duration } from "../../core/load/field-schemas.ts";
import {
  type Evaluator,
  failGrade,
  passGrade,
  readOptionsBy,
  skipGrade,
} from "../suite/evaluator.ts";

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
      if (value === null) return skipGrade(`the agent does not state its ${type}`);
      const message = `${value} ${unit} of ${limit}`;
      return value <= limit ? passGrade(message, { value }) : failGrade(message, { value });
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
      ? passGrade(message, { value })
      : failGrade(message, { value });
  },
};

const count = z.int().check(z.nonnegative());
const names = z.array(z.string().check(z.minLength(1)));
const TOOLS = z.strictObject({
  require: z.optional(names),
  forbid: z.optional(names),
  at_most: z.optional(z.union([count, z.record(z.string(), count)])),
});

/** By the agent's own name of the tool, or by its kind: `shell`, `edit`, … */
const isCalled = (name: string) => (call: LogToolCall) => call.name === name || call.kind === name;

export const tools: Evaluator<z.infer<typeof TOOLS>> = {
  type: "tools",
  description: "tools that must, must not, or may at most so often be called",
  readOptions: readOptionsBy(TOOLS),
  files: () => [],
  grade: async ({ require = [], forbid = [], at_most = {} }, { log }) => {
    const { tool_calls: calls, agent_info: agent } = log;
    // Of a program that only prints text nobody knows what it called: that is not nothing.
    if (agent.name === "command" && calls.length === 0)
      return skipGrade("the agent does not state its tool calls");
    const missing = require.filter((name) => !calls.some(isCalled(name)));
    const forbidden = forbid.filter((name) => calls.some(isCalled(name)));
    const limits = typeof at_most === "number" ? [] : Object.entries(at_most);
    const over = limits.filter(([name, limit]) => calls.filter(isCalled(name)).length > limit);
    const problems = [
      ...missing.map((name) => `\`${name}\` was not called`),
      ...forbidden.map((name) => `\`${name}\` was called`),
      ...over.map(([name, limit]) => `\`${name}\` was called more than ${limit} times`),
      ...(typeof at_most === "number" && calls.length > at_most
        ? [`${calls.length} calls, at most ${at_most}`]
        : []),
    ];
    const metrics = { calls: calls.length };
    return problems.length === 0
      ? passGrade(`${calls.length} calls`, metrics)
      : failGrade(problems.join("; "), metrics);
  },
};
