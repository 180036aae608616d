import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess } from "../../../process/run-process.ts";
import type { FileImport } from "../body.ts";
import type { World } from "../world.ts";
import { importFault } from "./import-fault.ts";

const LIMIT_MS = 30_000;
// A repository's own settings may name a program to watch its files with: it is not run.
const QUESTION = [
  "-c",
  "core.fsmonitor=false",
  "ls-files",
  "--others",
  "--ignored",
  "--exclude-standard",
  "--directory",
  "-z",
];

/**
 * Files and whole folders below this one that git ignores, relative to it; `.` where it is ignored
 * itself. Empty outside a repository. What is tracked is not ignored, whatever `.gitignore` says.
 */
export async function listIgnored(
  folder: string,
  wanted: FileImport,
  world: World,
): Promise<ReadonlySet<string>> {
  if (!existsSync(folder) || !isInRepository(folder)) return new Set();
  const { environment, signal } = world;
  const spec = { executable: "git", args: QUESTION, env: environment, cwd: folder };
  const ending = await runProcess(spec, {
    signal,
    timeoutMs: LIMIT_MS,
    keepBytes: 64 * 1024 * 1024,
  });
  signal.throwIfAborted();
  if (ending.kind !== "exited" || ending.exitCode !== 0 || ending.truncated) {
    const said = Buffer.from(ending.stderr).toString().trim() || ending.kind;
    throw importFault(
      wanted,
      `cannot be searched: git did not say what it ignores: ${said}`,
      "mend that",
    );
  }
  const names = Buffer.from(ending.stdout).toString().split("\0").filter(Boolean);
  return new Set(names.map((name) => (name === "./" ? "." : name.replace(/\/$/, ""))));
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (dirname(at) === at) return false;
  }
}
