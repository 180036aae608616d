// After a reload: a command whose file no longer loads stays as it was, as far as its code is still at hand.
import type { Command } from "../command/definition.ts";
import { type FaultReport, formatFault } from "../command/fault.ts";
import type {
  BrokenEntry,
  CommandEntry,
  Definition,
  Layer,
  LayerEntry,
} from "../command/registry.ts";
import type { LoadedLayers } from "./layers.ts";

interface KeptCommand {
  readonly entry: CommandEntry;
  readonly at: Definition;
  readonly command: Command;
}

export interface LastGood {
  /** The new layers, with what is kept of the old ones. */
  readonly layers: readonly Layer[];
  readonly kept: readonly KeptCommand[];
  /** Why each of them is kept, or lost. */
  readonly problems: readonly FaultReport[];
}

interface KnownCode {
  /** The code of a command that was used before. */
  findUsed(name: string, at: Definition): Command | undefined;
  /** Of one that was not; null where nobody has its code. */
  loadOld(entry: CommandEntry, at: Definition): Promise<Command | null>;
}

export async function keepLastGoodCommands(
  before: LoadedLayers,
  after: LoadedLayers,
  known: KnownCode,
): Promise<LastGood> {
  const kept: KeptCommand[] = [];
  const problems: FaultReport[] = [];
  const layers: Layer[] = [];
  for (const layer of after.layers) {
    const stays: CommandEntry[] = [];
    for (const broken of listBroken(layer)) {
      const { name, file } = broken;
      const at = { layer: layer.name, plugin: layer.plugin, file };
      const used = known.findUsed(name, at);
      const old = used === undefined ? findOld(before, layer, broken) : null;
      if (used === undefined && old === null) continue;
      const command = used ?? (old === null ? null : await known.loadOld(old, at));
      problems.push(describe(broken, command !== null));
      if (command === null) continue;
      const entry: CommandEntry = { kind: "command", name, file, summary: command.summary };
      kept.push({ entry, at, command });
      stays.push(entry);
    }
    layers.push(stays.length === 0 ? layer : withEntries(layer, stays));
  }
  return { layers, kept, problems };
}

/** A definition that is doubled is no file that fails to load. */
function listBroken({ entries }: Layer): BrokenEntry[] {
  return [...entries].flatMap(([, [first, ...rivals]]) =>
    first?.kind === "broken" && rivals.length === 0 ? [first] : [],
  );
}

function findOld(
  { layers }: LoadedLayers,
  { name: layerName, plugin }: Layer,
  { name, file }: BrokenEntry,
): CommandEntry | null {
  const layer = layers.find((one) => one.name === layerName && one.plugin === plugin);
  const entry = layer?.entries.get(name)?.find((one) => one.file === file && one.name === name);
  return entry?.kind === "command" ? entry : null;
}

function withEntries(layer: Layer, stays: readonly CommandEntry[]): Layer {
  const entries = new Map<string, readonly LayerEntry[]>(layer.entries);
  for (const entry of stays)
    for (const name of [entry.name, ...entry.summary.aliases])
      if (name === entry.name || !entries.has(name)) entries.set(name, [entry]);
  return { ...layer, entries };
}

const describe = ({ name, fault }: BrokenEntry, isKept: boolean): FaultReport => ({
  ...fault,
  message: formatFault(fault),
  hint: isKept
    ? `\`${name}\` stays as it was until its file loads again`
    : `\`${name}\` was not used before, so nothing of it is left to go on with`,
});
