// All layers of definitions for one place: the bundled ones, the user's plugins, the user, the project.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "../command/definition.ts";
import { Fault, type FaultReport, fault, reportFault } from "../command/fault.ts";
import {
  type CommandEntry,
  isCommandName,
  type Layer,
  type LayerEntry,
} from "../command/registry.ts";
import { statOf } from "../project/files.ts";
import { findProjectRoot, LAYER_FOLDER, type Paths } from "../project/paths.ts";
import { mergeSettings, type Settings, type SettingsFile } from "../project/settings.ts";
import { type InspectOptions, inspectTrust, type TrustState } from "../project/trust/inspect.ts";
import { type FileKind, fileNamesOf } from "./command-file.ts";
import { LayerEntries, type LayerRows, unpackEntry } from "./index/entries.ts";
import { currentIndex, type IndexQuery, type IndexRequest } from "./index/refresh.ts";
import {
  type LayerSource,
  pluginSources,
  projectSource,
  showFile,
  userSource,
} from "./layer-source.ts";
import { findPlugin, missingPlugins, type Plugin } from "./plugins.ts";
import type { Runtime } from "./runtime.ts";

/** The commands that come with the program. */
export interface Bundled {
  readonly layer: Layer;
  load(entry: CommandEntry): Promise<Command>;
}

export interface LoadRequest {
  readonly cwd: string;
  readonly paths: Paths;
  readonly runtime: Runtime;
  readonly bundled: Bundled;
  /** The kinds of command files that there are. */
  readonly fileKinds: readonly FileKind[];
  /** Where the project is not the one around `cwd`: inside an agent it is the one it was started in. */
  readonly root?: string;
  /** The one command that will be asked for. Files of others are then taken as the index knows them. */
  readonly name?: string;
}

export interface LoadedLayers {
  /** Lowest first. */
  readonly layers: readonly Layer[];
  /** Problems that concern nobody's command in particular. */
  readonly warnings: readonly FaultReport[];
  /** Those of them that cost a whole file or folder of commands. */
  readonly fileFaults: readonly FaultReport[];
  readonly settings: Settings;
  readonly plugins: readonly Plugin[];
  readonly project: { readonly root: string; readonly trust: TrustState };
  readonly contents: readonly LayerContent[];
  readonly request: LoadRequest;
  /** Counts reloads; each one imports modules anew. */
  readonly generation: number;
}

/** Throws a fault only for a broken command that is `critical`. */
export async function loadLayers(request: LoadRequest): Promise<LoadedLayers> {
  const { name } = request;
  if (name === undefined) return loadAll(request, { kind: "list" }, 0);
  const loaded = await loadAll(request, { kind: "name", name }, 0);
  if (loaded.layers.some((layer) => layer.entries.has(name))) return loaded;
  // A name that nobody answers to may have been written into a file since.
  return loadAll(request, { kind: "all" }, 0);
}

/** What counts here; a file of settings that cannot be read is a fault for whoever goes by them. */
export function requireSettings({ contents, settings }: LoadedLayers): Settings {
  for (const { settingsFault } of contents)
    if (settingsFault !== null)
      throw fault(
        "FileInvalid",
        { problem: settingsFault.message },
        settingsFault.hint === null ? {} : { hint: settingsFault.hint },
      );
  return settings;
}

type Reload =
  | { readonly kind: "reloaded"; readonly loaded: LoadedLayers }
  /** The new state lacks something that the old one has, for these reasons. */
  | {
      readonly kind: "kept";
      readonly loaded: LoadedLayers;
      readonly problems: readonly FaultReport[];
    };

/** Everything anew, or everything as it was. */
export async function reloadLayers(current: LoadedLayers): Promise<Reload> {
  try {
    const loaded = await loadAll(current.request, { kind: "all" }, current.generation + 1);
    const known = new Set(current.fileFaults.map(({ message }) => message));
    const problems = loaded.fileFaults.filter(({ message }) => !known.has(message));
    if (problems.length === 0) return { kind: "reloaded", loaded };
    return { kind: "kept", loaded: current, problems };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "kept", loaded: current, problems: [reportFault(error)] };
  }
}

async function loadAll(
  request: LoadRequest,
  wanted: IndexQuery,
  generation: number,
): Promise<LoadedLayers> {
  const { paths, runtime, fileKinds } = request;
  const root = request.root ?? findProjectRoot(request.cwd);
  const trust = await inspectTrust(root, paths.stateDir, hintOf(root, request));
  const read = (source: LayerSource): Promise<LayerContent> =>
    readLayerContent({ source, stateDir: paths.stateDir, runtime, fileKinds, wanted });
  const user = await read(userSource(paths.configDir));
  const project = "copyDir" in trust ? [await read(projectSource(root, trust.copyDir))] : [];
  const settings = mergeSettings(user.settings, project[0]?.settings ?? {});
  const { plugins, faults } = findPlugins(settings, paths.configDir);
  const ofPlugins = await Promise.all(plugins.flatMap(pluginSources).map(read));
  const contents = [...ofPlugins, user, ...project];
  refuseCritical(contents);
  const fileFaults = contents.flatMap((content) => content.faults);
  return {
    layers: [request.bundled.layer, ...contents.map(({ layer }) => layer)],
    warnings: [...fileFaults, ...faults],
    fileFaults,
    settings,
    plugins,
    project: { root, trust },
    contents,
    request,
    generation,
  };
}

/** The file whose change a person would wonder about when this command then runs as it was. */
function hintOf(root: string, { name, fileKinds }: LoadRequest): InspectOptions {
  if (name === undefined || !isCommandName(name)) return {};
  const folder = join(root, LAYER_FOLDER, "commands");
  const files = fileNamesOf(fileKinds, name).map((fileName) => join(folder, fileName));
  const file = files.find((path) => statOf(path, lstatSync) !== null);
  return file === undefined ? {} : { file };
}

function findPlugins(
  settings: Settings,
  configDir: string,
): { plugins: Plugin[]; faults: FaultReport[] } {
  const plugins: Plugin[] = [];
  const faults = missingPlugins(settings.requiresPlugins, settings.plugins).map(reportFault);
  for (const name of settings.plugins) {
    try {
      plugins.push(findPlugin(name, configDir));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      faults.push(reportFault(error));
    }
  }
  return { plugins, faults };
}

function refuseCritical(contents: readonly LayerContent[]): void {
  for (const { critical } of contents)
    if (critical?.kind === "broken")
      throw fault(
        "CommandBroken",
        { name: critical.name, problem: critical.fault.message },
        { hint: "it is `critical`, so nothing runs without it: repair it or remove it" },
      );
}

/** One layer as the registry sees it, with what is needed to load its commands later. */
export interface LayerContent {
  readonly source: LayerSource;
  readonly layer: Layer;
  readonly rows: LayerRows;
  readonly settings: SettingsFile;
  /** Why the settings count for nothing; null where they count. */
  readonly settingsFault: FaultReport | null;
  /** What is wrong with whole files and folders. */
  readonly faults: readonly FaultReport[];
  /** Broken, and nothing may run without it. */
  readonly critical: LayerEntry | null;
}

async function readLayerContent(request: IndexRequest): Promise<LayerContent> {
  const { source } = request;
  const { rows: found, critical, settings, settingsFault, faults } = await currentIndex(request);
  const folder = showFile(source, source.commandsFolder);
  const yaml = yamlFile(source);
  const rows: LayerRows = {
    ...found,
    showFile: ({ file }) => (file === "" ? yaml : `${folder}/${file}`),
  };
  return {
    source,
    layer: { name: source.layer, plugin: source.plugin, entries: new LayerEntries(rows) },
    rows,
    settings,
    settingsFault,
    faults: [...faults, ...findMisnamed(source)],
    critical: critical === null ? null : unpackEntry(critical, rows.showFile(critical)),
  };
}

/** Not read, so a guard or a command in it would be missing without a word. */
function findMisnamed({ folder, shown, hasYaml }: LayerSource): FaultReport[] {
  const names = hasYaml ? ["commands", "config", "hooks"] : [];
  return names
    .filter((name) => statOf(join(folder, `${name}.yml`), lstatSync) !== null)
    .map((name) =>
      reportFault(
        fault(
          "FileInvalid",
          { problem: `it is not read: the file is called \`${name}.yaml\`` },
          { where: { file: join(shown, `${name}.yml`) }, hint: "rename it" },
        ),
      ),
    );
}

export const yamlFile = (source: LayerSource): string => join(source.shown, "commands.yaml");
