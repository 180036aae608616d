// One layer as the registry sees it, with what is needed to load its commands later.
import { join } from "node:path";
import type { FaultReport } from "../command/fault.ts";
import type { Layer, LayerEntry } from "../command/registry.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { LayerIndex } from "./index-file.ts";
import { currentIndex, type IndexRequest } from "./index-refresh.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { aliasesOf, isCriticalBroken, unpackEntry } from "./packed-record.ts";
import { fileNameAt, type RecordTable, recordAt } from "./record-table.ts";

export interface LayerContent {
  readonly source: LayerSource;
  readonly index: LayerIndex;
  readonly layer: Layer;
  readonly settings: SettingsFile;
  /** What is wrong with whole files and folders. */
  readonly faults: readonly FaultReport[];
  /** Broken, and nothing may run without it. */
  readonly critical: LayerEntry | null;
}

export async function readContent(request: IndexRequest): Promise<LayerContent> {
  const { source } = request;
  const { index, fault } = await currentIndex(request);
  const entries = new Map<string, LayerEntry[]>();
  const folder = showFile(source, source.commandsFolder);
  addEntries(entries, index.files, (at) => `${folder}/${fileNameAt(index.files, at)}`);
  const yaml = yamlFile(source);
  addEntries(entries, index.yaml.records, () => yaml);
  return {
    source,
    index,
    layer: { name: source.layer, plugin: source.plugin, entries },
    settings: index.settings.value,
    faults: [fault, index.yaml.fault, index.settings.fault].filter((one) => one !== null),
    critical: findCritical(entries, index),
  };
}

export const yamlFile = (source: LayerSource): string => join(source.shown, "commands.yaml");

/** Like the registry's own way, but without opening every record for its aliases. */
function addEntries(
  entries: Map<string, LayerEntry[]>,
  table: RecordTable,
  fileOf: (at: number) => string,
): void {
  for (let at = 0; at < table.names.length; at++) {
    const record = recordAt(table, at);
    const entry = unpackEntry(record, fileOf(at));
    addEntry(entries, record.name, entry);
    for (const alias of new Set(aliasesOf(record.head)))
      if (alias !== record.name) addEntry(entries, alias, entry);
  }
}

function addEntry(entries: Map<string, LayerEntry[]>, key: string, entry: LayerEntry): void {
  const list = entries.get(key);
  if (list === undefined) entries.set(key, [entry]);
  else list.push(entry);
}

function findCritical(
  entries: ReadonlyMap<string, readonly LayerEntry[]>,
  { files, yaml }: LayerIndex,
): LayerEntry | null {
  for (const { names, heads } of [files, yaml.records]) {
    const name = names[heads.findIndex(isCriticalBroken)];
    const found = name === undefined ? undefined : entries.get(name);
    if (found !== undefined) return found.find(({ kind }) => kind === "broken") ?? null;
  }
  return null;
}
