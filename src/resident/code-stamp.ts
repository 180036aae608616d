import { statSync } from "node:fs";

/** The program's files as they are on disk; null where one is gone. */
export function stampCode(files: readonly string[]): string | null {
  const stamps = files.map((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  });
  return stamps.includes(null) ? null : stamps.join("\n");
}

export function compareCode(
  before: string | null,
  now: string | null,
): "same" | "changed" | "gone" {
  if (now === null) return "gone";
  return now === before ? "same" : "changed";
}
