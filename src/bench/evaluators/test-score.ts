// A score out of what a test program prints.
import { parseJsonObject } from "../../core/project/json-value.ts";

export const SCORE_FORMATS = ["json", "junit", "tap"] as const;
export type ScoreFormat = (typeof SCORE_FORMATS)[number];

export interface ScoreReading {
  readonly score: number;
  readonly message: string;
}

/** Null where there is none to be found. */
export function readScore(format: ScoreFormat, text: string): ScoreReading | null {
  if (format === "json") return readJsonScore(text);
  const count = format === "junit" ? readJunit(text) : readTap(text);
  if (count === null || count.all === 0) return null;
  const { passed, all } = count;
  return { score: passed / all, message: `${passed} of ${all} tests pass` };
}

/** The whole, or the last line, that is an object with a `score`; one that is not from 0 to 1 is none. */
function readJsonScore(text: string): ScoreReading | null {
  for (const candidate of candidatesIn(text.trim())) {
    const value = parseObject(candidate);
    if (value === null || !("score" in value)) continue;
    const { score, message } = value;
    if (typeof score !== "number" || !(score >= 0 && score <= 1)) return null;
    return { score, message: typeof message === "string" ? message : `score ${score}` };
  }
  return null;
}

function* candidatesIn(text: string): Generator<string> {
  yield text;
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    yield text.slice(start, end);
    end = start - 1;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  // To try and to fail is dear where a program prints a million braces.
  if (!/^\s*\{/.test(text) || !text.includes('"score"')) return null;
  return parseJsonObject(text);
}

// Test cases out of a JUnit report. Only tags are looked at, in one pass: no entity is expanded, and nothing that
// a test printed into CDATA or a comment is taken for a tag.

interface Tag {
  readonly name: string;
  readonly kind: "opening" | "closing" | "empty";
}

const STEPS = { opening: 1, closing: -1, empty: 0 } as const;

/** Null for a report that breaks off. */
function readJunit(xml: string): TestCount | null {
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

const RESULT = /^(not )?ok(?=\s|$)/;
const LEFT_OUT = /\s#\s*(skip|todo)\b/i;
const PLAN = /^1\.\.(\d+)/;

/** Tests that were planned and not run count as failed; null where more ran than were planned. */
function readTap(text: string): TestCount | null {
  let [passed, failed, left, planned] = [0, 0, 0, 0];
  let hasPlan = false;
  for (const line of text.split("\n")) {
    const plan = PLAN.exec(line);
    const result = RESULT.exec(line);
    if (plan !== null) {
      hasPlan = true;
      planned += Number(plan[1]);
    } else if (line.startsWith("Bail out!")) failed += hasPlan ? 0 : 1;
    else if (result === null) continue;
    else if (LEFT_OUT.test(line)) left += 1;
    else if (result[1] === undefined) passed += 1;
    else failed += 1;
  }
  const ran = passed + failed + left;
  if (hasPlan && ran > planned) return null;
  return { passed, all: passed + failed + (hasPlan ? planned - ran : 0) };
}

/** Tests that count: those left out on purpose do not. */
interface TestCount {
  readonly passed: number;
  readonly all: number;
}
