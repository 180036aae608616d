// The layers as one program sees them: loaded when first asked for, swapped whole by a reload.
import { basename, join } from "node:path";
import type { Command } from "../command/definition.ts";
import { type FaultReport, fault, formatFault } from "../command/fault.ts";
import {
  type Catalog,
  type CommandEntry,
  type Definition,
  listNames,
  type Resolution,
  resolveCommand,
} from "../command/registry.ts";
import { fingerprint } from "../project/fingerprint.ts";
import { describeTrustChange } from "../project/trust/inspect.ts";
import type { IndexedCommand } from "../store/command-index.ts";
import { findKind, withinLoadLimit } from "./command-file.ts";
import { type LayerRows, unpackProgram } from "./index/entries.ts";
import {
  type LayerContent,
  type LoadedLayers,
  type LoadRequest,
  loadLayers,
  reloadLayers,
  yamlFile,
} from "./layers.ts";
import { withOriginalPaths } from "./original-paths.ts";
import { explainUnknown, findUnreadFile, TRUST_HINT } from "./unknown-name.ts";

export interface ReloadReport {
  readonly kind: "reloaded" | "kept";
  readonly commands: number;
  readonly problems: readonly FaultReport[];
}

export interface ProgramCatalog extends Catalog {
  /** With a name, only as much as finding that command needs. */
  loaded(name?: string): Promise<LoadedLayers>;
  reload(): Promise<ReloadReport>;
}

export function createCatalog(request: Omit<LoadRequest, "name">): ProgramCatalog {
  let current: { readonly name: string | null; readonly layers: Promise<LoadedLayers> } | null =
    null;

  // What was loaded once stays, until a reload.
  const inUse = new Map<string, Command>();

  const loaded = (name?: string): Promise<LoadedLayers> => {
    const isEnough = current !== null && (current.name === null || current.name === name);
    if (current === null || !isEnough)
      current = {
        // A second name is a sign that more will follow.
        name: current === null ? (name ?? null) : null,
        layers: loadLayers(current === null && name !== undefined ? { ...request, name } : request),
      };
    return current.layers;
  };

  return {
    loaded,
    resolve: async (name) => {
      const layers = await loaded(name);
      const found = resolveCommand(layers.layers, name);
      if (found.kind === "unknown") explainUnknown(layers, name);
      return found;
    },
    load: async (entry, at) => {
      const key = keyOf(entry, at);
      const known = inUse.get(key);
      if (known !== undefined) return known;
      const command = await loadCommand(await loaded(entry.name), entry, at);
      inUse.set(key, command);
      return command;
    },
    reload: async () => {
      const before = await loaded();
      const reload = await reloadLayers(before);
      const commands = () => listNames(reload.loaded.layers).length;
      if (reload.kind === "kept")
        return { kind: "kept", commands: commands(), problems: reload.problems };
      const { keepLastGoodCommands } = await import("./last-good.ts");
      const { layers, kept, problems } = await keepLastGoodCommands(before, reload.loaded, {
        findUsed: (name, at) => inUse.get(keyOf({ name }, at)),
        loadOld: (entry, at) => loadFromIndex(before, entry, at),
      });
      current = { name: null, layers: Promise.resolve({ ...reload.loaded, layers }) };
      inUse.clear();
      for (const { entry, at, command } of kept) inUse.set(keyOf(entry, at), command);
      const warnings = [...reload.loaded.warnings, ...problems];
      return { kind: "reloaded", commands: commands(), problems: warnings };
    },
  };
}

const keyOf = ({ name }: Pick<CommandEntry, "name">, { layer, file }: Definition): string =>
  `${layer} ${file} ${name}`;

/** These say themselves what there is to say. */
const SILENT_COMMANDS: ReadonlySet<string> = new Set(["commands", "completion", "trust"]);

/** What a person should know before the command runs, a line each. */
export function noticesOf(loaded: LoadedLayers, found: Resolution): FaultReport[] {
  // Nobody may answer to a name because a file could not be read; where that file names it, it is the outcome itself.
  if (found.kind === "unknown") {
    const reason = findUnreadFile(loaded, found.name);
    return loaded.warnings.filter((warning) => warning !== reason);
  }
  if (found.kind === "found" && SILENT_COMMANDS.has(found.entry.name)) return [];
  return [...trustNotices(loaded), ...loaded.warnings, ...passedOverNotices(found)];
}

function passedOverNotices(found: Exclude<Resolution, { kind: "unknown" }>): FaultReport[] {
  // Of a broken command that is the outcome itself.
  if (found.kind === "broken") return [];
  const hint = `\`${found.entry.name}\` of the ${found.at.layer} layer runs instead`;
  return found.passedOver.map(({ fault: raised }) => ({
    ...raised,
    message: formatFault(raised),
    hint,
  }));
}

function trustNotices({ project: { trust } }: LoadedLayers): FaultReport[] {
  const notice = (message: string, hint = TRUST_HINT): FaultReport[] => [
    { class: "Trust", code: "Untrusted", message, hint },
  ];
  if (trust.kind === "untrusted")
    return notice("this project is not trusted, so its commands and settings do not count");
  const change = describeTrustChange(trust);
  if (change === null) return [];
  return notice(change, "problem" in trust ? trust.problem?.message : undefined);
}

// From an entry of the registry to a command that can run: this one file is loaded and no other.

export async function loadCommand(
  loaded: LoadedLayers,
  entry: CommandEntry,
  at: Definition,
): Promise<Command> {
  if (at.layer === "bundled") return loaded.request.bundled.load(entry);
  const content = loaded.contents.find(
    ({ source }) => source.layer === at.layer && source.plugin === at.plugin,
  );
  if (content === undefined) throw new TypeError(`no layer ${at.layer} for ${entry.name}`);
  const command = await (entry.file === yamlFile(content.source)
    ? loadProgram(loaded, content, entry)
    : loadFile(loaded, content, entry));
  const { boundary } = content.source;
  if (boundary === null) return command;
  return withOriginalPaths(command, { root: loaded.project.root, copyDir: boundary });
}

/** What the index itself holds of a command: a program is all there, a file's code is not. */
async function loadFromIndex(
  loaded: LoadedLayers,
  entry: CommandEntry,
  at: Definition,
): Promise<Command | null> {
  const isProgram = basename(entry.file) === "commands.yaml";
  return isProgram ? loadCommand(loaded, entry, at) : null;
}

async function loadProgram(
  { project, request }: LoadedLayers,
  { rows, source }: LayerContent,
  entry: CommandEntry,
): Promise<Command> {
  const row = findRow(rows, entry.name, "");
  const program = row === undefined ? null : unpackProgram(row);
  if (program === null) throw new TypeError(`no program for ${entry.name}`);
  const { programCommand } = await import("./program-command.ts");
  if (source.boundary === null) return programCommand(program, entry.summary);
  const { useTrustedCopy } = await import("./program-definition.ts");
  const context = { root: project.root, copyDir: source.boundary, workingDirectory: request.cwd };
  return programCommand(useTrustedCopy(program, context), entry.summary);
}

async function loadFile(
  { request, generation }: LoadedLayers,
  { rows, source }: LayerContent,
  entry: CommandEntry,
): Promise<Command> {
  const fileName = basename(entry.file);
  const path = join(source.commandsFolder, fileName);
  const kind = findKind(request.fileKinds, fileName);
  if (kind === null) throw new TypeError(`no loader for ${fileName}`);
  // Written to since the index was read: then it is checked like a new one.
  const isKnown = fingerprint(path) === findRow(rows, entry.name, fileName)?.stamp;
  const { libraryUrl } = request.runtime;
  const file = { source, path, name: entry.name, generation, libraryUrl };
  try {
    return await withinLoadLimit(entry.file, kind.load(file, isKnown ? entry.summary : null));
  } catch (error) {
    const { describeImport } = await import("./import-problem.ts");
    const reason = describeImport(error, { source, path, text: null });
    if (reason.class === "Trust") throw reason;
    throw fault(
      "CommandBroken",
      { name: entry.name, problem: reason.message },
      { ...(reason.hint === null ? {} : { hint: reason.hint }), cause: error },
    );
  }
}

const findRow = (rows: LayerRows, name: string, file: string): IndexedCommand | undefined =>
  (rows.find?.(name) ?? rows.list()).find((row) => row.name === name && row.file === file);
