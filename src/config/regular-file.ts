import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** No single file that can execute is larger than this. */
export const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * Reads a file that somebody else may swap for a link, a FIFO or an endless device while we look:
 * the open neither follows nor waits, and what was opened is looked at again.
 */
export function readRegularFile(path: string): Buffer {
  const descriptor = openSync(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_FILE) throw new Error(TOO_LARGE);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const TOO_LARGE = `it is larger than ${LARGEST_FILE / 1024 / 1024} MB`;
