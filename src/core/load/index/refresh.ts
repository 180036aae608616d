// The index of a layer, brought up to date where its files changed.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type FaultReport, fault, reportFault } from "../../command/fault.ts";
import { describeFileError, fileErrorCode, statOf } from "../../project/files.ts";
import { fingerprint, fingerprintOfStat, folderFingerprint } from "../../project/fingerprint.ts";
import type { SettingsFile } from "../../project/settings.ts";
import {
  type CommandIndex,
  type IndexedCommand,
  type IndexedLayer,
  useCommandIndex,
} from "../../store/command-index.ts";
import { type FileKind, findKind } from "../command-file.ts";
import { type LayerSource, showFile } from "../layer-source.ts";
import type { Runtime } from "../runtime.ts";
import { isCriticalBroken, isWorthRetrying, type LayerRows, wasTooSlow } from "./entries.ts";
import type { IndexJob, JobResult } from "./job.ts";

export interface IndexRequest {
  readonly source: LayerSource;
  readonly stateDir: string;
  readonly runtime: Runtime;
  readonly fileKinds: readonly FileKind[];
  readonly wanted: IndexQuery;
}

/** What the index will be asked for: one name, the list of all, or all and nothing may be old. */
export type IndexQuery =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list" }
  | { readonly kind: "all" };

/** What the index knows of a layer. Lists do not change any more, whatever becomes of the index. */
interface LayerIndex {
  readonly rows: Pick<LayerRows, "find" | "list">;
  /** The first `critical` command that is broken; while there is one, nothing may run. */
  readonly critical: IndexedCommand | null;
  readonly settings: SettingsFile;
  readonly settingsFault: FaultReport | null;
  /** What is wrong with whole files and folders, the settings too. */
  readonly faults: readonly FaultReport[];
}

interface LayerContentJson extends Pick<LayerIndex, "settings" | "settingsFault"> {
  readonly yamlFault: FaultReport | null;
}

export async function currentIndex(request: IndexRequest): Promise<LayerIndex> {
  const { source, stateDir, runtime, fileKinds } = request;
  const folder = source.commandsFolder;
  const key = keyOf(runtime);
  const current = useCommandIndex(stateDir, (index) => readCurrent(index, key, request));
  if (current !== null) return current;
  const seen = listLayer(source, fileKinds);
  const before = useCommandIndex(stateDir, (index) => readKnown(index, folder, key));
  const plan = planRefresh(before, seen, request.wanted);
  const results = await loadChanged(plan, source, runtime);
  const { layer, commands } = assembleIndex(before, { key, seen, plan, results });
  useCommandIndex(stateDir, (index) => index.replace(folder, layer, commands));
  removeOldIndex(stateDir);
  return {
    rows: { find: null, list: () => commands },
    critical: commands.find(isCriticalBroken) ?? null,
    ...contentOf(layer, seen.fault),
  };
}

/** An index of version 0.1 was a file for each layer. */
function removeOldIndex(stateDir: string): void {
  try {
    rmSync(join(stateDir, "index"), { recursive: true, force: true });
  } catch (error) {
    // In a folder that cannot be written it stays, and nobody reads it.
    if (fileErrorCode(error) === null) throw error;
  }
}

// Counts up when what stands in a row changes its meaning.
const INDEX_FORMAT = 7;

const keyOf = ({ version }: Runtime): string => [INDEX_FORMAT, version, process.version].join(" ");

function contentOf(
  { content }: IndexedLayer,
  folderFault: FaultReport | null,
): Pick<LayerIndex, "settings" | "settingsFault" | "faults"> {
  const { settings, settingsFault, yamlFault }: LayerContentJson = JSON.parse(content);
  const faults = [folderFault, yamlFault, settingsFault].filter((one) => one !== null);
  return { settings, settingsFault, faults };
}

/** Null where stats show that something changed. */
function readCurrent(index: CommandIndex, key: string, request: IndexRequest): LayerIndex | null {
  const { source, stateDir, wanted } = request;
  const folder = source.commandsFolder;
  const layer = index.readLayer(folder);
  if (layer === null || layer.key !== key || !isLayerCurrent(layer, source)) return null;
  const broken = index.listBroken(folder);
  // Nothing runs because of these, so what is known of them must not be old.
  if (!areCurrent(broken.filter(isCriticalBroken), source)) return null;
  const known = { critical: broken.find(isCriticalBroken) ?? null, ...contentOf(layer, null) };
  if (wanted.kind === "name") {
    const rows = index.find(folder, wanted.name);
    if (rows.some(wasTooSlow) || !areCurrent(rows, source)) return null;
    const find = (name: string) => useCommandIndex(stateDir, (now) => now.find(folder, name));
    const list = () => useCommandIndex(stateDir, (now) => now.list(folder));
    return { rows: { find, list }, ...known };
  }
  if (broken.some(isWorthRetrying)) return null;
  const isBelieved = wanted.kind === "list" && layer.fileCount > MAX_STATS;
  const rows = index.list(folder, !isBelieved);
  if (!isBelieved && !areCurrent(rows, source)) return null;
  return { rows: { find: null, list: () => rows }, ...known };
}

/**
 * A list of more files than this takes their rows as they are: 10,000 stats are 25 ms, as long as
 * all the rest. New and removed files still show, and an edit in place as soon as its command is used.
 */
const MAX_STATS = 2_000;

const isLayerCurrent = (layer: IndexedLayer, source: LayerSource): boolean =>
  (fingerprint(source.commandsFolder) ?? NO_FOLDER) === layer.listing &&
  yamlFingerprint(source, "commands.yaml") === layer.yaml &&
  yamlFingerprint(source, "config.yaml") === layer.settings;

/** What stands for the stat of a folder that is not there. */
const NO_FOLDER = "none";

const yamlFingerprint = ({ hasYaml, folder }: LayerSource, name: string): string | null =>
  hasYaml ? fingerprint(join(folder, name)) : null;

function areCurrent(rows: readonly IndexedCommand[], source: LayerSource): boolean {
  if (rows.some(isWorthRetrying)) return false;
  return (
    source.isFixed ||
    rows.every(
      ({ file, stamp }) => file === "" || fingerprint(`${source.commandsFolder}/${file}`) === stamp,
    )
  );
}

/** A layer's files as they are now. */
interface LayerListing {
  readonly listing: string | null;
  /** The files by their names. */
  readonly files: ReadonlyMap<string, SeenFile>;
  readonly yaml: string | null;
  readonly settings: string | null;
  /** Why the folder of commands could not be read. */
  readonly fault: FaultReport | null;
}

interface SeenFile {
  /** The command's name. */
  readonly name: string;
  readonly stamp: string;
}

function listLayer(source: LayerSource, kinds: readonly FileKind[]): LayerListing {
  const yaml = yamlFingerprint(source, "commands.yaml");
  const settings = yamlFingerprint(source, "config.yaml");
  const rest = { files: new Map<string, SeenFile>(), yaml, settings };
  try {
    const stat = statSync(source.commandsFolder);
    const listing = folderFingerprint(stat, Date.now());
    return { ...rest, listing, files: listFiles(source, kinds), fault: null };
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    if (fileErrorCode(error) === "ENOENT") return { ...rest, listing: NO_FOLDER, fault: null };
    return { ...rest, listing: null, fault: unreadableFolder(source, error) };
  }
}

function listFiles(source: LayerSource, kinds: readonly FileKind[]): Map<string, SeenFile> {
  const files = new Map<string, SeenFile>();
  const names = new Set(readdirSync(source.commandsFolder).sort());
  // A plugin may bring what was built of a file beside the file itself.
  const isBuilt = (fileName: string): boolean =>
    source.layer === "plugin" &&
    fileName.endsWith(".ts") &&
    [".js", ".mjs"].some((ending) => names.has(fileName.replace(/\.ts$/, ending)));
  for (const fileName of names) {
    const kind = isBuilt(fileName) ? null : findKind(kinds, fileName);
    const stat = kind === null ? null : statOf(join(source.commandsFolder, fileName), statSync);
    if (kind === null || stat === null || stat.isDirectory()) continue;
    files.set(fileName, { name: kind.nameOf(fileName), stamp: fingerprintOfStat(stat) });
  }
  return files;
}

const unreadableFolder = (source: LayerSource, error: unknown): FaultReport =>
  reportFault(
    fault(
      "FolderUnreadable",
      { path: showFile(source, source.commandsFolder), problem: describeFileError(error) },
      { hint: "make it a folder you may read, or remove it" },
    ),
  );

interface KnownLayer {
  readonly layer: IndexedLayer;
  readonly commands: readonly IndexedCommand[];
}

function readKnown(index: CommandIndex, folder: string, key: string): KnownLayer | null {
  const layer = index.readLayer(folder);
  return layer?.key === key ? { layer, commands: index.list(folder) } : null;
}

interface IndexPlan {
  readonly kept: readonly IndexedCommand[];
  readonly jobs: readonly IndexJob[];
}

/** Small files first: their commands are there even if a module then takes its time. */
function planRefresh(before: KnownLayer | null, seen: LayerListing, wanted: IndexQuery): IndexPlan {
  // A list does not wait for the slow ones; whoever calls one of them does.
  const isDue = (row: IndexedCommand): boolean =>
    isWorthRetrying(row) || (wanted.kind === "name" && wanted.name === row.name && wasTooSlow(row));
  const kept = (before?.commands ?? []).filter(
    (row) => seen.files.get(row.file)?.stamp === row.stamp && !isDue(row),
  );
  const known = new Set(kept.map(({ file }) => file));
  const jobs: IndexJob[] = [];
  if (seen.settings !== null && seen.settings !== before?.layer.settings)
    jobs.push({ kind: "settings" });
  if (seen.yaml !== null && seen.yaml !== before?.layer.yaml) jobs.push({ kind: "yaml" });
  for (const [fileName, { name }] of seen.files)
    if (!known.has(fileName)) jobs.push({ kind: "command", fileName, name });
  return { kept, jobs };
}

async function loadChanged(
  plan: IndexPlan,
  source: LayerSource,
  runtime: Runtime,
): Promise<JobResult[]> {
  if (plan.jobs.length === 0) return [];
  const { loadForIndex } = await import("./load-files.ts");
  const { libraryUrl, workerUrl, agentWords } = runtime;
  return loadForIndex(plan.jobs, { source, libraryUrl, agentWords }, workerUrl);
}

interface RefreshResult {
  readonly key: string;
  readonly seen: LayerListing;
  readonly plan: IndexPlan;
  readonly results: readonly JobResult[];
}

function assembleIndex(before: KnownLayer | null, refresh: RefreshResult): KnownLayer {
  const { key, seen, plan, results } = refresh;
  const resultOf = (kind: "yaml" | "settings"): JobResult | undefined =>
    results[plan.jobs.findIndex((job) => job.kind === kind)];
  const known: LayerContentJson | null = before === null ? null : JSON.parse(before.layer.content);
  const yaml = resultOf("yaml");
  const settings = resultOf("settings");
  const content: LayerContentJson = {
    settings: pickLoaded(seen.settings, settings?.settings, known?.settings) ?? {},
    settingsFault: pickLoaded(seen.settings, settings?.fault, known?.settingsFault) ?? null,
    yamlFault: pickLoaded(seen.yaml, yaml?.fault, known?.yamlFault) ?? null,
  };
  const files = [...plan.kept, ...loadedFiles(refresh)];
  const yamlRows = pickLoaded(
    seen.yaml,
    yaml?.records.map((record) => ({ ...record, file: "", stamp: "" })),
    before?.commands.filter(({ file }) => file === ""),
  );
  return {
    layer: {
      key,
      listing: seen.listing,
      yaml: seen.yaml,
      settings: seen.settings,
      fileCount: files.length,
      content: JSON.stringify(content),
    },
    commands: [...files.sort((a, b) => (a.file < b.file ? -1 : 1)), ...(yamlRows ?? [])],
  };
}

const loadedFiles = ({ seen, plan, results }: RefreshResult): IndexedCommand[] =>
  plan.jobs.flatMap((job, at) => {
    const record = results[at]?.records[0];
    const stamp = job.kind === "command" ? seen.files.get(job.fileName)?.stamp : undefined;
    if (job.kind !== "command" || record === undefined || stamp === undefined) return [];
    return [{ ...record, file: job.fileName, stamp }];
  });

/** What was loaded now, else what was known; nothing when the file is gone. */
function pickLoaded<Value>(
  fingerprint: string | null,
  loaded: Value | undefined,
  known: Value | undefined,
): Value | undefined {
  if (fingerprint === null) return undefined;
  return loaded === undefined ? known : loaded;
}
