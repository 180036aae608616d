import { closeSync, openSync, write } from "node:fs";
import { promisify } from "node:util";

const writeSome = promisify(write);

/** Takes a channel's bytes as they come; a failure to write is remembered, the run goes on. */
export interface RawFile {
  write(bytes: Uint8Array): Promise<void>;
  /** The first problem, null where there was none. */
  close(): Promise<string | null>;
}

// As the last line it says "there was more"; the same words inside other text mean nothing.
const markTruncation = (limitBytes: number) => `[OUTPUT TRUNCATED at ${limitBytes} bytes]\n`;
const NEWLINE = 10;

/**
 * Throws the system's error where the file cannot be made. To open and to close one takes less time here than to
 * ask another thread for it; to write does not.
 */
export function openRawFile(path: string, limitBytes: number): RawFile {
  const file = openSync(path, "w", 0o600);
  let room = limitBytes;
  let isMarked = false;
  let isLineOpen = false;
  let problem: string | null = null;
  let written: Promise<void> = Promise.resolve();

  async function save(bytes: Uint8Array): Promise<void> {
    const part = bytes.subarray(0, room);
    room -= part.length;
    await writeAll(file, part);
    if (part.length > 0) isLineOpen = part.at(-1) !== NEWLINE;
    if (part.length === bytes.length) return;
    isMarked = true;
    await writeAll(file, Buffer.from(`${isLineOpen ? "\n" : ""}${markTruncation(limitBytes)}`));
  }

  return {
    async write(bytes) {
      if (isMarked || problem !== null) return;
      written = save(bytes).catch((error: Error) => {
        problem = `\`${path}\` cannot be written: ${error.message}`;
      });
      await written;
    },
    async close() {
      // A number that is free again may be another file's by the time a late write comes to it.
      await written;
      try {
        closeSync(file);
      } catch (error) {
        problem ??= `\`${path}\` cannot be closed: ${error instanceof Error ? error.message : error}`;
      }
      return problem;
    },
  };
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await writeSome(file, bytes, at)).bytesWritten;
}
