import { countOf } from "./figures.ts";

const LINE_LIMIT = 500;

/** The beginning and the end of a long output, which is where the news is, and a note between. */
export function cutLines(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines.map((line) => cutLine(line, LINE_LIMIT));
  const head = Math.ceil(most / 2);
  const tail = most - head;
  return [
    ...lines.slice(0, head).map((line) => cutLine(line, LINE_LIMIT)),
    `[${countOf(lines.length - most, "line")} left out]`,
    ...lines.slice(lines.length - tail).map((line) => cutLine(line, LINE_LIMIT)),
  ];
}

/** A line of at most so many characters and a note of what was left out; never half a character. */
export function cutLine(line: string, most: number): string {
  if (line.length <= most) return line;
  const kept = line.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… [${countOf(line.length - kept.length, "more character")}]`;
}
