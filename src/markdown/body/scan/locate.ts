import type { Where } from "../../../command/fault.ts";
import type { BodyPlace } from "../body.ts";

/** Turns places in the text into places in its file; the lines are looked for once. */
export function createLocator(text: string, at: BodyPlace): (offset: number) => Where {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= listLineStarts(text);
    const line = countUpTo(starts, offset);
    const column = offset - (starts[line - 1] ?? 0) + 1;
    return { file: at.file, line: at.line + line - 1, column };
  };
}

function listLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of these ascending numbers are not above the limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
