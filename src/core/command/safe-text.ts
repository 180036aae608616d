// Text of others in a terminal. Controls could hide a line or type for the person, and direction marks could reorder it.

/**
 * Text of others (a path, a name, a diff) as a terminal may show it: what cannot be seen is written out, but for the
 * joiners that emoji and some scripts are written with.
 */
export function escapeControls(text: string): string {
  // It stands here because already to read it takes 0.25 ms of each start.
  const hidden = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  return text.replaceAll(hidden, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** The same where it stands in a line: a line's end would begin another. */
export const escapeLine = (text: string): string =>
  escapeControls(text).replaceAll(/[\t\n]/g, (char) => (char === "\n" ? "\\n" : "\\t"));
