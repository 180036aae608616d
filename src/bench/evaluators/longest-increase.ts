/** The indices of the longest part of the values that rises, by patience sorting. */
export function longestIncrease(values: Int32Array): Int32Array {
  /** By length: where the part of that length with the lowest end ends. */
  const ends = new Int32Array(values.length);
  const previous = new Int32Array(values.length);
  let length = 0;
  for (const [at, value] of values.entries()) {
    const place = findPlace(value, { values, ends, length });
    previous[at] = place === 0 ? -1 : (ends[place - 1] ?? -1);
    ends[place] = at;
    if (place === length) length += 1;
  }
  const chosen = new Int32Array(length);
  let at = length === 0 ? -1 : (ends[length - 1] ?? -1);
  for (let place = length - 1; place >= 0; place--) {
    chosen[place] = at;
    at = previous[at] ?? -1;
  }
  return chosen;
}

interface Parts {
  readonly values: Int32Array;
  readonly ends: Int32Array;
  readonly length: number;
}

function findPlace(value: number, { values, ends, length }: Parts): number {
  const endOf = (place: number): number => values[ends[place] ?? 0] ?? 0;
  // Mostly it goes on where the last one ended.
  if (length === 0 || endOf(length - 1) < value) return length;
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
