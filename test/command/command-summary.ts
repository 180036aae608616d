import type { CommandSummary } from "../../src/command/command.ts";
import { UNSAID } from "../../src/load/summary.ts";

/** A summary with the defaults of an undeclared field. */
export function summaryOf(name: string, declared: Partial<CommandSummary> = {}): CommandSummary {
  return {
    ...UNSAID,
    name,
    description: `the command ${name}`,
    ...declared,
  };
}
