import { countCommonLines } from "./common-lines.ts";
import { readLines } from "./file-lines.ts";
import { LineBook } from "./line-book.ts";

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
  /** In the same order. */
  readonly common: number;
}

/** Null for a file that is not there. */
export async function compareFileLines(
  one: string | null,
  other: string | null,
): Promise<LineChanges> {
  const book = new LineBook();
  const before = one === null ? NO_LINES : await readLines(one, book);
  const after = other === null ? NO_LINES : await readLines(other, book);
  const isOneSided = before.length === 0 || after.length === 0;
  const common = isOneSided ? 0 : countCommonLines(before, after, book.size);
  return { added: after.length - common, removed: before.length - common, common };
}

const NO_LINES = new Int32Array();
