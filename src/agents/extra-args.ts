import { nearestNames } from "../command/nearest-names.ts";
import { type AgentCapabilities, type FlagCapability, findFlag } from "./capabilities.ts";
import type { ConfigProblem } from "./config-check.ts";

/** Further arguments must be flags that this agent has, written as it wants them, and not the adapter's. */
export function findArgumentProblems(
  capabilities: AgentCapabilities,
  args: readonly unknown[],
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (let at = 0; at < args.length; at++) {
    const written = String(args[at]);
    const flag = findFlag(capabilities.flags, written);
    const message = findProblem(capabilities, written, flag);
    if (message !== null) problems.push({ path: `extra_args[${at}]`, message });
    const value = flag === undefined ? undefined : readValue(flag, written, args[at + 1]);
    if (value === "missing")
      problems.push({ path: `extra_args[${at}]`, message: `\`${written}\` needs a value` });
    if (value === "next") at += 1;
  }
  return problems;
}

function findProblem(
  { flags, ownFlags }: AgentCapabilities,
  written: string,
  flag: FlagCapability | undefined,
): string | null {
  if (!written.startsWith("-")) return `\`${written}\` is not a flag`;
  if (flag === undefined) {
    const [nearest] = nearestNames(
      written,
      flags.map(({ name }) => name),
    );
    return `unknown flag \`${written}\`${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`;
  }
  return ownFlags.includes(flag.name) ? `\`${flag.name}\` is set by Adjutant` : null;
}

/** Where a flag's value stands: in the same word, in the next one, or nowhere. */
function readValue(
  flag: FlagCapability,
  written: string,
  next: unknown,
): "none" | "next" | "missing" {
  if (flag.takes === "nothing" || (written.startsWith("--") && written.includes("=")))
    return "none";
  const hasNext = next !== undefined && !String(next).startsWith("-");
  if (hasNext) return "next";
  return flag.takes === "optional" ? "none" : "missing";
}
