// What stats show of a layer's files: as few of them as answer the question.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FaultReport, fault, reportFault } from "../command/fault.ts";
import { errorCode, problemOf } from "../config/file-problem.ts";
import { fingerprint, folderFingerprint, statOf } from "../config/fingerprint.ts";
import type { LayerIndex } from "./index-file.ts";
import type { Sighting } from "./index-plan.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { findLoader } from "./loaders.ts";
import { isWorthRetrying } from "./packed-record.ts";
import { type FileTable, fileNameAt, isStampAt, placesOf, type Stamp } from "./record-table.ts";

/** What stands for the stat of a folder that is not there. */
const NO_FOLDER = "none";

/** What the index will be asked for: one name, the list of all, or all and nothing may be old. */
export type Wanted =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list" }
  | { readonly kind: "all" };

/**
 * A list of more files than this takes their records as they are: 10,000 stats are 25 ms, as long as
 * all the rest. New and removed files still show, and an edit in place as soon as its command is used.
 */
const MOST_STATS = 2_000;

/** Whether the index is as true as stats can tell. */
export function isIndexTrue(index: LayerIndex, source: LayerSource, wanted: Wanted): boolean {
  return (
    (fingerprint(source.commandsFolder) ?? NO_FOLDER) === index.listing &&
    yamlFingerprint(source, "commands.yaml") === index.yaml.fingerprint &&
    yamlFingerprint(source, "config.yaml") === index.settings.fingerprint &&
    areFilesTrue(index.files, source, wanted)
  );
}

const yamlFingerprint = ({ hasYaml, folder }: LayerSource, name: string): string | null =>
  hasYaml ? fingerprint(join(folder, name)) : null;

function areFilesTrue(files: FileTable, source: LayerSource, wanted: Wanted): boolean {
  const places = wanted.kind === "name" ? placesOf(files, wanted.name) : null;
  const isRetried = (at: number): boolean => isWorthRetrying(files.heads[at] ?? "");
  if ((places ?? files.special).some(isRetried)) return false;
  if (source.isFixed || (wanted.kind === "list" && files.names.length > MOST_STATS)) return true;
  return (places ?? [...files.names.keys()]).every((at) => isFileTrue(files, source, at));
}

function isFileTrue(files: FileTable, { commandsFolder }: LayerSource, at: number): boolean {
  const stat = statOf(`${commandsFolder}/${fileNameAt(files, at)}`, statSync);
  return stat !== null && isStampAt(files, at, stat);
}

export interface LayerSighting extends Sighting {
  /** Why the folder of commands could not be read. */
  readonly fault: FaultReport | null;
}

/** Everything there is in the layer. */
export function sightLayer(source: LayerSource): LayerSighting {
  const yaml = yamlFingerprint(source, "commands.yaml");
  const settings = yamlFingerprint(source, "config.yaml");
  const rest = { files: new Map<string, Stamp>(), yaml, settings };
  try {
    const stat = statSync(source.commandsFolder);
    const listing = folderFingerprint(stat, Date.now());
    const files = sightFiles(source, readdirSync(source.commandsFolder));
    return { ...rest, listing, files, fault: null };
  } catch (error) {
    if (errorCode(error) === null) throw error;
    if (errorCode(error) === "ENOENT") return { ...rest, listing: NO_FOLDER, fault: null };
    return { ...rest, listing: null, fault: unreadable(source, error) };
  }
}

function sightFiles(source: LayerSource, names: readonly string[]): Map<string, Stamp> {
  const files = new Map<string, Stamp>();
  for (const name of names.toSorted()) {
    if (findLoader(source, name) === null) continue;
    const stat = statOf(join(source.commandsFolder, name), statSync);
    if (stat !== null && !stat.isDirectory()) files.set(name, stat);
  }
  return files;
}

const unreadable = (source: LayerSource, error: unknown): FaultReport =>
  reportFault(
    fault(
      "FolderUnreadable",
      { path: showFile(source, source.commandsFolder), problem: problemOf(error) },
      { hint: "make it a folder you may read, or remove it" },
    ),
  );
