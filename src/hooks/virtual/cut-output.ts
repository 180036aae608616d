// What an agent is shown of a very long output. The whole lies in a file that the notice names.

/** Of stdout, and of stderr. */
const MOST_BYTES = 102_400;

export interface CutOutput {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/** With the notice it stays within the limit; it ends at a whole character where the bytes are UTF-8. */
export function cutOutput(whole: Uint8Array, file: () => string): CutOutput {
  if (whole.length <= MOST_BYTES) return { bytes: whole, isCut: false };
  const notice = Buffer.from(
    `[cut by adj: ${whole.length} bytes in all; the whole is in ${file()}]\n`,
  );
  const room = Math.max(0, MOST_BYTES - notice.length - 1);
  const kept = whole.subarray(0, characterBoundary(whole, room));
  const lineBreak = kept.at(-1) === 0x0a ? [] : [Buffer.from("\n")];
  return { bytes: Buffer.concat([kept, ...lineBreak, notice]), isCut: true };
}

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;

/** A character has four bytes at most; what is longer is no UTF-8 and is cut where it is. */
function characterBoundary(bytes: Uint8Array, at: number): number {
  for (let back = 0; back <= 3; back++) if (!isContinuation(bytes[at - back])) return at - back;
  return at;
}
