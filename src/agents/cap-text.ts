export const MESSAGE_LIMIT = 100_000;
export const RESULT_LIMIT = 50_000;
export const ARGUMENT_LIMIT = 50_000;

/** A text of at most so many characters and a note of what was left out; never half a character. */
export function capText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}\n[${text.length - end} more characters left out]`;
}

/** A JSON value whose texts are all within the limit; the same value where nothing had to be cut. */
export function capValue(value: unknown, limit: number): unknown {
  if (typeof value === "string") return capText(value, limit);
  if (Array.isArray(value)) return capList(value, limit);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const capped = entries.map(([key, part]) => [key, capValue(part, limit)] as const);
  return capped.some(([, part], at) => part !== entries[at]?.[1])
    ? Object.fromEntries(capped)
    : value;
}

function capList(list: readonly unknown[], limit: number): unknown {
  const capped = list.map((part) => capValue(part, limit));
  return capped.some((part, at) => part !== list[at]) ? capped : list;
}
