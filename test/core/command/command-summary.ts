import type { CommandSummary } from "../../../src/core/command/definition.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";

/** A summary with the defaults of an undeclared field. */
export function summaryOf(name: string, declared: Partial<CommandSummary> = {}): CommandSummary {
  return {
    ...SUMMARY_DEFAULTS,
    name,
    description: `the command ${name}`,
    ...declared,
  };
}
