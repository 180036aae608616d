import { countCommonLines } from "./common-lines.ts";
import { readLines } from "./file-lines.ts";
import { LineBook } from "./line-book.ts";

export interface LineChanges {
  readonly added: number;
  readonly removed: number;
  /** In the same order. */
  readonly common: number;
}

/** What is not there has no lines. */
export async function compareFileLines(one: string, other: string): Promise<LineChanges> {
  const book = new LineBook();
  const before = await readLines(one, book);
  const after = await readLines(other, book);
  const common = countCommonLines(before, after, book.size);
  return { added: after.length - common, removed: before.length - common, common };
}
