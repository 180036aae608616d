// One layer as the registry sees it, with what is needed to load its commands later.
import { join } from "node:path";
import type { FaultReport } from "../command/fault.ts";
import type { Layer, LayerEntry } from "../command/registry.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { LayerIndex } from "./index-file.ts";
import { currentIndex, type IndexRequest } from "./index-refresh.ts";
import { type EntrySource, LayerEntries } from "./layer-entries.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { isCriticalBroken, unpackEntry } from "./packed-record.ts";
import { fileNameAt, recordAt } from "./record-table.ts";

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
  const folder = showFile(source, source.commandsFolder);
  const yaml = yamlFile(source);
  const sources: EntrySource[] = [
    { table: index.files, fileOf: (at) => `${folder}/${fileNameAt(index.files, at)}` },
    { table: index.yaml.records, fileOf: () => yaml },
  ];
  return {
    source,
    index,
    layer: { name: source.layer, plugin: source.plugin, entries: new LayerEntries(sources) },
    settings: index.settings.value,
    faults: [fault, index.yaml.fault, index.settings.fault].filter((one) => one !== null),
    critical: findCritical(sources),
  };
}

export const yamlFile = (source: LayerSource): string => join(source.shown, "commands.yaml");

function findCritical(sources: readonly EntrySource[]): LayerEntry | null {
  for (const { table, fileOf } of sources) {
    const at = table.special.find((place) => isCriticalBroken(table.heads[place] ?? ""));
    if (at !== undefined) return unpackEntry(recordAt(table, at), fileOf(at));
  }
  return null;
}
