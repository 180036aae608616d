// Reads all hooks files of a place. Loads yaml and zod, so it is loaded only when one of them changed.
import { dirname, join } from "node:path";
import { Fault, formatFault, formatWhere } from "../command/fault.ts";
import { fingerprint } from "../config/fingerprint.ts";
import { LAYER_FOLDER } from "../config/project-root.ts";
import { readText } from "../config/read-text.ts";
import { parseSettings } from "../config/settings-file.ts";
import { findPlugin, type Plugin } from "../load/plugins.ts";
import { assembleSet, type RankedForm } from "./assemble-set.ts";
import type { CompiledOf, CompiledSet } from "./compiled-set.ts";
import { type HooksForm, type HooksSource, parseHooksFile } from "./hooks-file.ts";
import { isForm, isNames, keepLastGood } from "./last-good.ts";
import type { HookSet } from "./rule.ts";

interface HooksFile {
  readonly rank: RankedForm["rank"];
  /** By which its last good form is found again. */
  readonly id: string;
  readonly path: string;
  readonly source: HooksSource;
}

/** What is collected on the way. */
interface Compiling {
  readonly of: CompiledOf;
  readonly stamps: Map<string, string | null>;
  readonly warnings: string[];
  readonly broken: HookSet["broken"][number][];
}

export function compileHooks(of: CompiledOf): CompiledSet {
  const compiling: Compiling = { of, stamps: new Map(), warnings: [], broken: [] };
  const forms = [
    ...projectFiles(of).flatMap((file) => readForm(compiling, file)),
    ...readPlugins(compiling).flatMap((name) => readPluginForm(compiling, name)),
    ...readForm(compiling, userFile(of)),
  ];
  const { rules, warnings } = assembleSet(forms);
  const ofForms = forms.flatMap(({ form }) => form.warnings);
  return {
    stamps: Object.fromEntries(compiling.stamps),
    set: {
      rules,
      broken: compiling.broken,
      warnings: [...compiling.warnings, ...ofForms, ...warnings],
    },
  };
}

function projectFiles({ root, copyDir }: CompiledOf): HooksFile[] {
  if (copyDir === null) return [];
  const folder = join(copyDir, LAYER_FOLDER);
  const workingFolder = join(root, LAYER_FOLDER);
  const file = join(workingFolder, "hooks.yaml");
  const source = { file, layer: "project", folder, workingFolder } as const;
  return [{ rank: "project", id: file, path: join(folder, "hooks.yaml"), source }];
}

function userFile({ configDir }: CompiledOf): HooksFile {
  const file = join(configDir, "hooks.yaml");
  const source = { file, layer: "user", folder: configDir, workingFolder: configDir } as const;
  return { rank: "user", id: file, path: file, source };
}

/** Looked at before it is read, so that what is written in between is noticed next time. */
function stamp({ stamps }: Compiling, path: string): void {
  stamps.set(path, fingerprint(path));
}

function readForm(compiling: Compiling, file: HooksFile): RankedForm[] {
  const { rank, id, path, source } = file;
  const good = keepLastGood(compiling.of.stateDir, isForm);
  stamp(compiling, path);
  try {
    const text = readText(path, source.file);
    if (text === null) {
      good.forget(id);
      return [];
    }
    const form = parseHooksFile(text, source);
    good.write(id, form);
    return [{ rank, form }];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const form = good.read(id);
    return form === null
      ? noteBroken(compiling, file, error)
      : [keepForm(compiling, { rank, form }, error)];
  }
}

function keepForm({ warnings }: Compiling, kept: RankedForm, raised: Fault): RankedForm {
  warnings.push(`${formatFault(raised)}; until it is repaired, what it last said stays in force`);
  return kept;
}

function noteBroken({ broken }: Compiling, { source }: HooksFile, raised: Fault): RankedForm[] {
  const where = formatWhere(raised.where ?? { file: source.file });
  const told = formatFault(raised);
  const problem = told.startsWith(`${where}: `) ? told.slice(where.length + 2) : told;
  broken.push({ where, problem });
  return [];
}

/** Which plugins the user enabled; nobody else can. */
function readPlugins(compiling: Compiling): readonly string[] {
  const { configDir, stateDir } = compiling.of;
  const file = join(configDir, "config.yaml");
  const good = keepLastGood(stateDir, isNames);
  const id = `plugins:${configDir}`;
  stamp(compiling, file);
  try {
    const text = readText(file);
    const { plugins = [] } = text === null ? {} : parseSettings(text, { file, scope: "user" });
    good.write(id, plugins);
    return plugins;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const known = good.read(id) ?? [];
    if (known.length > 0)
      compiling.warnings.push(`${formatFault(error)}; the hooks of your plugins stay in force`);
    return known;
  }
}

function readPluginForm(compiling: Compiling, name: string): RankedForm[] {
  const { configDir, stateDir } = compiling.of;
  stamp(compiling, join(configDir, "node_modules", name, "package.json"));
  const id = `plugin:${name}`;
  try {
    const plugin = findPlugin(name, configDir);
    stamp(compiling, join(plugin.folder, "package.json"));
    return pluginFiles(plugin, id).flatMap((file) => readForm(compiling, file));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const form: HooksForm | null = keepLastGood(stateDir, isForm).read(id);
    if (form !== null) return [keepForm(compiling, { rank: "plugin", form }, error)];
    compiling.warnings.push(formatFault(error));
    return [];
  }
}

function pluginFiles({ hooksFile }: Plugin, id: string): HooksFile[] {
  if (hooksFile === null) return [];
  const folder = dirname(hooksFile);
  const source = { file: hooksFile, layer: "user", folder, workingFolder: folder } as const;
  return [{ rank: "plugin", id, path: hooksFile, source }];
}
