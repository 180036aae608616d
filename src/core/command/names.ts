// Names in messages: those a person may have meant, and how several are listed.

/** Edit distance with transpositions, given up (Infinity) once it must exceed the limit. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? Number.POSITIVE_INFINITY;
}

/** Up to three names a person may have meant, nearest first. */
export function nearestNames(typed: string, names: Iterable<string>): string[] {
  const limit = Math.max(1, Math.min(3, Math.floor(typed.length / 3)));
  const lettersOf = (word: string): string => [...word].sort().join("");
  const letters = lettersOf(typed);
  const ranked: { name: string; distance: number; isSwapped: boolean }[] = [];
  for (const name of names) {
    const distance = editDistance(typed, name, limit);
    // Of two that are as near, letters that changed places are the likelier slip.
    const isSwapped = distance <= limit && lettersOf(name) === letters;
    if (distance <= limit) ranked.push({ name, distance, isSwapped });
  }
  return ranked
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Number(b.isSwapped) - Number(a.isSwapped) ||
        a.name.localeCompare(b.name),
    )
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Each in backticks, as messages name things: `build`, `deploy`. */
export const quoteNames = (names: Iterable<string>, between = ", "): string =>
  Array.from(names, (name) => `\`${name}\``).join(between);

/** The end of a message about a name that is not known, from up to so many that are near; empty where none is. */
export const didYouMean = (typed: string, known: Iterable<string>, most = 3): string =>
  suggestNames(nearestNames(typed, known).slice(0, most));

export const suggestNames = (nearest: readonly string[]): string =>
  nearest.length === 0 ? "" : `; did you mean ${quoteNames(nearest, " or ")}?`;

/** `dryRun` as a flag has it: `dry-run`. */
export const kebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** `dryRun` as a file has it: `dry_run`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
