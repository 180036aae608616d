// Layers of definitions and how one name is found in them. Pure: a layer is data, filled by `load/`.
import type { Command, CommandSummary } from "./definition.ts";
import type { FaultReport } from "./fault.ts";
import { nearestNames } from "./names.ts";

/** A command of a later layer hides those of its name in earlier ones. */
export const LAYERS = ["bundled", "plugin", "user", "project"] as const;
export type LayerName = (typeof LAYERS)[number];

export interface CommandEntry {
  readonly kind: "command";
  readonly name: string;
  readonly file: string;
  readonly summary: CommandSummary;
}
export interface BrokenEntry {
  readonly kind: "broken";
  readonly name: string;
  readonly file: string;
  readonly fault: FaultReport;
}
interface DisableEntry {
  readonly kind: "disable";
  readonly name: string;
  readonly file: string;
}
export type LayerEntry = CommandEntry | BrokenEntry | DisableEntry;

export interface Layer {
  readonly name: LayerName;
  /** The npm package, for a plugin. */
  readonly plugin: string | null;
  /** Every entry, under its name and under each of its aliases. */
  readonly entries: LayerEntryMap;
}

export type LayerEntryMap = Pick<
  ReadonlyMap<string, readonly LayerEntry[]>,
  "get" | "has" | "size" | "keys" | typeof Symbol.iterator
>;

export interface Definition {
  readonly layer: LayerName;
  readonly plugin: string | null;
  readonly file: string;
}

export type Resolution =
  | {
      readonly kind: "found";
      readonly entry: CommandEntry;
      readonly at: Definition;
      /** Lower definitions of the same name that this one hides. */
      readonly hides: readonly Definition[];
      /** Higher definitions that could not be used and were passed over. */
      readonly passedOver: readonly BrokenEntry[];
    }
  | { readonly kind: "broken"; readonly name: string; readonly passedOver: readonly BrokenEntry[] }
  | { readonly kind: "unknown"; readonly name: string; readonly suggestions: readonly string[] };

/** Where a program finds its commands. */
export interface Catalog {
  /** Finds a name in the layers; a name of an untrusted project is a `Trust` fault. */
  resolve(name: string): Promise<Resolution>;
  /** Loads the one file behind an entry. */
  load(entry: CommandEntry, at: Definition): Promise<Command>;
}

export function layerOf(
  name: LayerName,
  entries: Iterable<LayerEntry>,
  plugin: string | null = null,
): Layer {
  const byName = new Map<string, LayerEntry[]>();
  for (const entry of entries) {
    const keys = entry.kind === "command" ? [entry.name, ...entry.summary.aliases] : [entry.name];
    for (const key of new Set(keys)) {
      const list = byName.get(key);
      if (list) list.push(entry);
      else byName.set(key, [entry]);
    }
  }
  return { name, plugin, entries: byName };
}

/** Two definitions of one name or alias within a layer: both are refused, other names are not affected. */
function settle(layer: Layer, name: string): LayerEntry | null {
  const entries = layer.entries.get(name);
  const first = entries?.[0];
  if (entries === undefined || first === undefined) return null;
  if (entries.length > 1) return clashOf(name, entries);
  // Behind an alias too, a definition that is refused stays refused.
  const rivals = first.name === name ? [] : (layer.entries.get(first.name) ?? []);
  return rivals.length > 1 ? clashOf(first.name, rivals) : first;
}

function clashOf(name: string, entries: readonly LayerEntry[]): BrokenEntry {
  const files = [...new Set(entries.map((entry) => entry.file))];
  return {
    kind: "broken",
    name,
    file: files[0] ?? "",
    fault: {
      class: "Config",
      code: "NameClash",
      message: `\`${name}\` is defined more than once: ${files.join(", ")}`,
      hint: "keep one of them",
    },
  };
}

/** An alias goes with its command: where a higher layer shadows or disables that, the alias is gone. */
function isAliasOfHidden(higher: readonly Layer[], name: string, entry: LayerEntry): boolean {
  if (entry.kind !== "command" || entry.name === name) return false;
  return higher.some((layer) => {
    const above = settle(layer, entry.name);
    return above !== null && above.kind !== "broken";
  });
}

type Found = Exclude<Resolution, { kind: "unknown" }>;

const NOTHING: readonly never[] = [];

function findCommand(layers: readonly Layer[], name: string): Found | null {
  // Of ten thousand commands hardly one hides another: they share one empty list.
  let passedOver: readonly BrokenEntry[] = NOTHING;
  let hides: readonly Definition[] = NOTHING;
  let found: { entry: CommandEntry; at: Definition } | null = null;
  for (let level = layers.length - 1; level >= 0; level--) {
    const layer = layers[level];
    const entry = layer === undefined ? null : settle(layer, name);
    if (layer === undefined || entry === null) continue;
    if (entry.name !== name && isAliasOfHidden(layers.slice(level + 1), name, entry)) continue;
    if (entry.kind === "disable") break;
    const at = { layer: layer.name, plugin: layer.plugin, file: entry.file };
    if (found !== null) hides = [...hides, at];
    else if (entry.kind === "broken") passedOver = [...passedOver, entry];
    else found = { entry, at };
  }
  if (found !== null) return { kind: "found", ...found, hides, passedOver };
  return passedOver.length > 0 ? { kind: "broken", name, passedOver } : null;
}

/** Layers are given lowest first. */
export function resolveCommand(layers: readonly Layer[], name: string): Resolution {
  const found = findCommand(layers, name);
  if (found !== null) return found;
  const names = listNames(layers).filter((other) => findCommand(layers, other) !== null);
  return { kind: "unknown", name, suggestions: nearestNames(name, names) };
}

/** Every name that is defined somewhere, aliases left out, in alphabetical order. */
export const listNames = (layers: readonly Layer[]): string[] =>
  [...surveyNames(layers).keys()].sort();

/** Names with what they stand for, where one look is enough: null where layers or entries compete. */
function surveyNames(layers: readonly Layer[]): Map<string, Found | null> {
  const names = new Map<string, Found | null>();
  const contested = new Set<string>();
  for (const layer of layers)
    for (const [name, entries] of layer.entries) {
      const only = entries.length === 1 ? entries[0] : undefined;
      const isPlain = only?.kind === "command" && only.name === name && !contested.has(name);
      if (isPlain && !names.has(name)) names.set(name, foundAlone(layer, only));
      else if (names.has(name) || entries.some((entry) => defines(entry, name)))
        names.set(name, null);
      else contested.add(name);
    }
  return names;
}

const defines = (entry: LayerEntry, name: string): boolean =>
  entry.name === name && entry.kind !== "disable";

function foundAlone({ name: layer, plugin }: Layer, entry: CommandEntry): Found {
  const at = { layer, plugin, file: entry.file };
  return { kind: "found", entry, at, hides: NOTHING, passedOver: NOTHING };
}

export function listCommands(layers: readonly Layer[]): Found[] {
  const names = surveyNames(layers);
  return [...names.keys()]
    .sort()
    .map((name) => names.get(name) ?? findCommand(layers, name))
    .filter((found) => found !== null);
}

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

export const isCommandName = (text: string): boolean => NAME.test(text);

/**
 * Words of the program that no layer can define, shadow or disable.
 * The bundled commands that are not here (`model`, `help`, …) may be shadowed like any other.
 */
export const PROGRAM_WORDS: ReadonlySet<string> = new Set([
  "acp",
  "agent",
  "answer",
  "bench",
  "completion",
  "config",
  "console",
  "doctor",
  "explain",
  "hook",
  "hooks",
  "import",
  "init",
  "install",
  "log",
  "mcp",
  "new",
  "prune",
  "questions",
  "resident",
  "run",
  "runs",
  "send",
  "serve",
  "sim",
  "sync",
  "tour",
  "trust",
  "ui",
  "uninstall",
]);
