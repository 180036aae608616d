// The texts in a tool's arguments, whatever shape the tool gives them: in lists and objects however deep, as keys, and in
// JSON that is itself handed over as a text.

import { quoteWord } from "../../core/command/words.ts";
import { parseJson } from "../../core/project/json-value.ts";
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
  return [...everyObject(args)].flatMap((fields) =>
    Object.entries(fields).flatMap(([key, value]) => {
      const words = textsOf(value);
      if (words.length < 2) return [];
      const line = { key, text: words.map(quoteWord).join(" "), isKey: false };
      // The keys of a terminal have names.
      return words.some((word) => ENTER.test(word))
        ? [line, { ...line, text: words.map(typed).join("") }]
        : [line];
    }),
  );
}

const ENTER = /^(?:Enter|Return|C-m|C-j|\{(?:enter|return)\})$/i;

const typed = (word: string): string =>
  ENTER.test(word) ? "\n" : /^(?:Space|\{space\})$/i.test(word) ? " " : word;

/** `{ "command": "cat", "args": ["x"] }`: a program apart from its words. */
export const calledPrograms = (args: unknown): string[] =>
  [...everyObject(args)].flatMap((fields) => {
    const programs = PROGRAM_KEYS.map((key) => fields[key]).filter(isName);
    const words = WORD_KEYS.flatMap((key) => textsOf(fields[key]));
    return words.length === 0
      ? []
      : programs.map((program) => [program, ...words.map(quoteWord)].join(" "));
  });

const PROGRAM_KEYS = ["command", "cmd", "program", "executable", "file", "bin", "name"];
const WORD_KEYS = ["args", "arguments", "argv", "params", "parameters"];
const isName = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !/\s/.test(value);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** Each object with its fields, however deep; a list's own lists stand under its name. */
function* everyObject(args: unknown): Generator<Readonly<Record<string, unknown>>> {
  const waiting: Waiting[] = [{ key: "", value: Array.isArray(args) ? [args] : args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value } = next;
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const each of value) {
        if (Array.isArray(each)) yield { [key]: each };
        waiting.push({ key, value: each });
      }
      continue;
    }
    const fields = Object.fromEntries(Object.entries(value));
    yield fields;
    for (const [name, each] of Object.entries(fields)) waiting.push({ key: name, value: each });
  }
}

/** The texts alone, names of fields not among them. */
export const textsIn = (args: unknown): string[] =>
  payloadTexts(args).flatMap(({ text, isKey }) => (isKey ? [] : [text]));
