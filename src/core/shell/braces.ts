// Words that bash makes of one word with braces: `a{b,c}`, `{1..3}`.

const MAX_BRACE_WORDS = 64;
const PLAIN = /^[\w./@:%+=,{}~^*?-]*$/;

/** `{a,b}` and `{1..3}` as bash expands them; null for more than plain characters, or too many words. */
export function expandShellBraces(text: string): readonly string[] | null {
  return PLAIN.test(text) ? expandPlain(text, MAX_BRACE_WORDS) : null;
}

function expandPlain(text: string, limit: number): readonly string[] | null {
  const group = findGroup(text);
  if (group === null) return [text];
  const choices = readChoices(group.inner);
  if (choices === null) return null;
  const words: string[] = [];
  for (const choice of choices) {
    const expanded = expandPlain(`${group.before}${choice}${group.after}`, limit);
    if (expanded === null || words.length + expanded.length > limit) return null;
    words.push(...expanded);
  }
  return words;
}

interface Group {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
}

/** The first group that has a comma or a range; others are plain text. */
function findGroup(text: string): Group | null {
  for (let start = text.indexOf("{"); start !== -1; start = text.indexOf("{", start + 1)) {
    const end = findEnd(text, start);
    if (end === null) continue;
    const inner = text.slice(start + 1, end);
    if (splitTopLevel(inner).length > 1 || isRange(inner))
      return { before: text.slice(0, start), inner, after: text.slice(end + 1) };
  }
  return null;
}

function findEnd(text: string, start: number): number | null {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "{") depth++;
    if (text[index] === "}" && --depth === 0) return index;
  }
  return null;
}

function splitTopLevel(inner: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of inner) {
    if (character === "{") depth++;
    if (character === "}") depth--;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts;
}

const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})$/;
const isRange = (inner: string): boolean => /^[^,{}]+\.\.[^,{}]+$/.test(inner);

function readChoices(inner: string): readonly string[] | null {
  if (!isRange(inner)) return splitTopLevel(inner);
  const match = NUMBERS.exec(inner);
  const from = Number(match?.[1]);
  const to = Number(match?.[2]);
  if (match === null || Math.abs(from - to) >= MAX_BRACE_WORDS || /^-?0\d/.test(inner)) return null;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(from - to) + 1 }, (_, index) => String(from + index * step));
}
