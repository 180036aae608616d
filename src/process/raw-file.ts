import { open } from "node:fs/promises";

/** Takes a channel's bytes as they come; a failure to write is remembered, the run goes on. */
export interface RawFile {
  write(bytes: Uint8Array): Promise<void>;
  /** The first problem, null where there was none. */
  close(): Promise<string | null>;
}

// As the last line it says "there was more"; the same words inside other text mean nothing.
const markTruncation = (limitBytes: number) => `[OUTPUT TRUNCATED at ${limitBytes} bytes]\n`;
const NEWLINE = 10;

/** Rejects with the system's error where the file cannot be made. */
export async function openRawFile(path: string, limitBytes: number): Promise<RawFile> {
  const file = await open(path, "w", 0o600);
  let room = limitBytes;
  let isMarked = false;
  let isLineOpen = false;
  let problem: string | null = null;

  async function save(bytes: Uint8Array): Promise<void> {
    const part = bytes.subarray(0, room);
    room -= part.length;
    await file.writeFile(part);
    if (part.length > 0) isLineOpen = part.at(-1) !== NEWLINE;
    if (part.length === bytes.length) return;
    isMarked = true;
    await file.writeFile(`${isLineOpen ? "\n" : ""}${markTruncation(limitBytes)}`);
  }

  return {
    async write(bytes) {
      if (isMarked || problem !== null) return;
      await save(bytes).catch((error: Error) => {
        problem = `\`${path}\` cannot be written: ${error.message}`;
      });
    },
    async close() {
      await file.close().catch((error: Error) => {
        problem ??= `\`${path}\` cannot be closed: ${error.message}`;
      });
      return problem;
    },
  };
}
