// Edits of a text in time that grows with the text and not with what stands in it.
import { TooMuchToLookAt } from "../files/look-limit.ts";

export interface Replacement {
  readonly old: string;
  readonly now: string;
  readonly isAll: boolean;
}

/** Over all edits of a call: forty times `a` by `aa` is a file that no machine holds. */
const MAX_CHARACTERS = 64 << 20;

export class EditWork {
  #left = MAX_CHARACTERS;

  /** Before so many characters are searched or written. */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0)
      throw new TooMuchToLookAt(
        "its edits are too many for a file of that size; make fewer at once",
      );
  }
}

/** What `replace` or `replaceAll` would make of it, with the new text as it stands. */
export function replaceText(
  text: string,
  { old, now, isAll }: Replacement,
  work: EditWork,
): string {
  work.take(text.length);
  const places = findPlaces(text, old, isAll ? Number.POSITIVE_INFINITY : 1);
  work.take(text.length + places.length * now.length);
  const parts = places.map((at, index) =>
    text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + old.length, at),
  );
  const rest = places.length === 0 ? 0 : (places.at(-1) ?? 0) + old.length;
  return [...parts, text.slice(rest)].join(now);
}

/** `indexOf` takes the product of both lengths for a text of `aaa…` and a longer piece with one `b` inside: 77 s for
 * 1.6 MB in V8 13.6. */
const MAX_PLAIN_SEARCH = 16;

/** Where the piece stands, one behind the other, each character of the text looked at once (Knuth, Morris, Pratt). */
function findPlaces(text: string, piece: string, most: number): number[] {
  const found: number[] = [];
  if (piece.length <= MAX_PLAIN_SEARCH) {
    let at = text.indexOf(piece);
    for (; at !== -1 && found.length < most; at = text.indexOf(piece, at + piece.length))
      found.push(at);
    return found;
  }
  const borders = bordersOf(piece);
  let matched = 0;
  for (let at = 0; at < text.length && found.length < most; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && piece.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
    if (piece.charCodeAt(matched) === code) matched++;
    if (matched < piece.length) continue;
    found.push(at - piece.length + 1);
    matched = 0;
  }
  return found;
}

/** For each beginning of the piece the length of the longest other beginning that it ends with. */
function bordersOf(piece: string): Uint32Array {
  const borders = new Uint32Array(piece.length);
  let length = 0;
  for (let at = 1; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    while (length > 0 && piece.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (piece.charCodeAt(length) === code) length++;
    borders[at] = length;
  }
  return borders;
}
