import { analyzeSync, type Template } from "liquidjs";
import type { Where } from "../../command/fault.ts";
import type { Body, BodyPlace, Directive, UsedVariable } from "./body.ts";
import { createLocator } from "./scan/locate.ts";
import type { Piece } from "./scan/piece.ts";
import { scanBody } from "./scan/scan-body.ts";
import { parseTemplate } from "./template/engine.ts";
import { withLiquidProblems } from "./template/liquid-problem.ts";

/**
 * Takes the author's text apart, once. Throws a fault with file, line and column where it cannot.
 *
 * @example
 * const body = parseBody("Review {{ focus }}: !`git diff`", { file: "review.md", line: 4 });
 * listVariables(body); // ["focus"]
 */
export function parseBody(text: string, at: BodyPlace): Body {
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
