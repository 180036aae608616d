import type { Directive } from "../body.ts";

/** A stretch of the author's text, by what becomes of it. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** A Liquid tag or output, for Liquid to read. */
  | { readonly kind: "liquid"; readonly text: string; readonly offset: number }
  | { readonly kind: "directive"; readonly directive: Directive; readonly offset: number };

/** Collects pieces: neighbouring text becomes one, and Liquid's dashes trim the text beside them. */
export class PieceList {
  readonly pieces: Piece[] = [];
  #text: string[] = [];
  #trimsNext = false;

  addText(text: string): void {
    if (text === "") return;
    const kept = this.#trimsNext ? text.trimStart() : text;
    if (kept === "") return;
    this.#trimsNext = false;
    this.#text.push(kept);
  }

  addLiquid(text: string, offset: number): void {
    this.#endText(text.startsWith("-", 2));
    this.pieces.push({ kind: "liquid", text, offset });
    this.#trimsNext = text.startsWith("-", text.length - 3);
  }

  addDirective(directive: Directive, offset: number): void {
    this.#endText(false);
    this.#trimsNext = false;
    this.pieces.push({ kind: "directive", directive, offset });
  }

  /** Text as it is between two tags that are gone; their outer dashes trim, the inner ones do not. */
  addUnread({ open, text, close }: { open: string; text: string; close: string }): void {
    this.#endText(open.startsWith("-", 2));
    if (text !== "") this.pieces.push({ kind: "text", text });
    this.#trimsNext = close.startsWith("-", close.length - 3);
  }

  finish(): readonly Piece[] {
    this.#endText(false);
    return this.pieces;
  }

  #endText(isTrimmed: boolean): void {
    const text = this.#text.join("");
    this.#text = [];
    const kept = isTrimmed ? text.trimEnd() : text;
    if (kept !== "") this.pieces.push({ kind: "text", text: kept });
  }
}
