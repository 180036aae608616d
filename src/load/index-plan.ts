// What of an index is still true, given what stats show. Pure.
import type { LayerIndex } from "./index-file.ts";
import { isWorthRetrying } from "./packed-record.ts";
import { type IndexedFile, isSameStamp, listFiles, type Stamp } from "./record-table.ts";

/** A layer's files as they are now. */
export interface Sighting {
  readonly listing: string | null;
  /** By file name. */
  readonly files: ReadonlyMap<string, Stamp>;
  readonly yaml: string | null;
  readonly settings: string | null;
}

export type IndexJob =
  | { readonly kind: "command"; readonly fileName: string }
  | { readonly kind: "yaml" }
  | { readonly kind: "settings" };

export interface IndexPlan {
  readonly kept: readonly IndexedFile[];
  readonly jobs: readonly IndexJob[];
}

/** Small files first: their commands are there even if a module then takes its time. */
export function planRefresh(index: LayerIndex | null, seen: Sighting): IndexPlan {
  const before = index === null ? [] : listFiles(index.files);
  const kept = before.filter(({ fileName, stamp, record }) => {
    const now = seen.files.get(fileName);
    return now !== undefined && isSameStamp(now, stamp) && !isWorthRetrying(record.head);
  });
  const known = new Set(kept.map(({ fileName }) => fileName));
  const jobs: IndexJob[] = [];
  if (seen.settings !== null && seen.settings !== index?.settings.fingerprint)
    jobs.push({ kind: "settings" });
  if (seen.yaml !== null && seen.yaml !== index?.yaml.fingerprint) jobs.push({ kind: "yaml" });
  for (const fileName of seen.files.keys())
    if (!known.has(fileName)) jobs.push({ kind: "command", fileName });
  return { kept, jobs };
}
