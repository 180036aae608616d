import type { CommandSummary } from "../../src/command/command.ts";

/** A summary with the defaults of an undeclared field. */
export function summaryOf(name: string, declared: Partial<CommandSummary> = {}): CommandSummary {
  return {
    name,
    description: `the command ${name}`,
    version: "0.0.0",
    effect: "read",
    safety: "mutating",
    aliases: [],
    category: null,
    argumentHint: null,
    examples: [],
    timeoutMs: null,
    env: [],
    inheritEnv: false,
    holdLeaseWhileAsking: false,
    critical: false,
    schema: null,
    ...declared,
  };
}
