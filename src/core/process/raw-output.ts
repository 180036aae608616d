// The output of a run as files: secrets masked unless they are asked for, else byte for byte up to a limit.
import { closeSync, openSync, write } from "node:fs";
import { promisify } from "node:util";
import { createStreamMasker, type StreamMasker } from "../secrets/mask-stream.ts";
import type { Channel, RawFiles } from "./command-spec.ts";

export type RawFilePair = { readonly [channel in Channel]: RawFile };

type RawFilesOpening =
  | { readonly kind: "opened"; readonly files: RawFilePair | null }
  | { readonly kind: "failed"; readonly problem: string; readonly code: string };

const DEFAULT_LIMIT_BYTES = 1024 ** 3;

/** Opens both files or neither. */
export function openRawFiles(files: RawFiles | undefined): RawFilesOpening {
  if (files === undefined) return { kind: "opened", files: null };
  const limitBytes = files.limitBytes ?? DEFAULT_LIMIT_BYTES;
  let stdout: RawFile | null = null;
  try {
    const masker = () => (files.secrets === null ? null : createStreamMasker(files.secrets));
    stdout = openRawFile(files.stdout, limitBytes, masker());
    const stderr = openRawFile(files.stderr, limitBytes, masker());
    return { kind: "opened", files: { stdout, stderr } };
  } catch (error) {
    void stdout?.close();
    return describeOpenFailure(error);
  }
}

function describeOpenFailure(error: unknown): RawFilesOpening {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const problem = `its output cannot be saved: ${error.message}`;
  return { kind: "failed", problem, code: String(error.code) };
}

/** The first problem of either file. */
export async function closeRawFiles(files: RawFilePair | null): Promise<string | null> {
  if (files === null) return null;
  const problems = await Promise.all([files.stdout.close(), files.stderr.close()]);
  return problems.find((problem) => problem !== null) ?? null;
}

const writeSome = promisify(write);

/** Takes a channel's bytes as they come; a failure to write is remembered, the run goes on. */
interface RawFile {
  write(bytes: Uint8Array): Promise<void>;
  /** The first problem, null where there was none. */
  close(): Promise<string | null>;
}

// As the last line it says "there was more"; the same words inside other text mean nothing.
const markTruncation = (limitBytes: number) => `[OUTPUT TRUNCATED at ${limitBytes} bytes]\n`;
const NEWLINE = 10;
const PAUSE_MS = 100;

/**
 * Throws the system's error where the file cannot be made. To open and to close one takes less time here than to
 * ask another thread for it; to write does not.
 */
function openRawFile(path: string, limitBytes: number, masker: StreamMasker | null): RawFile {
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

  let isWriting = false;
  async function saveOrNote(bytes: Uint8Array): Promise<void> {
    if (isMarked || problem !== null || bytes.length === 0) return;
    isWriting = true;
    await save(bytes).catch((error: Error) => {
      problem = `\`${path}\` cannot be written: ${error.message}`;
    });
    isWriting = false;
  }

  // What waits for more of a flood is written when nothing more comes for a while: somebody may look at the file.
  let pause: NodeJS.Timeout | undefined;
  const settle = (): void => {
    if (isWriting || masker === null) pause?.refresh();
    else written = saveOrNote(masker.settle());
  };

  return {
    async write(bytes) {
      if (isMarked || problem !== null) return;
      // What is masked next is scanned while the last is written: each lies in a room of its own.
      const piece = masker === null ? bytes : masker.push(bytes);
      if (piece.length > 0) {
        await written;
        written = saveOrNote(piece);
      }
      if (masker === null) await written;
      else if (masker.isWaiting) pause = pause?.refresh() ?? setTimeout(settle, PAUSE_MS).unref();
    },
    async close() {
      clearTimeout(pause);
      // A number that is free again may be another file's by the time a late write comes to it.
      for (let last: Promise<void> | null = null; last !== written; await last) last = written;
      if (masker !== null && !isMarked && problem === null) await saveOrNote(masker.end());
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
