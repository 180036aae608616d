// Which blocking guards were in force at the last good look, in a file beside the client: a fault of the state or
// configuration folder cannot take it away. The client, a shell script, reads it too: fields between tabs, a line each.
//   adjutant · 1 · VERSION      say · KEY · sentence      quiet · AGENT      project · AGENT · VARIABLE
//   limit · AGENT · EVENT · seconds      deny · AGENT · EVENT · answer
//   set · CONFIG · ROOT · steps · files      guard · AGENT · EVENT · CONFIG · ROOT
import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../core/command/version.ts";
import { fileErrorCode, readLinkedFile, statOf } from "../../core/project/files.ts";
import type { Paths } from "../../core/project/paths.ts";
import { findLostGuards } from "../../core/project/trust/guards.ts";
import { STEP_RULES, type StepName } from "../../core/step/step.ts";
import type { HookRule, HookSet } from "../match/rule.ts";

export const clientFolder = (dataDir: string): string => join(dataDir, "client");

export const MARKER_NAME = "guards";

export const markerFile = (dataDir: string): string => join(clientFolder(dataDir), MARKER_NAME);

export const MARKER_HEAD = `adjutant\t1\t${VERSION}\n`;

/** Where a guard counts that belongs to no project. */
export const EVERYWHERE = "*";

/** What stands in an answer for the sentence that says what is wrong. */
export const REASON_MARK = "%REASON%";

/** What ends the sentence of every refusal for a fault of our own. */
export const IN_FORCE = "guards are in force here, so it did not run";

/** The same where the marker cannot be read. */
export const MAY_BE_IN_FORCE = "guards may be in force here, so it did not run";

/** The marker's text, empty where there is none; null where it cannot be read: then nobody knows what is in force. */
export function readMarker(dataDir: string): string | null {
  try {
    return readLinkedFile(markerFile(dataDir)).toString("utf8");
  } catch (error) {
    return fileErrorCode(error) === "ENOENT" && !isLost(dataDir) ? "" : null;
  }
}

/** It leads to a place that is not there now, like a disk. */
const isLost = (dataDir: string): boolean =>
  [dataDir, clientFolder(dataDir), markerFile(dataDir)].some(
    (path) => statOf(path, lstatSync)?.isSymbolicLink() === true && !existsSync(path),
  );

export interface MarkedSet {
  readonly configDir: string;
  /** The project's, or everywhere. */
  readonly root: string;
  /** `before_tool=* before_prompt=codex,gemini`; empty where nothing blocks. */
  readonly steps: string;
  /** The files of the configuration that put them in force, between commas; of a project none. */
  readonly files: string;
}

/** The user's guards count everywhere, a project's in the project. */
export function markedSets(set: HookSet, configDir: string, root: string): MarkedSet[] {
  const ofProject = set.rules.filter(({ layer }) => layer === "project");
  const ofUser = set.rules.filter(({ layer }) => layer !== "project");
  return [
    { configDir, root: EVERYWHERE, steps: summarize(ofUser), files: listFiles(ofUser, configDir) },
    { configDir, root, steps: summarize(ofProject), files: "" },
  ].filter(({ root: where }) => isOneField(configDir) && isOneField(where));
}

/** A plugin's count because the settings name it. */
function listFiles(rules: readonly HookRule[], configDir: string): string {
  const blocking = rules.filter((rule) => rule.on.some((step) => isBlockingRule(rule, step)));
  const own = join(configDir, HOOKS_FILE);
  const names = blocking.map(({ file }) => (file === own ? HOOKS_FILE : SETTINGS_FILE));
  return [...new Set(names)].sort().join(",");
}

const HOOKS_FILE = "hooks.yaml";
const SETTINGS_FILE = "config.yaml";

/**
 * The user's guards that blocked at the last good look and whose file, or all of the configuration, is not there now. To
 * remove a file is no way to switch them off: whoever means it says so by installing again.
 */
export function findGoneGuards(dataDir: string, configDir: string): HookSet["broken"] {
  if (![HOOKS_FILE, SETTINGS_FILE].some((name) => isGone(join(configDir, name)))) return [];
  const marker = readMarker(dataDir);
  if (marker === null) return [{ where: markerFile(dataDir), problem: UNREAD }];
  const ofUser = linesOf(marker, "set").filter(([, root]) => root === EVERYWHERE);
  if (isGone(configDir))
    return ofUser.length === 0 ? [] : [{ where: configDir, problem: describeGone("folder") }];
  const [, , , files = ""] = ofUser.find(([config]) => config === configDir) ?? [];
  return [HOOKS_FILE, SETTINGS_FILE]
    .filter((name) => files.split(",").includes(name) && isGone(join(configDir, name)))
    .map((name) => ({ where: join(configDir, name), problem: describeGone("file") }));
}

/** The same of a project: what a person approved of it is there, but its hooks can no longer be read from that. */
export function findLostApproval(
  dataDir: string,
  { configDir, stateDir }: Paths,
  root: string,
): HookSet["broken"] {
  const where = findLostGuards(root, stateDir);
  const marker = where === null ? "" : readMarker(dataDir);
  const isMarked = ([config, at, steps]: readonly string[]): boolean =>
    config === configDir && at === root && steps !== "";
  if (where === null || (marker !== null && !linesOf(marker, "set").some(isMarked))) return [];
  return [{ where, problem: LOST }];
}

const LOST =
  "what was approved of this project can no longer be read, and guards of it were in force; approve it again with `adj trust`, or end that with `adj trust --revoke`, in a terminal of your own";

/** Also where a link leads to nothing, like that to a disk which is away; what cannot be looked at is there. */
function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return false;
  }
}

const describeGone = (what: string): string =>
  `there is no such ${what}, and guards of the user were in force; put it back, or, if it went on purpose, run \`adj install AGENT\` in a terminal of your own`;

const UNREAD =
  "it says which guards are in force and cannot be read, and a file of the configuration is not there; write it anew with `adj install AGENT` in a terminal of your own";

/** A path that would break the lines is no folder that anybody works in. */
const isOneField = (text: string): boolean => !/[\t\n]/.test(text);

function summarize(rules: readonly HookRule[]): string {
  const agents = new Map<StepName, Set<string>>();
  for (const rule of rules)
    for (const step of rule.on.filter((one) => isBlockingRule(rule, one))) {
      const named = agents.get(step) ?? new Set();
      for (const agent of rule.match.agent ?? [EVERYWHERE]) named.add(agent);
      agents.set(step, named);
    }
  return [...agents]
    .map(([step, names]) => `${step}=${names.has(EVERYWHERE) ? EVERYWHERE : [...names].sort()}`)
    .sort()
    .join(" ");
}

/** Where the step cannot be vetoed there is nothing to block. */
export function isBlockingRule(rule: HookRule, step: StepName): boolean {
  const { canVeto, onError } = STEP_RULES[step];
  return rule.isEnabled && !rule.isAsync && canVeto && (rule.onError ?? onError) === "block";
}

/** The fields of every line of a kind, without its word. */
export const linesOf = (marker: string, kind: string): string[][] =>
  marker
    .split("\n")
    .map((line) => line.split("\t"))
    .filter(([word]) => word === kind)
    .map(([, ...fields]) => fields);
