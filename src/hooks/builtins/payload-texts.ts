// The texts in a tool's arguments, whatever shape the tool gives them: in lists and objects however deep, as keys, and in
// JSON that is itself handed over as a text.

import { quoteWord } from "../../core/command/words.ts";
import { parseJson } from "../../core/project/json-text.ts";

export interface PayloadText {
  /** The name that it stands under; in a list that of the list. */
  readonly key: string;
  readonly text: string;
  readonly isKey: boolean;
}

interface Waiting {
  readonly key: string;
  readonly value: unknown;
}

/** In no order. Without a recursion: what is nested ten thousand levels deep is found like anything else. */
export function payloadTexts(args: unknown): PayloadText[] {
  const found: PayloadText[] = [];
  const waiting: Waiting[] = [{ key: "", value: args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next;
    if (typeof value === "string") {
      found.push({ key, text: value, isKey: false });
      const inside = LOOKS_LIKE_JSON.test(value) ? parseJson(value) : undefined;
      if (typeof inside === "object" && inside !== null) waiting.push({ key, value: inside });
    } else if (Array.isArray(value)) {
      for (const each of value) waiting.push({ key, value: each });
    } else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) {
        found.push({ key, text: name, isKey: true });
        waiting.push({ key: name, value: each });
      }
  }
  return found;
}

const LOOKS_LIKE_JSON = /^\s{0,64}[[{]/;

/** The lists of texts, each as one line of words: `["bash", "-c", "…"]`. */
export function wordLists(args: unknown): PayloadText[] {
  const found: PayloadText[] = [];
  const waiting: Waiting[] = [{ key: "", value: args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next;
    if (typeof value !== "object" || value === null) continue;
    const words = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    if (words.length > 1) found.push({ key, text: words.map(quoteWord).join(" "), isKey: false });
    for (const [name, each] of Object.entries(value))
      waiting.push({ key: Array.isArray(value) ? key : name, value: each });
  }
  return found;
}

/** The texts alone, names of fields not among them. */
export const textsIn = (args: unknown): string[] =>
  payloadTexts(args).flatMap(({ text, isKey }) => (isKey ? [] : [text]));
