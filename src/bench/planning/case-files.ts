// The files a case depends on, by content: for the fingerprint, and for workers on other machines.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readlink, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Evaluator } from "../evaluator.ts";
import { listFiles } from "../evaluators/tree-changes.ts";
import type { SuiteCase } from "../suite.ts";

/** Absolute paths of files, whole folders listed. Not the solution: no trial reads it, and no worker's agent should. */
export async function listCaseFiles(
  { workspace, evaluators }: SuiteCase,
  { folder, find }: { readonly folder: string; readonly find: (type: string) => Evaluator | null },
): Promise<string[]> {
  const named = [
    ...(workspace.kind === "template" ? [workspace.folder] : []),
    ...evaluators.flatMap(({ type, options }) =>
      (find(type)?.files(options) ?? []).map((path) => resolve(folder, path)),
    ),
  ];
  const lists = await Promise.all(
    named.map(async (path) => {
      const isFolder = (await stat(path)).isDirectory();
      return isFolder ? (await listFiles(path)).map((name) => join(path, name)) : [path];
    }),
  );
  const files = [...new Set(lists.flat())].toSorted();
  const isContent = await Promise.all(files.map(hasContent));
  return files.filter((_, at) => isContent[at]);
}

/** A pipe would keep its reader waiting for ever; no workspace gets one either. */
async function hasContent(file: string): Promise<boolean> {
  const facts = await lstat(file);
  return facts.isFile() || facts.isSymbolicLink();
}

/** Relative to the suite, each with the hash of its content. */
export async function hashFiles(
  files: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const file of files) hashes[relative(folder, file)] = await hashFile(file);
  return hashes;
}

async function hashFile(file: string): Promise<string> {
  const facts = await lstat(file);
  const hash = createHash("sha256");
  if (facts.isSymbolicLink()) return hash.update(`link ${await readlink(file)}`).digest("hex");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `${hash.digest("hex")}${facts.mode & 0o111 ? "x" : ""}`;
}
