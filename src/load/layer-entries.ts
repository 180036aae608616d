import type { LayerEntry } from "../command/registry.ts";
import { aliasesOf, PLAIN, unpackEntry } from "./packed-record.ts";
import { placesOf, type RecordTable, recordAt } from "./record-table.ts";

/** Records of a layer and the files they come from. */
export interface EntrySource {
  readonly table: RecordTable;
  readonly fileOf: (at: number) => string;
}

/** After so many single names the whole map is worth making. */
const MOST_SEARCHES = 16;

/**
 * The entries of a layer by name and alias. A dispatch asks for a name or two and finds them in the
 * records; only who wants all of them has 10,000 entries made.
 */
export class LayerEntries implements ReadonlyMap<string, readonly LayerEntry[]> {
  readonly #sources: readonly EntrySource[];
  #all: Map<string, LayerEntry[]> | null = null;
  #searches = 0;

  constructor(sources: readonly EntrySource[]) {
    this.#sources = sources;
  }

  get(name: string): readonly LayerEntry[] | undefined {
    if (this.#all === null && this.#searches < MOST_SEARCHES) return this.#search(name);
    return this.#made().get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get size(): number {
    return this.#made().size;
  }

  keys(): MapIterator<string> {
    return this.#made().keys();
  }

  values(): MapIterator<readonly LayerEntry[]> {
    return this.#made().values();
  }

  entries(): MapIterator<[string, readonly LayerEntry[]]> {
    return this.#made().entries();
  }

  [Symbol.iterator](): MapIterator<[string, readonly LayerEntry[]]> {
    return this.entries();
  }

  forEach(
    act: (
      value: readonly LayerEntry[],
      key: string,
      map: ReadonlyMap<string, readonly LayerEntry[]>,
    ) => void,
  ): void {
    for (const [key, value] of this) act(value, key, this);
  }

  #search(name: string): readonly LayerEntry[] | undefined {
    this.#searches += 1;
    const found = this.#sources.flatMap(({ table, fileOf }) =>
      placesOf(table, name).map((at) => unpackEntry(recordAt(table, at), fileOf(at))),
    );
    return found.length === 0 ? undefined : found;
  }

  #made(): Map<string, LayerEntry[]> {
    this.#all ??= makeEntries(this.#sources);
    return this.#all;
  }
}

function makeEntries(sources: readonly EntrySource[]): Map<string, LayerEntry[]> {
  const entries = new Map<string, LayerEntry[]>();
  const add = (key: string, entry: LayerEntry): void => {
    const list = entries.get(key);
    if (list === undefined) entries.set(key, [entry]);
    else list.push(entry);
  };
  for (const { table, fileOf } of sources)
    for (let at = 0; at < table.names.length; at++) {
      const record = recordAt(table, at);
      const entry = unpackEntry(record, fileOf(at));
      add(record.name, entry);
      if (record.head === PLAIN) continue;
      for (const alias of new Set(aliasesOf(record.head)))
        if (alias !== record.name) add(alias, entry);
    }
  return entries;
}
