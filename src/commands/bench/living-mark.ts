// A file that says which process something belongs to, so that another can tell when nobody is left.
import { readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import * as z from "zod/mini";
import { errorCode } from "../../config/file-problem.ts";
import { replaceFile } from "../../config/replace-file.ts";
import { identifySelf, isAlive } from "../../process/identity.ts";

const MARK = z.object({
  owner: z.object({ pid: z.number(), startedAt: z.string(), host: z.string() }),
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Mark = z.infer<typeof MARK>;

const BEAT_MS = 5_000;
/** An owner that cannot be seen (another boot, another machine) is heard every few seconds, or is gone. */
const SILENCE_MS = 60_000;

export const writeMark = (file: string, facts: Mark["facts"] = {}): void =>
  replaceFile(file, JSON.stringify({ owner: identifySelf(), facts }));

/** Null for what is not there, or is no mark: marks are written whole. */
export function readMark(file: string): Mark | null {
  try {
    const checked = MARK.safeParse(JSON.parse(readFileSync(file, "utf8")));
    return checked.success ? checked.data : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

export function isMarkAlive(file: string, { owner }: Mark, now: number): boolean {
  const seen = isAlive(owner);
  if (seen !== "unseen") return seen;
  try {
    return now - statSync(file).mtimeMs < SILENCE_MS;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Keeps saying that somebody is there; answers with what ends that and takes the mark away. */
export function holdMark(file: string): () => void {
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch (error) {
      // Whoever removed the state folder under a run hears of it from the store.
      if (errorCode(error) === null) throw error;
    }
  }, BEAT_MS);
  beat.unref();
  return () => {
    clearInterval(beat);
    rmSync(file, { force: true });
  };
}
