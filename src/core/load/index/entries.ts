// The entries of a layer, kept as rows of the index. A layer may hold 10,000 of them and a dispatch needs
// one, so a row stays text until it is asked for.
import type { CommandSummary } from "../../command/definition.ts";
import type { FaultReport } from "../../command/fault.ts";
import type { CommandEntry, LayerEntry, LayerEntryMap } from "../../command/registry.ts";
import { maskSecrets, secretValues } from "../../secrets/mask.ts";
import type { IndexedCommand } from "../../store/command-index.ts";
import type { ProgramDefinition } from "../program-definition.ts";
import { SUMMARY_DEFAULTS } from "../summary.ts";

/** Where the rows of one layer come from. */
export interface LayerRows {
  /** By name or alias. Null where looking through all of them is as good. */
  readonly find: ((name: string) => readonly IndexedCommand[]) | null;
  list(): readonly IndexedCommand[];
  /** As the layer's owner knows the file. */
  showFile(row: IndexedCommand): string;
}

/** After so many single names the whole map is worth making. */
const MAX_SEARCHES = 16;

/**
 * The entries of a layer by name and alias. A dispatch asks for a name or two and finds them in the
 * index; only who wants all of them has 10,000 entries made.
 */
export class LayerEntries implements LayerEntryMap {
  readonly #rows: LayerRows;
  #all: Map<string, LayerEntry[]> | null = null;
  #searches = 0;

  constructor(rows: LayerRows) {
    this.#rows = rows;
  }

  get(name: string): readonly LayerEntry[] | undefined {
    if (this.#all !== null || this.#rows.find === null || this.#searches >= MAX_SEARCHES)
      return this.#made().get(name);
    this.#searches += 1;
    const found = this.#rows.find(name);
    if (found.length === 0) return undefined;
    return found.map((row) => unpackEntry(row, this.#rows.showFile(row)));
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

  [Symbol.iterator](): MapIterator<[string, readonly LayerEntry[]]> {
    return this.#made()[Symbol.iterator]();
  }

  #made(): Map<string, LayerEntry[]> {
    this.#all ??= makeEntries(this.#rows);
    return this.#all;
  }
}

function makeEntries(rows: LayerRows): Map<string, LayerEntry[]> {
  const entries = new Map<string, LayerEntry[]>();
  const add = (key: string, entry: LayerEntry): void => {
    const list = entries.get(key);
    if (list === undefined) entries.set(key, [entry]);
    else list.push(entry);
  };
  for (const row of rows.list()) {
    const entry = unpackEntry(row, rows.showFile(row));
    add(row.name, entry);
    for (const alias of new Set(aliasesOf(row))) if (alias !== row.name) add(alias, entry);
  }
  return entries;
}

const NO_ALIASES: readonly string[] = [];

const aliasesOf = ({ kind, marks }: IndexedCommand): readonly string[] =>
  kind === "command" && marks !== "" ? marks.split(" ") : NO_ALIASES;

/** What a file or an entry of `commands.yaml` defines, as the index keeps it. */
export type IndexRecord = Omit<IndexedCommand, "file" | "stamp">;

const DEFAULTS_AS_JSON = new Map(
  Object.entries(SUMMARY_DEFAULTS).map(([field, value]) => [field, JSON.stringify(value)]),
);

export function packCommand(
  { name, description, ...summary }: CommandSummary,
  program: ProgramDefinition | null = null,
): IndexRecord {
  const stated = Object.entries(summary).filter(
    ([field, value]) => JSON.stringify(value) !== DEFAULTS_AS_JSON.get(field),
  );
  const rest = { ...Object.fromEntries(stated), ...(program === null ? {} : { program }) };
  const marks = summary.aliases.join(" ");
  return { name, kind: "command", marks, description, rest: JSON.stringify(rest) };
}

interface BrokenRecord {
  readonly fault: FaultReport;
  /** Nothing may run while this one cannot. */
  readonly isCritical: boolean;
  /** The reason may lie outside the file, so it is worth another try. */
  readonly isWorthRetrying: boolean;
  /** It took too long, as it may have done on a busy machine alone: it gets another try when it is called by its name. */
  readonly wasSlow?: boolean;
}

export function packBroken(name: string, broken: BrokenRecord): IndexRecord {
  const marks = [
    ...(broken.isCritical ? ["critical"] : []),
    ...(broken.isWorthRetrying ? ["retry"] : []),
    ...(broken.wasSlow ? ["slow"] : []),
  ].join(" ");
  const rest = JSON.stringify(withoutSecrets(broken.fault));
  return { name, kind: "broken", marks, description: "", rest };
}

/** The index is kept on disk, and what a file threw may hold what it found in the environment. */
function withoutSecrets({ message, hint, ...rest }: FaultReport): FaultReport {
  const mask = (text: string) => maskSecrets(text, secretValues(process.env));
  return { ...rest, message: mask(message), hint: hint === null ? null : mask(hint) };
}

export const packDisable = (name: string): IndexRecord => ({
  name,
  kind: "disable",
  marks: "",
  description: "",
  rest: "",
});

export const isCriticalBroken = ({ kind, marks }: IndexRecord): boolean =>
  kind === "broken" && marks.startsWith("critical");

export const isWorthRetrying = ({ kind, marks }: IndexRecord): boolean =>
  kind === "broken" && marks.endsWith("retry");

export const wasTooSlow = ({ kind, marks }: IndexRecord): boolean =>
  kind === "broken" && marks.endsWith("slow");

export function unpackEntry(row: IndexedCommand, file: string): LayerEntry {
  const { name, kind } = row;
  if (kind === "command") return new IndexedEntry(row, file);
  if (kind === "disable") return { kind: "disable", name, file };
  return { kind: "broken", name, file, fault: JSON.parse(row.rest) };
}

class IndexedEntry implements CommandEntry {
  readonly kind = "command";
  readonly name: string;
  readonly file: string;
  readonly #row: IndexedCommand;

  constructor(row: IndexedCommand, file: string) {
    this.name = row.name;
    this.file = file;
    this.#row = row;
  }

  get summary(): CommandSummary {
    const { name, description, rest } = this.#row;
    return { ...parseRest(rest).summary, name, description };
  }
}

/** What a command of `commands.yaml` starts. */
export const unpackProgram = ({ rest }: IndexedCommand): ProgramDefinition | null =>
  parseRest(rest).program;

interface ParsedRest {
  readonly summary: Omit<CommandSummary, "name" | "description">;
  readonly program: ProgramDefinition | null;
}

// Most commands of a layer say the same beside their description.
const parsedRests = new Map<string, ParsedRest>();

function parseRest(json: string): ParsedRest {
  const before = parsedRests.get(json);
  if (before !== undefined) return before;
  const { program = null, ...stated } = JSON.parse(json);
  const rest = { summary: { ...SUMMARY_DEFAULTS, ...stated }, program };
  parsedRests.set(json, rest);
  return rest;
}
