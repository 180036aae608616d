// `hooks.yaml` as rules. Loads yaml and zod: on the path of a step its compiled form stands in for it.

import { isAbsolute, resolve } from "node:path";
import { nearestSteps } from "../../agents/steps/event-names.ts";
import { type Fault, formatWhere, type Where } from "../../core/command/fault.ts";
import { quoteNames, suggestNames } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { checkForm, fileFault } from "../../core/project/schema-problem.ts";
import { readArgv } from "../../core/project/trust/program-line.ts";
import { parseYaml, type YamlFile } from "../../core/project/yaml-file.ts";
import { STEPS } from "../../core/step/step.ts";
import type { RuleLayer } from "../../core/step/verdict.ts";
import { findNeverMatching } from "../match/never-matches.ts";
import { oneOrMany, toMatch } from "../match/read-match.ts";
import type { HookRule } from "../match/rule.ts";

import { HOOKS_SCHEMA, type HookEntry, readRunEntry } from "./schema.ts";

export interface HooksSource {
  /** As its owner knows it; every message says this one. */
  readonly file: string;
  readonly layer: RuleLayer;
  /** Where its programs are looked for; of a project in the trusted copy. */
  readonly folder: string;
  /** What a relative `cwd` starts from. */
  readonly workingFolder: string;
}

/** What one file says; plain data. */
export interface HooksForm {
  readonly rules: readonly HookRule[];
  readonly disable: readonly { readonly name: string; readonly where: string }[];
  readonly warnings: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Throws `FileInvalid` with the place of the first problem. */
export function parseHooksFile(text: string, source: HooksSource): HooksForm {
  const yaml = parseYaml(text, source.file);
  // An empty file, or one that is all comments.
  const value = yaml.value ?? {};
  refuseUnknownSteps(yaml, value);
  const { hooks = [], disable = [] } = checkForm(value, HOOKS_SCHEMA, yaml.at);
  const rules = hooks.map((entry, at) => toRule(entry, { yaml, at, source }));
  refuseOtherOfSameName(rules, (at) => yaml.at(["hooks", at, "name"]));
  return {
    rules,
    disable: disable.map((name, at) => ({ name, where: formatWhere(yaml.at(["disable", at])) })),
    warnings: rules.flatMap(warningOf),
  };
}

/** Before the schema, which would list all fourteen instead of the one that was meant. */
function refuseUnknownSteps(yaml: YamlFile, value: unknown): void {
  for (const [at, entry] of listIn(value, "hooks").entries()) {
    const on = partOf(entry, "on");
    const steps: readonly unknown[] = Array.isArray(on) ? on : [on];
    for (const [index, step] of steps.entries()) {
      if (typeof step !== "string" || STEPS.some((known) => known === step)) continue;
      const path = ["hooks", at, "on", ...(Array.isArray(on) ? [index] : [])];
      const nearest = nearestSteps(step);
      const known = quoteNames(STEPS);
      const hint = nearest.length === 0 ? `known are ${known}` : null;
      throw fileFault(`unknown step \`${step}\`${suggestNames(nearest)}`, yaml.at(path), hint);
    }
  }
}

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const found = partOf(value, key);
  return Array.isArray(found) ? found : [];
}

interface EntryPosition {
  readonly yaml: YamlFile;
  readonly at: number;
  readonly source: HooksSource;
}

function toRule(entry: HookEntry, { yaml, at, source }: EntryPosition): HookRule {
  const complain = (problem: string, path: readonly PropertyKey[], hint?: string): Fault =>
    fileFault(problem, yaml.at(["hooks", at, ...path], "key"), hint);
  if (entry.async === true && entry.on_error === "block")
    throw complain("an `async` handler decides nothing, so it cannot block", ["on_error"]);
  const on = oneOrMany(entry.on);
  const run = readRunEntry(entry, on, complain);
  const { line, column } = yaml.at(["hooks", at]);
  return {
    name: entry.name,
    on,
    match: toMatch(entry.match ?? {}),
    run,
    protocol: entry.protocol ?? "adjutant",
    timeoutMs: parseDuration(entry.timeout ?? "") ?? DEFAULT_TIMEOUT_MS,
    onError: entry.on_error ?? null,
    isStrict: entry.strict ?? false,
    isOnce: entry.once ?? false,
    isAsync: entry.async ?? false,
    isEnabled: entry.enabled ?? true,
    isUnpinned: entry.unpinned ?? false,
    cwd: entry.cwd === undefined ? null : resolve(source.workingFolder, entry.cwd),
    env: Object.fromEntries(
      Object.entries(entry.env ?? {}).map(([name, set]) => [name, String(set)]),
    ),
    inheritEnv: entry.inherit_env ?? false,
    layer: source.layer,
    file: source.file,
    folder: source.folder,
    line: line ?? 1,
    column: column ?? 1,
  };
}

/** An entry that is there twice counts once; two different ones of a name could not be told apart. */
function refuseOtherOfSameName(rules: readonly HookRule[], where: (at: number) => Where): void {
  const known = new Map<string, string>();
  for (const [at, rule] of rules.entries()) {
    const before = known.get(rule.name);
    if (before !== undefined && before !== ruleKey(rule))
      throw fileFault(`another entry is called \`${rule.name}\` too`, where(at));
    known.set(rule.name, ruleKey(rule));
  }
}

function warningOf(rule: HookRule): string[] {
  const reason = findNeverMatching(rule);
  const { file, line, column, name } = rule;
  if (reason === null) return [];
  return [`${formatWhere({ file, line, column })}: \`${name}\` can never match: ${reason}`];
}

/** The same for entries that do the same, whichever file they stand in. */
export function ruleKey(rule: HookRule): string {
  const { layer: _, file: __, line: ___, column: ____, folder, ...content } = rule;
  return JSON.stringify({ ...content, folder: usesFolder(rule) ? folder : null });
}

/** Two files may each have a `./guard` of their own. */
function usesFolder({ run }: HookRule): boolean {
  if (run.type === "argv") return hasRelative(run.argv) || hasRelative(run.argvWindows ?? []);
  if (run.type !== "shell" || typeof run.shell === "string") return false;
  return hasRelative([run.shell.program, ...run.shell.args]);
}

function hasRelative(argv: readonly string[]): boolean {
  let isFound = false;
  readArgv(argv, ({ path }) => {
    isFound ||= !isAbsolute(path);
    return null;
  });
  return isFound;
}
