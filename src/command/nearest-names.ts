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
  const ranked: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = editDistance(typed, name, limit);
    if (distance <= limit) ranked.push({ name, distance });
  }
  return ranked
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}
