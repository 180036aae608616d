// Files as counted lines: linear in their size, and a line is remembered by its hash alone.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

export interface LineCounts {
  readonly total: number;
  readonly byHash: ReadonlyMap<number, number>;
}

const NONE: LineCounts = { total: 0, byHash: new Map() };

/** A file that is not there has no lines. */
export async function countLines(path: string): Promise<LineCounts> {
  const byHash = new Map<number, number>();
  let total = 0;
  const input = createReadStream(path, "latin1");
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const hash = hashOf(line);
      byHash.set(hash, (byHash.get(hash) ?? 0) + 1);
      total += 1;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return NONE;
    throw error;
  }
  return { total, byHash };
}

export interface LineDifference {
  readonly added: number;
  readonly removed: number;
  readonly common: number;
}

/** Lines that moved are in common: what counts is which lines there are, not where. */
export function compareLines(before: LineCounts, after: LineCounts): LineDifference {
  let common = 0;
  for (const [hash, count] of before.byHash) common += Math.min(count, after.byHash.get(hash) ?? 0);
  return { added: after.total - common, removed: before.total - common, common };
}

/** FNV-1a over 48 bits of room: two numbers of 24, so that a file of a million lines hardly collides. */
function hashOf(line: string): number {
  let low = 0x811c9d;
  let high = 0xc9dc51;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    low = Math.imul(low ^ code, 0x93) & 0xffffff;
    high = Math.imul(high ^ (code + at), 0x1b3) & 0xffffff;
  }
  return high * 0x1000000 + low;
}
