/** The same bytes in pieces, cut at these places; some pieces may be empty. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length];
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}
