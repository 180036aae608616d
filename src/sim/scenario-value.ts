// The small values that scenario files are made of, with words for what is wrong with them.
import * as z from "zod/mini";
import { parseDuration } from "../core/command/time.ts";

export const someText = z.string().check(z.minLength(1));

const isWhole = (value: number, least: number): boolean =>
  Number.isSafeInteger(value) && value >= least;

/** From 0. */
export const countValue = z
  .number()
  .check(z.refine((value) => isWhole(value, 0), "must be a whole number from 0"));

/** From 1. */
export const ordinalValue = z
  .number()
  .check(z.refine((value) => isWhole(value, 1), "must be a whole number from 1"));

/** `200ms`, `5s` in the file, milliseconds inside. */
export const durationValue = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (value) => parseDuration(value) !== null,
        "must be a duration such as `200ms`, `5s`",
      ),
    ),
  z.transform((value) => parseDuration(value) ?? 0),
);

const pattern = z.pipe(
  z.string().check(z.refine(isPattern, "must be a regular expression")),
  z.transform((value) => new RegExp(value, "u")),
);

function isPattern(value: string): boolean {
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

const matcherFields = z
  .strictObject({ contains: z.optional(someText), matches: z.optional(pattern) })
  .check(z.refine((value) => Object.keys(value).length > 0, "needs `contains` or `matches`"));
export type TextMatcher = z.output<typeof matcherFields>;

/** A plain string is short for `{ contains: … }`. */
export const textMatcher = z.union([
  z.pipe(
    someText,
    z.transform((contains): TextMatcher => ({ contains })),
  ),
  matcherFields,
]);

export function matchesText(matcher: TextMatcher, text: string): boolean {
  if (matcher.contains !== undefined && !text.includes(matcher.contains)) return false;
  return matcher.matches === undefined || matcher.matches.test(text);
}

export function describeMatcher(matcher: TextMatcher): string {
  const parts: string[] = [];
  if (matcher.contains !== undefined) parts.push(`contains ${JSON.stringify(matcher.contains)}`);
  if (matcher.matches !== undefined) parts.push(`matches /${matcher.matches.source}/`);
  return parts.join(" and ");
}
