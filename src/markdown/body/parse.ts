// The author's text → a body that can be assembled many times.
import { analyzeSync, type Template } from "liquidjs";
import type { Where } from "../../core/command/fault.ts";
import type { Body, BodyLocation, Directive, UsedVariable } from "./body.ts";
import { type Piece, scanBody } from "./scan.ts";
import { parseTemplate, withLiquidProblems } from "./template.ts";

/**
 * Takes the author's text apart, once. Throws a fault with file, line and column where it cannot.
 *
 * @example
 * const body = parseBody("Review {{ focus }}: !`git diff`", { file: "review.md", line: 4 });
 * listVariables(body); // ["focus"]
 */
export function parseBody(text: string, at: BodyLocation): Body {
  const locate = createLocator(text, at);
  const { pieces, quoted } = scanBody(text, locate);
  const template = withLiquidProblems(locate, () => parseTemplate(pieces));
  const variables = listUses(template, locate);
  return { template, directives: listDirectives(pieces), variables, quoted, at, locate };
}

const listDirectives = (pieces: readonly Piece[]): Directive[] =>
  pieces.flatMap((piece) => (piece.kind === "directive" ? [piece.directive] : []));

function listUses(
  template: readonly Template[],
  locate: (offset: number) => Where,
): UsedVariable[] {
  const { globals } = analyzeSync([...template], { partials: false });
  return Object.entries(globals).flatMap(([, uses]) => {
    const first = uses[0];
    const name = first?.segments[0];
    if (first === undefined || typeof name !== "string") return [];
    return [{ name, where: whereOf(first.location, locate) }];
  });
}

interface Location {
  readonly row: number;
  readonly col: number;
  readonly file?: string;
}

/** The "file" of a token is the offset of its tag; row and column count from there. */
function whereOf({ row, col, file }: Location, locate: (offset: number) => Where): Where {
  const tag = locate(Number(file ?? 0));
  const column = row === 1 ? (tag.column ?? 1) + col - 1 : col;
  return { ...tag, line: (tag.line ?? 1) + row - 1, column };
}

/** Turns places in the text into places in its file; the lines are looked for once. */
function createLocator(text: string, at: BodyLocation): (offset: number) => Where {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= listLineStarts(text);
    const line = countUpTo(starts, offset);
    const column = offset - (starts[line - 1] ?? 0) + 1;
    return { file: at.file, line: at.line + line - 1, column };
  };
}

function listLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of these ascending numbers are not above the limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
