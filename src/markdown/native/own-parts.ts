// Our own body as parts.
import type { Where } from "../../command/fault.ts";
import type { Directive } from "../body/body.ts";
import { unescapePath } from "../body/scan/import-text.ts";
import type { Piece } from "../body/scan/piece.ts";
import { scanBody } from "../body/scan/scan-body.ts";
import { joinTexts, type NativePart, textPart } from "./part.ts";

export type OwnParts =
  | { readonly kind: "parts"; readonly parts: readonly NativePart[] }
  /** It also does this, which no part says; it continues "it". */
  | { readonly kind: "more"; readonly why: string };

/** `names` are those of words, in their order. */
export function readOwnParts(body: string, names: readonly string[] = []): OwnParts {
  const parts: NativePart[] = [];
  for (const piece of scanBody(body, nowhere).pieces) {
    const part = partOf(piece, names);
    if (typeof part === "string") return { kind: "more", why: part };
    parts.push(part);
  }
  return { kind: "parts", parts: joinTexts(parts) };
}

/** Whoever loaded the command has told what is wrong with it. */
const nowhere = (): Where => ({ file: "" });

function partOf(piece: Piece, names: readonly string[]): NativePart | string {
  if (piece.kind === "text") return textPart(piece.text);
  if (piece.kind === "directive") return directivePart(piece.directive);
  const expression = /^\{\{-?\s*([^|]*?)\s*-?\}\}$/s.exec(piece.text)?.[1];
  if (expression === undefined) return "uses Liquid";
  return placeOf(expression, names) ?? `uses \`{{ ${expression} }}\``;
}

function directivePart(directive: Directive): NativePart | string {
  const { written } = directive;
  if (directive.kind === "command") return { kind: "command", command: directive.command, written };
  if (directive.kind === "url" || directive.isGlob || directive.part.kind !== "whole")
    return `imports \`${written}\``;
  return { kind: "file", path: unescapePath(directive.path), written };
}

function placeOf(expression: string, names: readonly string[]): NativePart | null {
  if (expression === "args") return { kind: "all" };
  const [, index, number] = /^args\[(\d+)\]$|^arg([1-9]\d*)$/.exec(expression) ?? [];
  if (index !== undefined) return { kind: "word", at: Number(index) };
  if (number !== undefined) return { kind: "word", at: Number(number) - 1 };
  const at = names.indexOf(expression);
  return at < 0 ? null : { kind: "word", at };
}
