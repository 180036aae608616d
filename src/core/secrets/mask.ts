// What must not be recorded in free text: secrets by the form their issuers gave them, beside a name that says so, or by
// their very value. The token is masked, not the line around it.

import { createNamedForms } from "./named-values.ts";
import { createKeyForms } from "./private-keys.ts";
import { createScanner, type Scanner, type SecretSpan } from "./scan.ts";
import { createSurroundedForms } from "./surrounded-forms.ts";
import { createVendorForms } from "./vendor-forms.ts";

export const MASK = "[secret]";

let scanner: Scanner | null = null;

/** Builds its tables when it is first used: most starts of the program mask nothing. */
export const scanSecrets: Scanner = (bytes, from, isWhole, maxSteps) => {
  scanner ??= createScanner([
    ...createVendorForms(),
    ...createSurroundedForms(),
    ...createKeyForms(),
    ...createNamedForms(),
  ]);
  return scanner(bytes, from, isWhole, maxSteps);
};

/**
 * Exact values that are masked; a function where more of them may become known while something is still written. It gives
 * the same list as long as there is nothing new.
 */
export type ExactValues = readonly string[] | (() => readonly string[]);

export const listExactValues = (exact: ExactValues): readonly string[] =>
  typeof exact === "function" ? exact() : exact;

/** Both; what becomes known of the others later is among them. */
export function joinExactValues(own: readonly string[], others: ExactValues): ExactValues {
  if (typeof others !== "function") return [...own, ...others];
  let last: readonly string[] = [];
  let joined = own;
  return () => {
    const now = others();
    if (now !== last) [last, joined] = [now, [...own, ...now]];
    return joined;
  };
}

/** Shorter values would mask ordinary words. */
const MIN_EXACT_LENGTH = 4;

/** The exact values that are looked for, the longest first, also as JSON and URLs write them. */
export function spellExactValues(values: readonly string[]): string[] {
  const long = values.filter((value) => value.length >= MIN_EXACT_LENGTH);
  const spelt = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), inUrl(value)]);
  return [...new Set(spelt)].sort((a, b) => b.length - a.length);
}

const inUrl = (value: string): string => encodeURIComponent(value.toWellFormed());

/** Masks known secret forms and the exact values given, longest first. */
export function maskSecrets(text: string, exact: ExactValues = []): string {
  let masked = text;
  for (const value of spellExactValues(listExactValues(exact)))
    masked = masked.replaceAll(value, MASK);
  return maskForms(masked);
}

/** No issuer's form is that short without a digit, and a value needs a name and what stands between the two. */
const PLAIN_WORD = /^[A-Za-z_]{1,19}$/;

function maskForms(text: string): string {
  // The names of tools and arguments, at each step of an agent: to build the tables for them took a third of its time.
  if (PLAIN_WORD.test(text)) return text;
  const bytes = Buffer.from(text);
  const { spans } = scanSecrets(bytes, 0, true);
  if (spans.length === 0) return text;
  let masked = "";
  let at = 0;
  for (const { begin, end } of spans) {
    masked += bytes.toString("utf8", at, begin) + MASK;
    at = end;
  }
  return masked + bytes.toString("utf8", at);
}

/** The text of a field; one that is a secret only beside the field's name is masked whole. */
export function maskNamed(name: string, text: string): string {
  if (!namesSecret(name)) return text;
  const line = Buffer.from(`"${name}": "${text}"`);
  const isWhole = scanSecrets(line, 0, true).spans.some(({ end }) => end === line.length - 1);
  return isWhole ? MASK : text;
}

/** True for what nobody writes by chance; a password that a person chose is masked in records, and no guard stops for it. */
export const looksSecret = (text: string): boolean =>
  scanSecrets(Buffer.from(text), 0, true).spans.some(({ isSure }: SecretSpan) => isSure);

/** Those that nobody writes by chance, as they stand in the text. */
export function listSecrets(text: string): string[] {
  const bytes = Buffer.from(text);
  return scanSecrets(bytes, 0, true).spans.flatMap(({ isSure, begin, end }) =>
    isSure ? bytes.toString("latin1", begin, end) : [],
  );
}

/** A parameter or a variable whose name says what it holds. */
export const namesSecret = (name: string): boolean =>
  /(?:key|token|secret|password|passwd|passphrase|pwd|credentials?|_pass|_auth)$/i.test(name);

/** What the environment holds under such names; a path or a plain word would mask half of any text. */
export const secretValues = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value = ""]) =>
    namesSecret(name) && !/^(?:[~.]?\/[^\s/]*\/\S*|[a-z]{1,7}|\d{1,5})$/.test(value) ? [value] : [],
  );
