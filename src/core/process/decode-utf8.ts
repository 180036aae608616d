// UTF-8 from bytes that come in pieces. Lenient: what is not UTF-8 becomes U+FFFD, as in a browser.

interface Utf8Decoder {
  /** The text of all characters that are complete; the bytes of an unfinished one are held back. */
  push(bytes: Uint8Array): string;
  /** The text of what is still held back. */
  end(): string;
}

/** A view on the same memory: `Buffer` has the fast decoding that `Uint8Array` lacks. */
const viewBytes = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export function createUtf8Decoder(): Utf8Decoder {
  let held = Buffer.alloc(0);
  return {
    push(bytes) {
      const whole = held.length === 0 ? viewBytes(bytes) : Buffer.concat([held, bytes]);
      const end = completeLength(whole);
      held = Buffer.from(whole.subarray(end));
      return whole.toString("utf8", 0, end);
    },
    end() {
      const rest = held.toString("utf8");
      held = Buffer.alloc(0);
      return rest;
    },
  };
}

/** Where the last, unfinished character begins; a lead byte always begins a new one, so this cut is safe. */
export function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
