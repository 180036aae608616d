// A score out of what a test program prints.

export const SCORE_FORMATS = ["json", "junit", "tap"] as const;
export type ScoreFormat = (typeof SCORE_FORMATS)[number];

export interface ScoreReading {
  readonly score: number;
  readonly message: string;
}

/** Null where there is none to be found. */
export function readScore(format: ScoreFormat, text: string): ScoreReading | null {
  if (format === "json") return readJsonScore(text);
  return format === "junit" ? readJunit(text) : readTap(text);
}

/** The last line, or the whole, that is an object with a `score` from 0 to 1. */
function readJsonScore(text: string): ScoreReading | null {
  for (const candidate of [...text.trim().split("\n").toReversed(), text]) {
    const value = parseObject(candidate);
    if (value === null) continue;
    const { score, message } = value;
    if (typeof score !== "number" || !(score >= 0 && score <= 1)) continue;
    return { score, message: typeof message === "string" ? message : `score ${score}` };
  }
  return null;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.trim().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readJunit(text: string): ScoreReading | null {
  const cases = [...text.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, , body]) => body ?? "",
  );
  const counted = cases.filter((body) => !/<skipped\b/.test(body));
  return share(counted.filter((body) => !/<(failure|error)\b/.test(body)).length, counted.length);
}

function readTap(text: string): ScoreReading | null {
  const results = [...text.matchAll(/^(not )?ok\b(?:.*?#\s*(skip|todo))?/gim)].filter(
    ([, , directive]) => directive === undefined,
  );
  return share(results.filter(([, not]) => not === undefined).length, results.length);
}

const share = (passed: number, all: number): ScoreReading | null =>
  all === 0 ? null : { score: passed / all, message: `${passed} of ${all} tests pass` };
