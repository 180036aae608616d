// A score out of what a test program prints.
import { isRecord } from "../../agents/json-fields.ts";
import { readJunit } from "./read-junit.ts";
import { readTap } from "./read-tap.ts";

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
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
