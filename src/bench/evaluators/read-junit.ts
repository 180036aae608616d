// Test cases out of a JUnit report. Only tags are looked at, in one pass: no entity is expanded, and nothing that
// a test printed into CDATA or a comment is taken for a tag.
import type { TestCount } from "./test-count.ts";

interface Tag {
  readonly name: string;
  readonly kind: "opening" | "closing" | "empty";
}

const STEPS = { opening: 1, closing: -1, empty: 0 } as const;

/** Null for a report that breaks off. */
export function readJunit(xml: string): TestCount | null {
  let [passed, all, depth] = [0, 0, 0];
  let current: { isFailed: boolean; isSkipped: boolean } | null = null;
  for (const { name, kind } of readTags(xml)) {
    if (name === "") return null;
    if (name.startsWith("test")) depth += STEPS[kind];
    if (name === "testcase") {
      if (kind !== "closing") current = { isFailed: false, isSkipped: false };
      if (kind !== "opening" && current !== null && !current.isSkipped) {
        all += 1;
        passed += current.isFailed ? 0 : 1;
      }
      if (kind !== "opening") current = null;
    } else if (current !== null && kind !== "closing") {
      current.isFailed ||= name === "failure" || name === "error";
      current.isSkipped ||= name === "skipped";
    }
  }
  return depth === 0 ? { passed, all } : null;
}

const BROKEN: Tag = { name: "", kind: "empty" };
const SKIPPED = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** One without a name is the last, where the text breaks off. */
function* readTags(xml: string): Generator<Tag> {
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", at)) {
    const skipped = SKIPPED.find(([start]) => xml.startsWith(start, at));
    const name = /<(\/?)([A-Za-z_][\w:.-]*)/y;
    name.lastIndex = at;
    const [, slash, word] = skipped === undefined ? (name.exec(xml) ?? []) : [];
    const isDoctype = xml.startsWith("<!DOCTYPE", at);
    if (skipped === undefined && word === undefined && !isDoctype) {
      at += 1;
      continue;
    }
    const end = skipped === undefined ? findTagEnd(xml, at) : xml.indexOf(skipped[1], at);
    if (end < 0) {
      yield BROKEN;
      return;
    }
    if (word !== undefined) {
      const kind = slash === "/" ? "closing" : xml[end - 1] === "/" ? "empty" : "opening";
      yield { name: word.slice(word.indexOf(":") + 1), kind };
    }
    at = end + 1;
  }
}

/** The `>` that is neither in quotes nor in the brackets of a document type. */
function findTagEnd(xml: string, from: number): number {
  let [quote, brackets] = ["", 0];
  for (let at = from; at < xml.length; at++) {
    const char = xml[at] ?? "";
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "[") brackets += 1;
    else if (char === "]") brackets -= 1;
    else if (char === ">" && brackets <= 0) return at;
  }
  return -1;
}
