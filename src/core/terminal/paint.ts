// Colour, sparing: names, verdicts, diffs. Commands give plain text; it is painted where a person sees it, and only the
// text of commands that say of themselves what it is made of.
import type { TextPart } from "../command/definition.ts";

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
type Style = keyof typeof CODES;

function paint(text: string, style: Style): string {
  const [on, off] = CODES[style];
  return text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
}

const NAME = /`[^`\n]+`/g;

/** A message of the program: what it is, and the names in it. */
export const paintMessage = (message: string, kind: "error" | "notice"): string =>
  message
    .replaceAll(NAME, (name) => paint(name, "bold"))
    .replace(/^adj:/, (prefix) => paint(prefix, kind === "error" ? "red" : "yellow"));

/** Each line by the first of its parts that knows it. */
export function paintText(text: string, parts: readonly TextPart[]): string {
  const painters = parts.map((part) => PAINTERS[part]());
  const paintLine = (line: string): string => {
    for (const painter of painters) {
      const painted = painter(line);
      if (painted !== null) return painted;
    }
    return line;
  };
  return text.split("\n").map(paintLine).join("\n");
}

/** Null for a line that is none of its kind. What came before may decide, so each text has its own. */
type LinePainter = (line: string) => string | null;

const PAINTERS: Readonly<Record<TextPart, () => LinePainter>> = {
  table: tablePainter,
  sections: () => paintSection,
  findings: () => paintFinding,
  diff: diffPainter,
  verdicts: () => paintVerdict,
};

const TITLES = /^[A-Z][A-Z ]*$/;

/** A line of titles begins a table, an empty line ends it; the first cell of a row is what the row is about. */
function tablePainter(): LinePainter {
  let isInside = false;
  return (line) => {
    if (TITLES.test(line)) {
      isInside = true;
      return paint(line, "bold");
    }
    isInside &&= line !== "";
    if (!isInside) return null;
    return paintWords(line.replace(/^[^\s,]+(?:, [^\s,]+)*/, (name) => paint(name, "cyan")));
  };
}

/** A title stands alone at the margin, its terms below it. */
function paintSection(line: string): string | null {
  const term = /^ {2}([^\s,]+(?:, [^\s,]+)*(?: <[^>]+>)?)(?= {2}|$)/.exec(line)?.[1];
  if (term !== undefined) return line.replace(term, () => paint(term, "cyan"));
  return /^[a-z][\w ,]*$/.test(line) ? paint(line, "bold") : null;
}

const FINDINGS: Readonly<Record<string, Style>> = {
  ok: "green",
  note: "dim",
  warn: "yellow",
  fix: "red",
};

function paintFinding(line: string): string | null {
  const mark = /^ {2}(ok|note|warn|fix) /.exec(line)?.[1];
  return mark === undefined ? null : line.replace(mark, () => paint(mark, FINDINGS[mark] ?? "dim"));
}

/** Only behind a line that says where the change is: a list may have dashes too. */
function diffPainter(): LinePainter {
  let isInside = false;
  return (line) => {
    if (line.startsWith("@@ ")) {
      isInside = true;
      return paint(line, "cyan");
    }
    isInside &&= /^[ +\\-]/.test(line);
    if (!isInside || !/^[+-]/.test(line)) return null;
    return paint(line, line.startsWith("+") ? "green" : "red");
  };
}

const VERDICTS: Readonly<Record<string, Style>> = {
  ok: "green",
  success: "green",
  done: "green",
  proceed: "green",
  veto: "red",
  vetoed: "red",
  failed: "red",
  error: "red",
  rejected: "red",
  timeout: "red",
  ask: "yellow",
  cancelled: "yellow",
};

const VERDICT = new RegExp(`(?<=^|\\s)(?:${Object.keys(VERDICTS).join("|")})(?=$|[\\s,;:])`, "g");

const paintWords = (line: string): string =>
  line.replaceAll(VERDICT, (word) => paint(word, VERDICTS[word] ?? "bold"));

function paintVerdict(line: string): string | null {
  const painted = paintWords(line);
  return painted === line ? null : painted;
}
