// The working tree as it was last read, in a form in which one file is found without parsing the rest.
import { join } from "node:path";
import { linkFingerprint } from "./fingerprint.ts";
import { LAYER_FOLDER } from "./project-root.ts";
import { programFingerprint, type Tree } from "./trust-tree.ts";

export interface SeenTree {
  readonly hash: string;
  readonly folders: Readonly<Record<string, string | null>>;
  readonly programs: Readonly<Record<string, string | null>>;
  readonly fileCount: number;
  /** One line per file, each after a line break: `["path","fingerprint","sha256"]`. */
  readonly lines: string;
}

/** So many files are looked at every time; of a larger tree its folders, programs and the file asked for. */
const FEW_FILES = 256;

export function formatSeen(tree: Tree): string {
  const { hash, folders, programs, files } = tree;
  const head = JSON.stringify({ hash, folders, programs, fileCount: files.length });
  const lines = files.map(({ path, fingerprint, sha256 }) =>
    JSON.stringify([path, fingerprint, sha256]),
  );
  return [head, ...lines, ""].join("\n");
}

/** Null for a text that is not ours; the tree is then read again. */
export function parseSeen(text: string): SeenTree | null {
  const end = text.indexOf("\n");
  const head = parseJson(text.slice(0, end));
  if (end < 0 || !isHead(head)) return null;
  return { ...head, lines: text.slice(end) };
}

const isHead = (value: unknown): value is Omit<SeenTree, "lines"> =>
  typeof value === "object" &&
  value !== null &&
  "hash" in value &&
  typeof value.hash === "string" &&
  "folders" in value &&
  isMapOfStats(value.folders) &&
  "programs" in value &&
  isMapOfStats(value.programs) &&
  "fileCount" in value &&
  typeof value.fileCount === "number";

const isMapOfStats = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((stat) => stat === null || typeof stat === "string");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface SeenLine {
  readonly path: string;
  readonly fingerprint: string;
  readonly sha256: string;
}

function parseLine(line: string): SeenLine | null {
  const value = parseJson(line);
  if (!Array.isArray(value)) return null;
  const [path, fingerprint, sha256]: unknown[] = value;
  return typeof path === "string" && typeof fingerprint === "string" && typeof sha256 === "string"
    ? { path, fingerprint, sha256 }
    : null;
}

function findLine(seen: SeenTree, path: string): SeenLine | null {
  const start = seen.lines.indexOf(`\n[${JSON.stringify(path)},`);
  if (start < 0) return null;
  return parseLine(seen.lines.slice(start + 1, seen.lines.indexOf("\n", start + 1)));
}

/** What `readTree` need not hash again. */
export function knownHashes(seen: SeenTree): (path: string, fingerprint: string) => string | null {
  const byPath = new Map(allLines(seen).map((line) => [line?.path, line]));
  return (path, fingerprint) => {
    const line = byPath.get(path);
    return line?.fingerprint === fingerprint ? line.sha256 : null;
  };
}

const allLines = (seen: SeenTree): (SeenLine | null)[] =>
  seen.lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseLine(line));

/** Whether stats alone show no difference; `path` is a file of particular interest, from the root. */
export function isAsSeen(root: string, seen: SeenTree, path: string | null): boolean {
  return (
    Object.entries(seen.folders).every(
      ([folder, stat]) => stat !== null && linkFingerprint(join(root, folder)) === stat,
    ) &&
    Object.entries(seen.programs).every(
      ([program, stat]) => programFingerprint(root, program) === stat,
    ) &&
    linesToCheck(seen, path).every(
      (line) => line !== null && linkFingerprint(join(root, line.path)) === line.fingerprint,
    )
  );
}

function linesToCheck(seen: SeenTree, path: string | null): (SeenLine | null)[] {
  if (seen.fileCount > FEW_FILES) return path === null ? [] : [findLine(seen, path)];
  // A program outside the layer was looked at above, through its links.
  return allLines(seen).filter((line) => line === null || line.path.startsWith(`${LAYER_FOLDER}/`));
}
