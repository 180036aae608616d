// What a trial's result depends on, as one hash: the case and its files, the agent, the commit.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readlink, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { sha256 } from "../../core/project/fingerprint.ts";
import { writeSorted } from "../../core/project/json-value.ts";
import { listTreeFiles } from "../files/compare-trees.ts";
import type { Evaluator } from "./evaluator.ts";
import type { SuiteAgent, SuiteCase } from "./suite.ts";

export interface FingerprintFacts {
  readonly case: SuiteCase;
  /** By path relative to the suite. */
  readonly fileHashes: Readonly<Record<string, string>>;
  /** The text of the command's file, null where the case has a prompt. */
  readonly commandText: string | null;
  readonly agent: SuiteAgent;
  readonly agentVersion: string | null;
  readonly adapterVersion: string;
  readonly timeoutMs: number;
  /** Only where there is one: a trial without it is the same as ever. */
  readonly usdLimit?: number;
  /** The commit a git workspace starts from. */
  readonly commit: string | null;
  readonly suiteFolder: string;
}

/** Equal where a result of one is a result of the other. Where the suite lies and how it is worked through does not matter. */
export function fingerprintTrial({ suiteFolder, ...facts }: FingerprintFacts): string {
  const { tags: _tags, labels: _labels, solution: _solution, ...task } = facts.case;
  const { concurrency: _concurrency, ratePerMinute: _rate, ...agent } = facts.agent;
  // Why there is no sandbox does not matter, only that there is none.
  const { missing: _missing, ...sandbox } = agent.sandbox;
  const written = writeSorted({ ...facts, case: task, agent: { ...agent, sandbox } });
  const text = written.replaceAll(suiteFolder, ".");
  return sha256(text);
}

// The files a case depends on, by content: for the fingerprint, and for workers on other machines.

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
      return isFolder ? (await listTreeFiles(path)).map((name) => join(path, name)) : [path];
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

/** Relative to the suite where they lie in it, each with the hash of its content. */
export async function hashFiles(
  files: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const path = relative(folder, file);
    hashes[path.startsWith("..") ? file : path] = await hashFile(file);
  }
  return hashes;
}

async function hashFile(file: string): Promise<string> {
  const facts = await lstat(file);
  const hash = createHash("sha256");
  if (facts.isSymbolicLink()) return hash.update(`link ${await readlink(file)}`).digest("hex");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `${hash.digest("hex")}${facts.mode & 0o111 ? "x" : ""}`;
}
