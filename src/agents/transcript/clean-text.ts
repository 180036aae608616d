import { stripAnsi } from "../strip-ansi.ts";

const LINE_END = /\r\n|[\r\u2028\u2029]/g;
// Controls move the cursor or are not allowed in HTML; direction marks make text read other than
// it is. A mark in their place shows that something was there.
const UNPRINTABLE = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from an agent or a tool as it may be shown: lines of printable characters. */
export const cleanText = (text: string): string =>
  stripAnsi(text).toWellFormed().replace(LINE_END, "\n").replace(UNPRINTABLE, "\ufffd");

/** The same on one line, with a mark where a line ended. */
export const cleanLine = (text: string): string =>
  cleanText(text).trim().replaceAll("\n", "⏎").replaceAll("\t", " ");

/** The lines of a text; its last line end does not begin another. */
export function splitLines(text: string): string[] {
  const lines = cleanText(text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
