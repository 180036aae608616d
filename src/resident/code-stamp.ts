import { fingerprint } from "../config/fingerprint.ts";

/** The program's files as they are on disk; null where one is gone. */
export function stampCode(files: readonly string[]): string | null {
  const prints = files.map(fingerprint);
  return prints.includes(null) ? null : prints.join("\n");
}

export function compareCode(
  before: string | null,
  now: string | null,
): "same" | "changed" | "gone" {
  if (now === null) return "gone";
  return now === before ? "same" : "changed";
}
