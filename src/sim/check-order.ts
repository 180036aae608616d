import type { RecordedRequest } from "./recorded-request.ts";

/** Where a text was first sent: request, message in it, character in that. */
type Place = readonly [request: number, message: number, at: number];

export type OrderResult =
  | { readonly kind: "kept" }
  | { readonly kind: "missing"; readonly text: string }
  | { readonly kind: "too_early"; readonly text: string; readonly before: string };

/** Every request repeats what was said before it, so only the first time a text was sent counts. */
export function checkOrder(
  texts: readonly string[],
  requests: readonly RecordedRequest[],
): OrderResult {
  let last: { text: string; place: Place } | null = null;
  for (const text of texts) {
    const place = findFirst(text, requests);
    if (place === null) return { kind: "missing", text };
    if (last !== null && !isBefore(last.place, place))
      return { kind: "too_early", text, before: last.text };
    last = { text, place };
  }
  return { kind: "kept" };
}

function findFirst(text: string, requests: readonly RecordedRequest[]): Place | null {
  for (const [number, { request }] of requests.entries())
    for (const [message, { text: said }] of (request?.messages ?? []).entries()) {
      const at = said.indexOf(text);
      if (at >= 0) return [number, message, at];
    }
  return null;
}

function isBefore(first: Place, second: Place): boolean {
  for (const [index, value] of first.entries()) {
    const other = second[index] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}
