// What a prompt is made of, in our format and in those of the agents: text, and places for what is typed.

export type NativePart =
  | { readonly kind: "text"; readonly text: string }
  /** All that is typed after the command. */
  | { readonly kind: "all" }
  /** One word of it, counted from 0. */
  | { readonly kind: "word"; readonly at: number }
  /** A command whose output stands there; `written` as the agent has it. */
  | { readonly kind: "command"; readonly command: string; readonly written: string }
  | { readonly kind: "file"; readonly path: string; readonly written: string };

export const textPart = (text: string): NativePart => ({ kind: "text", text });

/** Neighbouring texts become one, empty ones none. */
export function joinTexts(parts: readonly NativePart[]): NativePart[] {
  const joined: NativePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind !== "text") joined.push(part);
    else if (last?.kind === "text") joined[joined.length - 1] = textPart(last.text + part.text);
    else if (part.text !== "") joined.push(part);
  }
  return joined;
}

export function areSameParts(some: readonly NativePart[], others: readonly NativePart[]): boolean {
  const [left, right] = [joinTexts(some), joinTexts(others)];
  return (
    left.length === right.length &&
    left.every((part, at) => contentOf(part) === contentOf(right[at]))
  );
}

function contentOf(part: NativePart | undefined): string {
  if (part === undefined) return "";
  const { written: _, ...content } = { written: "", ...part };
  return JSON.stringify(content, Object.keys(content).sort());
}

/** What is typed could complete a directive where it is put in before directives are looked for. */
export const couldBeCompleted = (parts: readonly NativePart[]): boolean =>
  parts.some((part, at) => {
    if (part.kind !== "all" && part.kind !== "word") return false;
    const [before, after] = [parts[at - 1], parts[at + 1]];
    return (
      before?.kind === "file" ||
      (before?.kind === "text" && /[!@]$/.test(before.text)) ||
      (after?.kind === "text" && after.text.startsWith("`"))
    );
  });
