/** Bytes that come in pieces, held in one block: a million pieces of one byte cost one megabyte. */
export interface HeldBytes {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** What was held, as its own memory; afterwards nothing is held. */
  take(): Buffer;
}

const FIRST_CAPACITY = 4_096;

export function createHeldBytes(): HeldBytes {
  let block = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      const needed = length + bytes.length;
      if (needed > block.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, block.length * 2, FIRST_CAPACITY));
        block.copy(larger, 0, 0, length);
        block = larger;
      }
      block.set(bytes, length);
      length = needed;
    },
    take() {
      const held = block.subarray(0, length);
      block = Buffer.alloc(0);
      length = 0;
      return held;
    },
  };
}
