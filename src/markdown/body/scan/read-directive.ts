import type { FileImport, InlineCommand, UrlImport } from "../body.ts";
import type { CodeSpan } from "./code.ts";
import { parseImport, readImportText } from "./import-text.ts";
import type { Wrong } from "./read-liquid.ts";

type Place = "written" | "where" | "isConditional";
export type DirectiveCore =
  | Omit<FileImport, Place>
  | Omit<UrlImport, Place>
  | Omit<InlineCommand, Place>;

export type DirectiveReading =
  | { readonly kind: "found"; readonly core: DirectiveCore; readonly end: number }
  | Wrong;

/** Null where this `@` begins no import. */
export function readImport(text: string, at: number): DirectiveReading | null {
  const found = readImportText(text, at);
  if (found === null) return null;
  const wrong = (problem: string, hint: string): Wrong => ({
    kind: "wrong",
    offset: at,
    problem: `\`@${found.raw}\` ${problem}`,
    hint,
  });
  if (text.startsWith("{{", found.end))
    return wrong(
      "is followed by `{{`: no variable may choose what is imported",
      "choose between imports with `{% if %}`, or put a blank between them",
    );
  const target = parseImport(found.raw);
  if (target.kind === "wrong") return wrong(target.problem, target.hint);
  return { kind: "found", core: target, end: found.end };
}

/** Null where this `!` begins no inline command. */
export function readCommand(
  text: string,
  at: number,
  findSpan: (at: number) => CodeSpan | null,
): DirectiveReading | null {
  const span = text.charAt(at + 1) === "`" ? findSpan(at + 1) : null;
  if (span === null) return null;
  const command = text.slice(at + 1 + span.ticks, span.close).trim();
  if (command === "")
    return {
      kind: "wrong",
      offset: at,
      problem: "an inline command is empty",
      hint: "write it as !`command`, or `\\!` for the characters themselves",
    };
  return { kind: "found", core: { kind: "command", command }, end: span.close + span.ticks };
}
