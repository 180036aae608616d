// The files that `@` offers: those git knows of or would, without what it ignores.
import { readdirSync } from "node:fs";
import { readGit } from "../../core/process/read-git.ts";

interface FileSearch {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MAX_FILES = 20_000;
const MAX_BYTES = 4 << 20;
const LIMIT_MS = 5_000;

/** By their paths from the folder; outside a repository only what lies in the folder itself. */
export async function listFilesToComplete({ cwd, env, signal }: FileSearch): Promise<string[]> {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const outputLimit = { stdout: { bytes: MAX_BYTES, action: "discard" } } as const;
  const listed = await readGit(words, { cwd, env, signal, timeoutMs: LIMIT_MS, outputLimit });
  if (listed.kind !== "exited" || listed.exitCode !== 0) return listFolder(cwd);
  const files = Buffer.from(listed.stdout).toString().split("\0").filter(Boolean);
  return [...new Set(files)].slice(0, MAX_FILES);
}

function listFolder(cwd: string): string[] {
  try {
    return readdirSync(cwd, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_FILES);
  } catch {
    // A folder that may not be read has nothing to offer.
    return [];
  }
}
