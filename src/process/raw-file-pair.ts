import { openRawFile, type RawFile } from "./raw-file.ts";
import type { Channel, RawFiles } from "./run-options.ts";

export type RawFilePair = { readonly [channel in Channel]: RawFile };

export type RawFilesOpening =
  | { readonly kind: "opened"; readonly files: RawFilePair | null }
  | { readonly kind: "failed"; readonly problem: string; readonly code: string };

const DEFAULT_LIMIT_BYTES = 1024 ** 3;

/** Opens both files or neither. */
export function openRawFiles(wish: RawFiles | undefined): RawFilesOpening {
  if (wish === undefined) return { kind: "opened", files: null };
  const limitBytes = wish.limitBytes ?? DEFAULT_LIMIT_BYTES;
  let stdout: RawFile | null = null;
  try {
    stdout = openRawFile(wish.stdout, limitBytes);
    const stderr = openRawFile(wish.stderr, limitBytes);
    return { kind: "opened", files: { stdout, stderr } };
  } catch (error) {
    void stdout?.close();
    return describeFailure(error);
  }
}

function describeFailure(error: unknown): RawFilesOpening {
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
