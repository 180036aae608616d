// One file of a layer, loaded for the index. Runs in a worker: it may hang, exit or print.
import { statSync } from "node:fs";
import { join } from "node:path";
import { Fault, type FaultReport, fault, reportFault } from "../command/fault.ts";
import { readText } from "../config/read-text.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { YamlEntry } from "./commands-yaml.ts";
import { describeImport, isReasonElsewhere } from "./import-problem.ts";
import { nameOfFile } from "./index-file.ts";
import type { IndexJob } from "./index-plan.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { findLoader } from "./loaders.ts";
import { nameProblem } from "./name-problem.ts";
import { type PackedRecord, packBroken, packCommand, packDisable } from "./packed-record.ts";

export interface JobPlace {
  readonly source: LayerSource;
  readonly libraryUrl: string;
}

export interface JobResult {
  readonly records: readonly PackedRecord[];
  readonly settings: SettingsFile;
  /** What is wrong with the file as a whole; a single command's reason is in its record. */
  readonly fault: FaultReport | null;
}

export async function runJob(job: IndexJob, place: JobPlace): Promise<JobResult> {
  try {
    if (job.kind === "settings") return { ...NOTHING, settings: await readSettings(place.source) };
    if (job.kind === "yaml") return { ...NOTHING, records: await readYaml(place.source) };
    return { ...NOTHING, records: [await readCommand(job.fileName, place)] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...NOTHING, fault: reportFault(error) };
  }
}

const NOTHING: JobResult = { records: [], settings: {}, fault: null };

async function readSettings(source: LayerSource): Promise<SettingsFile> {
  const { parseSettings } = await import("../config/settings-file.ts");
  const path = join(source.folder, "config.yaml");
  const scope = source.layer === "project" ? "project" : "user";
  return parseSettings(readAt(source, path), { file: showFile(source, path), scope });
}

async function readYaml(source: LayerSource): Promise<PackedRecord[]> {
  const { parseCommandsYaml } = await import("./commands-yaml.ts");
  const path = join(source.folder, "commands.yaml");
  return parseCommandsYaml(readAt(source, path), {
    file: showFile(source, path),
    folder: source.folder,
    workingFolder: source.shown,
  }).map(packEntry);
}

/** A file that vanished since it was seen is an empty one. */
const readAt = (source: LayerSource, path: string): string =>
  readText(path, showFile(source, path)) ?? "";

function packEntry(entry: YamlEntry): PackedRecord {
  if (entry.kind === "command") return packCommand(entry.summary, entry.program);
  if (entry.kind === "disable") return packDisable(entry.name);
  return packBroken(entry.name, {
    fault: entry.fault,
    isCritical: entry.critical,
    isWorthRetrying: false,
  });
}

async function readCommand(
  fileName: string,
  { source, libraryUrl }: JobPlace,
): Promise<PackedRecord> {
  const path = join(source.commandsFolder, fileName);
  const name = nameOfFile(fileName);
  const problem = nameProblem(name, () => ({ file: showFile(source, path) }));
  if (problem !== null) return packBroken(name, { fault: reportFault(problem), ...FINAL });
  let text: string | null = null;
  try {
    // Opening a FIFO would wait for a writer, and not even ending the thread helps against that.
    if (!statSync(path).isFile()) throw notAFile(source, path);
    text = readAt(source, path);
    const load = findLoader(source, fileName);
    if (load === null) throw new TypeError(`no loader for ${fileName}`);
    const { summary } = await load({ source, path, name, generation: 0, libraryUrl }, null);
    return packCommand(summary);
  } catch (error) {
    return packBroken(name, {
      fault: reportFault(describeImport(error, { source, path, text })),
      isCritical: text !== null && saysCritical(text),
      isWorthRetrying: isReasonElsewhere(error),
    });
  }
}

const notAFile = (source: LayerSource, path: string): Fault =>
  fault(
    "FileInvalid",
    { problem: "it is not a regular file" },
    { where: { file: showFile(source, path) } },
  );

const FINAL = { isCritical: false, isWorthRetrying: false };

/** Of a file that cannot be loaded only its text can still say so. */
export const saysCritical = (text: string): boolean => /\bcritical["']?\s*:\s*true\b/.test(text);
