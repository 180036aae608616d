// Liquid as far as a body may use it: no files, no other template, nothing inherited, and an end to every loop.

import type { Context, Emitter } from "liquidjs";
import {
  Liquid,
  Parser,
  Tag,
  TagToken,
  type Template,
  Tokenizer,
  type TopLevelToken,
} from "liquidjs";
import type { Directive } from "../body.ts";
import type { Piece } from "../scan/piece.ts";
import { PartList } from "./part-list.ts";

/** Tags that read other files. */
export const TAGS_OFF = ["include", "render", "layout", "block"] as const;
// They take an expression as text, and text may come from anywhere.
const FILTERS_OFF = ["where", "reject", "group_by", "has", "find", "find_index"].map(
  (name) => `${name}_exp`,
);

const RENDER_LIMIT_MS = 5_000;
/** Characters and list entries that filters and ranges may make. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

const PIECE = "adjutant-piece";

/** A piece that is not Liquid's, at its place among Liquid's tokens. */
class PieceToken extends TagToken {
  readonly piece: string | Directive;

  constructor(piece: string | Directive, offset?: number) {
    super(PIECE_TEXT, 0, PIECE_TEXT.length, engine.options, offset?.toString());
    this.piece = piece;
    this.name = PIECE;
  }
}
const PIECE_TEXT = "{% piece %}";

class PieceTag extends Tag {
  readonly #piece: string | Directive;

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    if (!(token instanceof PieceToken)) throw new Error(`tag "${token.name}" not found`);
    this.#piece = token.piece;
  }

  render(context: Context, emitter: Emitter): void {
    if (typeof this.#piece === "string") emitter.write(this.#piece);
    else if (emitter instanceof PartList) emitter.reach(this.#piece, context);
    else throw new TypeError("a directive was rendered into a variable");
  }
}

export const engine = createEngine();

function createEngine(): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
  });
  for (const name of TAGS_OFF) delete liquid.tags[name];
  for (const name of FILTERS_OFF) liquid.unregisterFilter(name);
  liquid.registerTag(PIECE, PieceTag);
  return liquid;
}

/** Each token knows where it stood by the name of its "file", so that no place costs a walk of the text. */
export function parseTemplate(pieces: readonly Piece[]): readonly Template[] {
  return new Parser(engine).parseTokens(pieces.flatMap(tokenize));
}

function tokenize(piece: Piece): TopLevelToken[] {
  if (piece.kind === "text") return [new PieceToken(piece.text)];
  if (piece.kind === "directive") return [new PieceToken(piece.directive, piece.offset)];
  const { operators } = engine.options;
  return new Tokenizer(piece.text, operators, String(piece.offset)).readTopLevelTokens(
    engine.options,
  );
}
