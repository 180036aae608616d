import * as z from "zod/mini";
import type { ToolCall } from "../../agents/run-log.ts";
import type { Evaluator } from "../evaluator.ts";
import { fall, pass, skip } from "./grade.ts";
import { readOptionsBy } from "./read-options.ts";

const count = z.int().check(z.nonnegative());
const names = z.array(z.string().check(z.minLength(1)));
const TOOLS = z.strictObject({
  require: z.optional(names),
  forbid: z.optional(names),
  at_most: z.optional(z.union([count, z.record(z.string(), count)])),
});

/** By the agent's own name of the tool, or by its kind: `shell`, `edit`, … */
const isCalled = (name: string) => (call: ToolCall) => call.name === name || call.kind === name;

export const tools: Evaluator<z.infer<typeof TOOLS>> = {
  type: "tools",
  description: "tools that must, must not, or may at most so often be called",
  readOptions: readOptionsBy(TOOLS),
  files: () => [],
  grade: async ({ require = [], forbid = [], at_most = {} }, { log }) => {
    const { tool_calls: calls, agent_info: agent } = log;
    // Of a program that only prints text nobody knows what it called: that is not nothing.
    if (agent.name === "command" && calls.length === 0)
      return skip("the agent does not state its tool calls");
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
      ? pass(`${calls.length} calls`, metrics)
      : fall(problems.join("; "), metrics);
  },
};
