// Flags are the same when the agent takes them for the same: `m`, `--model` and the setting `model`.
import type { FlagProblem } from "./flag-problem.ts";
import { isNothing, type Use, type UseSource } from "./flag-use.ts";

const RANK: Readonly<Record<UseSource, number>> = { settings: 0, file: 1, flags: 2 };

const isSame = (one: Use, other: Use): boolean =>
  one.key === other.key || one.identities.some((flag) => other.identities.includes(flag));

/** A position that is given as a flag stands on the command line, so it wins over the file. */
const rankOf = ({ source, key }: Use): number => (key.startsWith("$") ? 3 : RANK[source]);

export const isOverridden = (use: Use, all: readonly Use[]): boolean =>
  all.some((other) => rankOf(other) > rankOf(use) && isSame(use, other));

/** One layer says the same thing twice under two names: nobody can tell which one was meant. */
export function findConflicts(uses: readonly Use[]): FlagProblem[] {
  const set = uses.filter(({ value }) => !isNothing(value));
  return set.flatMap((use, at): FlagProblem[] => {
    const before = set.slice(0, at).find((one) => one.source === use.source && isSame(one, use));
    if (before === undefined) return [];
    const message = `\`${before.key}\` and \`${use.key}\` set the same flag`;
    return [{ source: use.source, path: [use.key], part: "key", message, hint: null }];
  });
}
