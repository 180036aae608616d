import type { TextMatcher } from "./scenario-value.ts";

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
