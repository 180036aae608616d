import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { errorCode, problemOf } from "../../config/file-problem.ts";
import { inspectTrust } from "../../config/trust.ts";
import { diffTrust, type FileChange } from "../../config/trust-diff.ts";
import { readManifest } from "../../config/trust-manifest.ts";
import { readCurrentHash } from "../../config/trust-store.ts";
import { formatTime } from "../local-time.ts";
import type { Program } from "../program.ts";

export async function showDiff({ root, stateDir }: Program): Promise<CommandResult> {
  const { kind } = await inspectTrust(root, stateDir);
  const changes = kind === "none" ? [] : await diffTrust(root, stateDir);
  const text = changes
    .map(({ path, kind: change, diff }) => `${change} ${path}\n${diff}`)
    .join("\n");
  return ok(text === "" ? "nothing changed since it was trusted" : text, {
    root,
    state: kind,
    changes: changes.map((change) => ({ ...change })),
  });
}

/** What kind of change, and where, one line each. */
export const listChanges = (changes: readonly FileChange[]): string[] =>
  changes.map(({ path, kind }) => `  ${kind.padEnd("removed".length)}  ${path}`);

export function listTrusted({ stateDir, root }: Program): CommandResult {
  const folder = join(stateDir, "trust");
  const projects = namesIn(folder).flatMap((name) => {
    const place = join(folder, name);
    const hash = readCurrentHash(place);
    if (hash === null) return [];
    const manifest = readManifest(place, hash);
    return [{ root: manifest.root, hash, at: manifest.at, files: manifest.files.length }];
  });
  const rows = projects.map((project) => [
    project.root === root ? `${project.root} *` : project.root,
    formatTime(project.at),
    String(project.files),
    project.hash,
  ]);
  const titles = ["PROJECT", "TRUSTED", "FILES", "HASH"].map((title) => ({ title }));
  const text =
    rows.length === 0 ? "no project is trusted" : formatTable(titles, rows, null).join("\n");
  return ok(text, { projects });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fault("FolderUnreadable", { path: folder, problem: problemOf(error) }, { cause: error });
  }
}
