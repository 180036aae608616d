import { readSync } from "node:fs";

/** No agent sends as much; whoever does is not answered for. */
const MOST_BYTES = 64 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
const EMPTY_PIPE_PAUSE_MS = 1;
const STDIN = 0;

/**
 * All of stdin; null where it is too much, which is then read to its end all the same, for the sake of who writes.
 * `process.stdin` would do, but costs a tenth of a start to set up.
 */
export function readPayload(): string | null {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let isTooMuch = false;
  for (;;) {
    if (length === buffer.length) {
      isTooMuch ||= length >= MOST_BYTES;
      if (isTooMuch) length = 0;
      else buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
    const count = readSome(buffer, length);
    if (count === 0) return isTooMuch ? null : buffer.toString("utf8", 0, length);
    length += Math.max(0, count);
  }
}

/** Zero at the end, less where nothing is there yet. */
function readSome(buffer: Buffer, offset: number): number {
  try {
    return readSync(STDIN, buffer, offset, buffer.length - offset, null);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // Closed before the start: nothing will come.
    if (code === "EBADF" || code === "EOF") return 0;
    if (code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EMPTY_PIPE_PAUSE_MS);
    return -1;
  }
}
