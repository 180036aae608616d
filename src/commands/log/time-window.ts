import { parseDuration } from "../../command/duration.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * `2h` is so long ago, `2026-11-05` the beginning of that day here, `2026-11-05T14:00` that moment
 * (here, unless it names a zone). Null for anything else.
 */
export function readMoment(text: string, now: Date): Date | null {
  const ago = parseDuration(text);
  if (ago !== null) return new Date(now.getTime() - ago);
  if (DAY.test(text)) return validDate(`${text}T00:00`);
  return MOMENT.test(text) ? validDate(text.replace(" ", "T")) : null;
}

function validDate(text: string): Date | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}
