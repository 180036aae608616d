// Our own body as parts.
import {
  areSameParts,
  joinTextParts,
  type NativePart,
  textPart,
} from "../../agents/native/format.ts";
import { Fault, type Where } from "../../core/command/fault.ts";
import type { Directive } from "../body/body.ts";
import { countTicks, createSpanFinder, findFenceEnd } from "../body/code.ts";
import { unescapePath } from "../body/directives.ts";
import { type Piece, scanBody } from "../body/scan.ts";

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
  return { kind: "parts", parts: joinTextParts(parts) };
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

// Parts as a body of ours. What is printed is read back: only a text that says the same is given out.

/** Null where our format cannot say it. */
export function printOwnBody(parts: readonly NativePart[]): string | null {
  const joined = joinTextParts(parts);
  for (const printText of [escapeText, closeOff, closeOffAll]) {
    const body = joined.map((part) => printPart(part, printText)).join("");
    if (says(body, joined)) return body;
  }
  return null;
}

function says(body: string, parts: readonly NativePart[]): boolean {
  try {
    const read = readOwnParts(body);
    return read.kind === "parts" && areSameParts(read.parts, parts);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return false;
  }
}

function printPart(part: NativePart, printText: (text: string) => string): string {
  if (part.kind === "text") return printText(part.text);
  if (part.kind === "all") return "{{ args }}";
  if (part.kind === "word") return `{{ args[${part.at}] }}`;
  if (part.kind === "file") return `@${escapePath(part.path)}`;
  return printCommand(part.command);
}

/** More backticks than any run of them within. */
function printCommand(command: string): string {
  const longest = Math.max(0, ...Array.from(command.matchAll(/`+/g), ([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const gap = command.startsWith("`") || command.endsWith("`") ? " " : "";
  return `!${ticks}${gap}${command}${gap}${ticks}`;
}

const escapePath = (path: string): string =>
  path.replaceAll(/[\s"'`<>|\\*?[\]{}#()]|:(?=\d+(?:-\d*)?$)|[.,;:!?]$/g, "\\$&");

// Where a backslash before it makes it text.
const DIRECTIVE = /\{[{%]|(?<=^|[\s([{<>"'])(?:@(?=\.\.?\/|~\/|\/|https?:\/\/)|!(?=`))/g;

/** A backslash before what would be a directive; code is text already, and a backslash in it would show. */
function escapeText(text: string): string {
  const findSpan = createSpanFinder(text);
  const meant = new Set(Array.from(text.matchAll(DIRECTIVE), ({ index }) => index));
  let printed = "";
  let at = 0;
  const copyPlain = (end: number) => {
    for (; at < end; at++) printed += (meant.has(at) ? "\\" : "") + text.charAt(at);
  };
  const copyCode = (end: number) => {
    printed += text.slice(at, end);
    at = end;
  };
  while (at < text.length) {
    const fence = at === 0 || text.charAt(at - 1) === "\n" ? findFenceEnd(text, at) : null;
    if (fence !== null && fence > at) copyCode(fence);
    else {
      const next = findNext(text, at);
      copyPlain(next);
      if (text.charAt(next) !== "`") continue;
      const ticks = countTicks(text, next);
      copyCode((findSpan(next)?.close ?? next) + ticks);
    }
  }
  return printed;
}

/** The end of this line, or the code in it. */
function findNext(text: string, at: number): number {
  const found = /[`\n]/g;
  found.lastIndex = at;
  const match = found.exec(text);
  if (match === null) return text.length;
  return match[0] === "\n" ? match.index + 1 : match.index;
}

/** Nobody reads what stands in `raw`; only its own end must not stand there. */
const closeOffAll = (text: string): string =>
  text
    .split(/(?<=\{)(?=%)/)
    .map((piece) => `{% raw %}${piece}{% endraw %}`)
    .join("");

const closeOff = (text: string): string => (/[\\`@!{~]/.test(text) ? closeOffAll(text) : text);
