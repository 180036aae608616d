import { basename } from "node:path";
import { type Fault, fault } from "../command/fault.ts";

/** A file gets so long to load. */
export const LOAD_LIMIT_MS = 5_000;

/** `file` as its owner knows it. */
export const tooSlow = (file: string): Fault =>
  fault(
    "FileInvalid",
    { problem: `it did not finish loading within ${LOAD_LIMIT_MS / 1_000} s` },
    {
      where: { file },
      hint: `do the work of \`${basename(file)}\` when it runs, not while it is loaded`,
    },
  );

export async function withinLoadLimit<Result>(
  file: string,
  loading: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(file)), LOAD_LIMIT_MS);
  });
  try {
    return await Promise.race([loading, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
