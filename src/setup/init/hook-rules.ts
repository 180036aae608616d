// Rules in a hooks file: which are there, and how more are put behind them. Comments and order of what is there stay.
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { asList } from "../../agents/log/json-fields.ts";
import { Fault } from "../../core/command/fault.ts";
import { readText, refuseLinks, replaceFile, storeFault } from "../../core/project/files.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { findDefinitions } from "../../core/project/trust/definitions.ts";
import { pinDefinitions } from "../../core/project/trust/pins.ts";
import { parseYaml } from "../../core/project/yaml-file.ts";

/** As it is written. */
export type RuleEntry = Readonly<Record<string, unknown>>;

/** Throws `FileInvalid`. */
export function listRules(file: string): RuleEntry[] {
  const { value } = parseYaml(readText(file) ?? "", file);
  return asList(asRecord(value).hooks).map(asRecord);
}

/** Under whatever name, switched off or not. */
export const isRuleThere = (rules: readonly RuleEntry[], { on, run }: RuleEntry): boolean =>
  rules.some((rule) => isDeepStrictEqual(rule.on, on) && isDeepStrictEqual(rule.run, run));

interface HeldRule {
  readonly entry: RuleEntry;
  /** Files of the project that it runs, by their whole path. */
  readonly runs: readonly string[];
}

/**
 * What trust would hold of it. A guard that runs more than that says so by `unpinned`, or the whole project could not be
 * trusted any more. Without a root it is a person's own, and nothing is held.
 */
export async function holdStill(entry: RuleEntry, root: string | null): Promise<HeldRule> {
  if (root === null) return { entry, runs: [] };
  const runs = new Set<string>();
  const read = (path: string): string | null => {
    const text = readText(join(root, path));
    if (text !== null) runs.add(join(root, path));
    return text;
  };
  const text = await printRules([entry]);
  const source = new Map([[`${LAYER_FOLDER}/hooks.yaml`, `hooks:\n${text}`]]);
  try {
    const definitions = await findDefinitions(root, source);
    pinDefinitions(definitions, { root, pin: read, watch: (path) => read(path) !== null });
    return { entry, runs: [...runs] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { entry: { ...entry, unpinned: true }, runs: [...runs] };
  }
}

export async function addRules(
  file: string,
  entries: readonly RuleEntry[],
  { root, before }: { readonly root: string; readonly before: string },
): Promise<void> {
  refuseLinks(root, file);
  const text = await withRules(readText(file) ?? before, entries, file);
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, text, statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644);
  } catch (error) {
    throw storeFault(file, error);
  }
}

/** Written behind what is there; only where that does not come to the same is the whole file written anew. */
async function withRules(
  before: string,
  entries: readonly RuleEntry[],
  file: string,
): Promise<string> {
  const value = asRecord(parseYaml(before, file).value);
  const wanted = { ...value, hooks: [...asList(value.hooks), ...entries] };
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  const key = value.hooks === undefined ? "hooks:\n" : "";
  const appended = `${start}${key}${await printRules(entries)}`;
  if (isDeepStrictEqual(readAgain(appended, file), wanted)) return appended;
  const { parseDocument } = await import("yaml");
  const document = parseDocument(before);
  document.set("hooks", document.createNode(wanted.hooks));
  return document.toString({ lineWidth: 0 });
}

function readAgain(text: string, file: string): unknown {
  try {
    return parseYaml(text, file).value;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return null;
  }
}

/** As items of a list that stands two columns in; what is run and matched in a line each. */
async function printRules(entries: readonly RuleEntry[]): Promise<string> {
  const { Document, isCollection } = await import("yaml");
  const document = new Document(entries);
  for (const at of entries.keys())
    for (const key of ["match", "run"]) {
      const node = document.getIn([at, key], true);
      if (isCollection(node)) node.flow = true;
    }
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  return text.replaceAll(/^(?=.)/gm, "  ");
}
