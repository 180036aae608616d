import { Fault, formatFault } from "../command/fault.ts";

/** What went wrong on our side, in the words of a fault where it is one. */
export function ownProblem(error: unknown): string {
  if (error instanceof Fault) return formatFault(error);
  return error instanceof Error ? error.message : String(error);
}
