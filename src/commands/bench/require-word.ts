import { fault } from "../../command/fault.ts";
import type { BenchArguments } from "./bench-arguments.ts";

/** The one word an action needs. */
export function requireWord({ words, subject }: BenchArguments, what: string): string {
  const [first] = words;
  if (first !== undefined) return first;
  throw fault("ArgumentsInvalid", {
    command: "bench",
    problem: `\`bench ${subject}\` needs ${what}`,
  });
}
