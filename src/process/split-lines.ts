import { completeLength, viewBytes } from "./decode-utf8.ts";
import { createHeldBytes } from "./held-bytes.ts";

export interface Line {
  /** Without its newline; a carriage return before that stays. */
  readonly text: string;
  /** The line was longer than allowed and the rest of it was dropped. */
  readonly isCut: boolean;
}

export interface LineSplitter {
  /** The lines that these bytes complete. The bytes may be reused afterwards. */
  push(bytes: Uint8Array): Line[];
  /** The last line, where no newline ended it. */
  end(): Line | null;
}

const NEWLINE = 10;

/**
 * Splits bytes that come in pieces into lines of text, holding at most one line.
 *
 * @example
 * const splitter = createLineSplitter(1_000_000);
 * splitter.push(Buffer.from("one\ntw")); // [{ text: "one", isCut: false }]
 * splitter.end(); // { text: "tw", isCut: false }
 */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  const held = createHeldBytes();

  function hold(piece: Buffer): void {
    // One byte more than allowed is enough to know that the line is too long.
    held.append(piece.subarray(0, maxLineBytes + 1 - held.length));
  }

  return {
    push(bytes) {
      const chunk = viewBytes(bytes);
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const piece = chunk.subarray(start, end);
        if (held.length > 0) hold(piece);
        lines.push(decodeLine(held.length > 0 ? held.take() : piece, maxLineBytes));
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
      return lines;
    },
    end: () => (held.length > 0 ? decodeLine(held.take(), maxLineBytes) : null),
  };
}

function decodeLine(bytes: Buffer, maxBytes: number): Line {
  if (bytes.length <= maxBytes) return { text: bytes.toString("utf8"), isCut: false };
  const allowed = bytes.subarray(0, maxBytes);
  return { text: allowed.toString("utf8", 0, completeLength(allowed)), isCut: true };
}
