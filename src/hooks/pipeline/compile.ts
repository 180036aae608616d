// Reads all hooks files that count for a project. Loads yaml and zod, so it is loaded only when one of them changed.
import { dirname, join } from "node:path";
import { Fault, formatFault, formatWhere } from "../../core/command/fault.ts";
import { parseDuration } from "../../core/command/time.ts";
import { findPlugin, type Plugin } from "../../core/load/plugins.ts";
import { readText } from "../../core/project/files.ts";
import { fingerprint } from "../../core/project/fingerprint.ts";
import { isTextList } from "../../core/project/json-value.ts";
import type { Stamps } from "../../core/project/kept-value.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { parseSettings } from "../../core/project/settings-file.ts";
import type { HookRule, HookSet } from "../match/rule.ts";
import { type HooksForm, type HooksSource, parseHooksFile, ruleKey } from "./file.ts";
import { type CompiledOf, isForm, keepLastGood } from "./kept-forms.ts";

interface CompiledSet {
  /** Every file it depends on as it was. */
  readonly stamps: Stamps;
  readonly set: HookSet;
}

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
  const { plugins, holdMs } = readUserSettings(compiling);
  const forms = [
    ...projectFiles(of).flatMap((file) => readForm(compiling, file)),
    ...plugins.flatMap((name) => readPluginForm(compiling, name)),
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
      ...(holdMs === null ? {} : { holdMs }),
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
  const hint = "until it is repaired, what it last said stays in force";
  warnings.push(formatFault({ message: formatFault(raised), hint }));
  return kept;
}

function noteBroken({ broken }: Compiling, { source }: HooksFile, raised: Fault): RankedForm[] {
  const where = formatWhere(raised.where ?? { file: source.file });
  const told = formatFault(raised);
  const problem = told.startsWith(`${where}: `) ? told.slice(where.length + 2) : told;
  broken.push({ where, problem });
  return [];
}

interface UserSettings {
  /** Which the user enabled; nobody else can. */
  readonly plugins: readonly string[];
  readonly holdMs: number | null;
}

function readUserSettings(compiling: Compiling): UserSettings {
  const { configDir, stateDir } = compiling.of;
  const file = join(configDir, "config.yaml");
  const good = keepLastGood(stateDir, isTextList);
  const id = `plugins:${configDir}`;
  stamp(compiling, file);
  try {
    const text = readText(file);
    const settings = text === null ? {} : parseSettings(text, { file, scope: "user" });
    const { plugins = [], inbox } = settings;
    good.write(id, plugins);
    return { plugins, holdMs: parseDuration(inbox?.hold ?? "") };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const known = good.read(id) ?? [];
    if (known.length > 0)
      compiling.warnings.push(`${formatFault(error)}; the hooks of your plugins stay in force`);
    return { plugins: known, holdMs: null };
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

// Several hooks files as one pipeline: who comes when, what counts once, what may be switched off by whom. Pure.

/** From least to most trusted, which is also the order in which they run. */
const RANKS = ["project", "plugin", "user"] as const;

interface RankedForm {
  readonly rank: (typeof RANKS)[number];
  readonly form: HooksForm;
}

interface AssembledSet {
  readonly rules: readonly HookRule[];
  readonly warnings: readonly string[];
}

interface Ranked {
  readonly rule: HookRule;
  readonly of: RankedForm;
}

/** Forms in the order in which they run. */
function assembleSet(forms: readonly RankedForm[]): AssembledSet {
  const all = forms.flatMap((of) => of.form.rules.map((rule): Ranked => ({ rule, of })));
  const counted = countOnce(all);
  const disabled = forms.flatMap((of) =>
    of.form.disable.map((named) => ({ ...named, of, found: findByName(counted, named.name) })),
  );
  const off = new Set(
    disabled.flatMap(({ of, found }) => found.filter((one) => mayDisable(of, one.of))),
  );
  return {
    rules: counted.filter((one) => !off.has(one)).map(({ rule }) => rule),
    warnings: disabled.flatMap(({ name, where, of, found }) => {
      if (found.length === 0) return [`${where}: no hook is called \`${name}\``];
      if (found.some((one) => mayDisable(of, one.of))) return [];
      return [`${where}: \`${name}\` is not this file's to switch off; it stays in force`];
    }),
  };
}

const findByName = (all: readonly Ranked[], name: string): Ranked[] =>
  all.filter(({ rule }) => rule.name === name);

/** A plugin's word counts for itself, not for other plugins, and never for the user's own file. */
const mayDisable = (by: RankedForm, of: RankedForm): boolean =>
  by === of || RANKS.indexOf(by.rank) > RANKS.indexOf(of.rank);

/** Of equal entries the most trusted stays, which nobody below it can switch off. */
function countOnce(all: readonly Ranked[]): Ranked[] {
  const seen = new Set<string>();
  return all
    .toReversed()
    .filter(({ rule }) => {
      const key = ruleKey(rule);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .reverse();
}
