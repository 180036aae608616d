const cell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread: SQLite is synchronous, and so are the short waits between tries. */
export function pauseThread(milliseconds: number): void {
  Atomics.wait(cell, 0, 0, milliseconds);
}
