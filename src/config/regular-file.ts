import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** No single file that can execute is larger than this. */
export const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * Reads a file that somebody else may swap for a link, a FIFO or an endless device while we look:
 * the open neither follows nor waits, and what was opened is looked at again.
 */
export const readRegularFile = (path: string): Buffer => readOpened(path, constants.O_NOFOLLOW);

/** The same for a file that may well be a link: people keep their settings elsewhere. */
export const readLinkedFile = (path: string): Buffer => readOpened(path, 0);

function readOpened(path: string, flags: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new Error("it is a folder");
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_FILE) throw new Error(TOO_LARGE);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export const TOO_LARGE = `it is larger than ${LARGEST_FILE / 1024 / 1024} MB`;
