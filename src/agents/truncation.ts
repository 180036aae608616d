/** What a line that stands for cut output begins with. */
const TRUNCATION_MARK = "[OUTPUT TRUNCATED";

export const OUTPUT_LIMIT = 10 * 1024 * 1024;

export const truncationLine = (limitBytes: number): string =>
  `${TRUNCATION_MARK} at ${limitBytes} bytes]`;

/** The mark alone on its line; the same words inside a text are only words. */
export const isTruncationLine = (line: string): boolean =>
  line.startsWith(TRUNCATION_MARK) && line.trimEnd().endsWith("]");
