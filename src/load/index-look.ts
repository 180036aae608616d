// What stats show of a layer's files: as few of them as answer the question.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FaultReport, fault, reportFault } from "../command/fault.ts";
import { errorCode, problemOf } from "../config/file-problem.ts";
import { fingerprint, fingerprintOf, folderFingerprint, statOf } from "../config/fingerprint.ts";
import type { IndexedFile, LayerIndex } from "./index-file.ts";
import type { Sighting } from "./index-plan.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { findLoader } from "./loaders.ts";
import { answersTo, isWorthRetrying } from "./packed-record.ts";

/** What stands for the stat of a folder that is not there. */
const NO_FOLDER = "none";

/** Whether the index is as true as stats can tell; with a name, for the files that answer to it alone. */
export function isIndexTrue(index: LayerIndex, source: LayerSource, name: string | null): boolean {
  const files =
    name === null ? index.files : index.files.filter((file) => answersTo(file.record, name));
  return (
    (fingerprint(source.commandsFolder) ?? NO_FOLDER) === index.listing &&
    yamlFingerprint(source, "commands.yaml") === index.yaml.fingerprint &&
    yamlFingerprint(source, "config.yaml") === index.settings.fingerprint &&
    files.every((file) => isFileTrue(file, source))
  );
}

const yamlFingerprint = ({ hasYaml, folder }: LayerSource, name: string): string | null =>
  hasYaml ? fingerprint(join(folder, name)) : null;

const isFileTrue = ({ fileName, fingerprint: known, record }: IndexedFile, source: LayerSource) =>
  !isWorthRetrying(record) &&
  (source.isFixed || fingerprint(join(source.commandsFolder, fileName)) === known);

export interface LayerSighting extends Sighting {
  /** Why the folder of commands could not be read. */
  readonly fault: FaultReport | null;
}

/** Everything there is in the layer. */
export function sightLayer(source: LayerSource): LayerSighting {
  const yaml = yamlFingerprint(source, "commands.yaml");
  const settings = yamlFingerprint(source, "config.yaml");
  const rest = { files: new Map<string, string>(), yaml, settings };
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

function sightFiles(source: LayerSource, names: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of names.toSorted()) {
    if (findLoader(source, name) === null) continue;
    const stat = statOf(join(source.commandsFolder, name), statSync);
    if (stat !== null && !stat.isDirectory()) files.set(name, fingerprintOf(stat));
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
