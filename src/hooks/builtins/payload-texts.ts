// The texts in a tool's arguments, whatever shape the tool gives them: in lists and objects however deep, as keys, and in
// JSON that is itself handed over as a text.

import { quoteWord } from "../../core/command/words.ts";
import { parseJson } from "../../core/project/json-text.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";

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

/** Each of them may be looked up on the disk, several times over: half a million took 18 s. */
const MAX_TEXTS = 20_000;

/** By the arguments, which nobody changes: several guards look at the same call. */
const KNOWN = new WeakMap<object, readonly PayloadText[] | TooMuchToLookAt>();

/** In no order. Whoever meets more of them than can be looked at in time is unsure. */
export function payloadTexts(args: unknown): readonly PayloadText[] {
  const isKept = typeof args === "object" && args !== null;
  const found = (isKept ? KNOWN.get(args) : undefined) ?? collectTexts(args);
  if (isKept) KNOWN.set(args, found);
  if (found instanceof TooMuchToLookAt) throw found;
  return found;
}

function collectTexts(args: unknown): readonly PayloadText[] | TooMuchToLookAt {
  const found: PayloadText[] = [];
  for (const each of everyText(args)) {
    if (found.length === MAX_TEXTS)
      return new TooMuchToLookAt(
        "the call has more than 20,000 texts and names; do it in several calls",
      );
    found.push(each);
  }
  return found;
}

/** However many there are. Without a recursion: what is nested ten thousand levels deep is found like anything else. */
export function* everyText(args: unknown): Generator<PayloadText> {
  const waiting: Waiting[] = [{ key: "", value: args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next;
    if (typeof value === "string") {
      yield { key, text: value, isKey: false };
      const inside = LOOKS_LIKE_JSON.test(value) ? parseJson(value) : undefined;
      if (typeof inside === "object" && inside !== null) waiting.push({ key, value: inside });
    } else if (Array.isArray(value)) {
      for (const each of value) waiting.push({ key, value: each });
    } else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) {
        yield { key, text: name, isKey: true };
        waiting.push({ key: name, value: each });
      }
  }
}

const LOOKS_LIKE_JSON = /^\s{0,64}[[{]/;

/** The lists of texts, each as one line of words: `["bash", "-c", "…"]`. */
export function wordLists(args: unknown): PayloadText[] {
  const found: PayloadText[] = [];
  const waiting: Waiting[] = [{ key: "", value: args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      const words = value.filter((each) => typeof each === "string");
      if (words.length > 1) found.push({ key, text: words.map(quoteWord).join(" "), isKey: false });
      for (const each of value) waiting.push({ key, value: each });
    } else
      for (const [name, each] of Object.entries(value)) waiting.push({ key: name, value: each });
  }
  return found;
}

/** The texts alone, names of fields not among them. */
export const textsIn = (args: unknown): string[] =>
  payloadTexts(args).flatMap(({ text, isKey }) => (isKey ? [] : [text]));
