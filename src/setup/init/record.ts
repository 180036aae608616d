// What `adj init` wrote, kept so that `adj uninstall --all` can take it back: each file as it was before, and hashes of what
// was written over that. What a person changed since is theirs and stays.

import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Program } from "../../core/commands/bundled.ts";
import { readText, refuseLinks, replaceFile } from "../../core/project/files.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { parseJson } from "../../core/project/json-value.ts";
import { readExactText, removeFile, writeExactText } from "../../hooks/install/config-file.ts";

const RECORD_SCHEMA = z.object({
  root: z.string(),
  files: z.array(
    z.object({
      file: z.string(),
      /** Null where there was none. */
      original: z.nullable(z.string()),
      /** Hashes of what we wrote there, the newest last. */
      written: z.array(z.string()),
      /** Those that were made for it, the outermost first. */
      folders: z.array(z.string()),
    }),
  ),
});

type SetUpRecord = z.infer<typeof RECORD_SCHEMA>;
type SetUpFile = SetUpRecord["files"][number];

type SetUpProject = Pick<Program, "root" | "stateDir">;

const recordFile = ({ root, stateDir }: SetUpProject): string =>
  join(stateDir, "set-up", `${sha256(root).slice(0, 32)}.json`);

/** One that cannot be read says nothing: then all of it is the person's. */
function readRecord(project: SetUpProject): SetUpRecord {
  const parsed = RECORD_SCHEMA.safeParse(parseJson(readText(recordFile(project)) ?? ""));
  const isOurs = parsed.success && parsed.data.root === project.root;
  return isOurs ? parsed.data : { root: project.root, files: [] };
}

/** Does the work, and keeps what the files were before it. */
export async function recordSetUp<Result>(
  files: ReadonlySet<string>,
  project: SetUpProject,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = [...files].map((file) => ({
    file,
    text: readExactText(file),
    folders: listMissing(dirname(file)),
  }));
  try {
    return await work();
  } finally {
    const { root, files: known } = readRecord(project);
    const changed = before.flatMap((one) => noteChange(one, known));
    const kept = known.filter(({ file }) => !changed.some((one) => one.file === file));
    const record: SetUpRecord = { root, files: [...kept, ...changed] };
    if (changed.length > 0) replaceFile(recordFile(project), JSON.stringify(record));
  }
}

interface FileBefore {
  readonly file: string;
  readonly text: string | null;
  readonly folders: string[];
}

function noteChange({ file, text, folders }: FileBefore, known: readonly SetUpFile[]): SetUpFile[] {
  const after = readExactText(file);
  if (after === null || after === text) return [];
  const earlier = known.find((one) => one.file === file);
  const isStillOurs = text !== null && earlier?.written.includes(sha256(text));
  if (earlier !== undefined && isStillOurs)
    return [{ ...earlier, written: [...earlier.written, sha256(after)] }];
  return [{ file, original: text, written: [sha256(after)], folders }];
}

function listMissing(folder: string): string[] {
  return existsSync(folder) ? [] : [...listMissing(dirname(folder)), folder];
}

export interface UndoneFile {
  readonly file: string;
  readonly did: "removed" | "restored" | "kept";
}

/** Takes back what nobody changed since. Links that were put in its way are refused. */
export function undoSetUp(project: SetUpProject, isDryRun: boolean): UndoneFile[] {
  const { files } = readRecord(project);
  const undone = files.flatMap((one): UndoneFile[] => {
    const text = readExactText(one.file);
    if (text === null) return [];
    if (!one.written.includes(sha256(text))) return [{ file: one.file, did: "kept" }];
    if (!isDryRun) undoFile(one, project.root);
    return [{ file: one.file, did: one.original === null ? "removed" : "restored" }];
  });
  if (!isDryRun) {
    // A folder goes with the last file in it, whichever that was.
    for (const { file, folders } of files) if (!existsSync(file)) removeFile(file, folders);
    rmSync(recordFile(project), { force: true });
  }
  return undone;
}

function undoFile({ file, original, folders }: SetUpFile, root: string): void {
  if (file.startsWith(`${root}/`)) refuseLinks(root, file);
  if (original === null) removeFile(file, folders);
  else writeExactText(file, original, 0o644);
}
