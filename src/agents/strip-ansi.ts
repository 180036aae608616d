// Escape sequences in every form a terminal takes: CSI, OSC and the other strings with either end,
// two- and three-character escapes, and the one-byte C1 forms. An unfinished one goes to its end.
const SEQUENCE = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?",
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "\\u001b[ -/]*[0-~]?",
    "[\\u0080-\\u009f]",
  ].join("|"),
  "g",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MARK = /[\u001b\u0080-\u009f]/;

/** The text as a person would read it on the terminal. */
export const stripAnsi = (text: string): string =>
  MARK.test(text) ? text.replace(SEQUENCE, "") : text;
