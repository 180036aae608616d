// One layer as the registry sees it, with what is needed to load its commands later.
import { join } from "node:path";
import type { FaultReport } from "../command/fault.ts";
import type { Layer, LayerEntry } from "../command/registry.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { LayerIndex } from "./index-file.ts";
import { currentIndex, type IndexRequest } from "./index-refresh.ts";
import { type LayerSource, showFile } from "./layer-source.ts";
import { isCriticalBroken, keysOf, type PackedRecord, unpackEntry } from "./packed-record.ts";

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
  const faults = [fault, index.yaml.fault, index.settings.fault].filter((one) => one !== null);
  const records = listRecords(index, source);
  const critical = records.find(({ record }) => isCriticalBroken(record));
  return {
    source,
    index,
    layer: { name: source.layer, plugin: source.plugin, entries: groupEntries(records) },
    settings: index.settings.value,
    faults,
    critical: critical === undefined ? null : unpackEntry(critical.record, critical.file),
  };
}

interface FiledRecord {
  readonly record: PackedRecord;
  /** As its owner knows it. */
  readonly file: string;
}

function listRecords(index: LayerIndex, source: LayerSource): FiledRecord[] {
  const folder = showFile(source, source.commandsFolder);
  return [
    ...index.files.map(({ fileName, record }) => ({ record, file: `${folder}/${fileName}` })),
    ...index.yaml.records.map((record) => ({ record, file: yamlFile(source) })),
  ];
}

export const yamlFile = (source: LayerSource): string => join(source.shown, "commands.yaml");

/** Like the registry's own way, but without opening every record for its aliases. */
function groupEntries(records: readonly FiledRecord[]): Map<string, LayerEntry[]> {
  const byName = new Map<string, LayerEntry[]>();
  for (const { record, file } of records) {
    const entry = unpackEntry(record, file);
    for (const key of keysOf(record)) {
      const list = byName.get(key);
      if (list === undefined) byName.set(key, [entry]);
      else list.push(entry);
    }
  }
  return byName;
}
