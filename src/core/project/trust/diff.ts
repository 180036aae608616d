// What changed since a person last approved a project, as text that is safe to show in a terminal.
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { escapeControls, escapeLine } from "../../command/words.ts";
import type { TreeFile } from "../fingerprint.ts";
import { diffLines } from "../line-diff.ts";
import { readTrustManifest } from "./approval.ts";
import { copyFolder, readCurrentHash, trustFolder } from "./store.ts";
import { readTree, type Tree } from "./tree.ts";

export interface TrustChange {
  /** From the project's root. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Not text: `diff` only says so. */
  readonly isBinary: boolean;
  readonly diff: string;
}

interface FileVersion {
  readonly file: TreeFile;
  readonly content: Buffer;
}

export interface TrustDiff {
  /** Of the very bytes that the changes show, so that whoever agrees to these approves them by its hash. */
  readonly tree: Tree;
  readonly changes: readonly TrustChange[];
}

/** Of a project that was never trusted everything is added. Throws `TrustRefused` like `approve`. */
export async function diffTrust(root: string, stateDir: string): Promise<TrustDiff> {
  const now = new Map<string, FileVersion>();
  const onFile = (file: TreeFile, content: Buffer) => now.set(file.path, { file, content });
  const tree = await readTree(root, { onFile });
  const before = readApproved(stateDir, root);
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort();
  const changes = paths.flatMap(
    (path) => compareVersions(path, before.get(path), now.get(path)) ?? [],
  );
  return { tree, changes };
}

function readApproved(stateDir: string, root: string): Map<string, FileVersion> {
  const folder = trustFolder(stateDir, root);
  const hash = readCurrentHash(folder);
  const sides = new Map<string, FileVersion>();
  if (hash === null) return sides;
  for (const file of readTrustManifest(folder, hash).files) {
    const copy = join(copyFolder(folder, hash), file.path);
    const content = file.kind === "link" ? Buffer.from(readlinkSync(copy)) : readFileSync(copy);
    sides.set(file.path, { file, content });
  }
  return sides;
}

function compareVersions(
  path: string,
  before?: FileVersion,
  now?: FileVersion,
): TrustChange | null {
  if (before !== undefined && now !== undefined && isSameFile(before.file, now.file)) return null;
  const kind = before === undefined ? "added" : now === undefined ? "removed" : "changed";
  const isBinary = [before, now].some((side) => side !== undefined && !isText(side.content));
  const body = isBinary ? "binary content\n" : diffLines(textOf(before), textOf(now));
  return {
    path: escapeLine(path),
    kind,
    isBinary,
    diff: escapeControls(`${describeMode(before, now)}${body}`),
  };
}

const isSameFile = (a: TreeFile, b: TreeFile): boolean =>
  a.kind === b.kind && a.isExecutable === b.isExecutable && a.sha256 === b.sha256;

const isPlain = (side: FileVersion | undefined): boolean =>
  side === undefined || modeOf(side) === "a file";

const textOf = (side: FileVersion | undefined): string => side?.content.toString("utf8") ?? "";

const modeOf = (side: FileVersion | undefined): string => {
  if (side === undefined) return "nothing";
  if (side.file.kind === "link") return "a link";
  return side.file.isExecutable ? "an executable file" : "a file";
};

/** That a file is added or removed is said already; a plain one needs no more words. */
const describeMode = (before: FileVersion | undefined, now: FileVersion | undefined): string =>
  modeOf(before) === modeOf(now) || [before, now].every(isPlain)
    ? ""
    : `from ${modeOf(before)} to ${modeOf(now)}\n`;

function isText(content: Buffer): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
