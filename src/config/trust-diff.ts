// What changed since a person last approved a project, as text that is safe to show in a terminal.
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { diffLines } from "./line-diff.ts";
import type { TreeFile } from "./trust-hash.ts";
import { readManifest } from "./trust-manifest.ts";
import { copyFolder, readCurrentHash, trustFolder } from "./trust-store.ts";
import { readTree } from "./trust-tree.ts";

export interface FileChange {
  /** From the project's root. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Not text: `diff` only says so. */
  readonly isBinary: boolean;
  readonly diff: string;
}

interface Side {
  readonly file: TreeFile;
  readonly content: Buffer;
}

/** Of a project that was never trusted everything is added. Throws `TrustRefused` like `approve`. */
export async function diffTrust(root: string, stateDir: string): Promise<FileChange[]> {
  const now = new Map<string, Side>();
  await readTree(root, { onFile: (file, content) => now.set(file.path, { file, content }) });
  const before = readApproved(stateDir, root);
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => compareSides(path, before.get(path), now.get(path)) ?? []);
}

function readApproved(stateDir: string, root: string): Map<string, Side> {
  const folder = trustFolder(stateDir, root);
  const hash = readCurrentHash(folder);
  const sides = new Map<string, Side>();
  if (hash === null) return sides;
  for (const file of readManifest(folder, hash).files) {
    const place = join(copyFolder(folder, hash), file.path);
    const content = file.kind === "link" ? Buffer.from(readlinkSync(place)) : readFileSync(place);
    sides.set(file.path, { file, content });
  }
  return sides;
}

function compareSides(path: string, before?: Side, now?: Side): FileChange | null {
  if (before !== undefined && now !== undefined && isSame(before.file, now.file)) return null;
  const kind = before === undefined ? "added" : now === undefined ? "removed" : "changed";
  const isBinary = [before, now].some((side) => side !== undefined && !isText(side.content));
  const body = isBinary ? "binary content\n" : diffLines(textOf(before), textOf(now));
  return {
    path: showable(path),
    kind,
    isBinary,
    diff: showable(`${describeMode(before, now)}${body}`),
  };
}

const isSame = (a: TreeFile, b: TreeFile): boolean =>
  a.kind === b.kind && a.isExecutable === b.isExecutable && a.sha256 === b.sha256;

const textOf = (side: Side | undefined): string => side?.content.toString("utf8") ?? "";

const modeOf = (side: Side | undefined): string => {
  if (side === undefined) return "nothing";
  if (side.file.kind === "link") return "a link";
  return side.file.isExecutable ? "an executable file" : "a file";
};

const describeMode = (before: Side | undefined, now: Side | undefined): string =>
  modeOf(before) === modeOf(now) ? "" : `from ${modeOf(before)} to ${modeOf(now)}\n`;

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

// Terminal controls could hide a line of the diff, and direction marks could reorder it.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const showable = (text: string): string =>
  text.replaceAll(HIDDEN, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
