// Hooks in an agent's file, or a plugin that is the file. Pure: texts in, a text out.
import { isDeepStrictEqual } from "node:util";
import { safeParse } from "zod/v4/core";
import type { EntryInstaller, EntryRequest, PluginFacts } from "../../agents/steps/installer.ts";
import { fault } from "../../core/command/fault.ts";
import type { JsonRecord } from "../../core/project/json-value.ts";
import { describeIssues } from "../../core/project/schema-problem.ts";
import {
  brokenAt,
  type ConfigText,
  offsetOf,
  parseConfig,
  readConfigValue,
} from "./config-text.ts";
import { addEntries, isInstalled, listOurs, removeEntries } from "./entries.ts";
import {
  decidePutIn,
  decideTakeOut,
  type FilePart,
  type FileState,
  type InstallDecision,
  type UninstallDecision,
  type WantedPart,
} from "./file-part.ts";
import { isUntouched } from "./record.ts";

/** Entries of ours that are different or elsewhere are replaced; the file is refused if it is broken. */
export function decideInstall(
  state: FileState,
  installer: EntryInstaller,
  request: EntryRequest,
  other: FilePart | null = null,
): InstallDecision {
  const { file } = state;
  const parse = (text: string): ConfigText => parseConfig(file, text, installer);
  const part: WantedPart = {
    ...hooksPart(file, installer),
    isDone: (text) => {
      const current = parse(text);
      if (current.root !== null) checkConfig(current, installer);
      return isInstalled(current, installer, request);
    },
    putIn: (text) => {
      const written = addEntries(parse(text), installer, request);
      checkConfig(parse(written), installer);
      return written;
    },
  };
  return decidePutIn(state, part, other);
}

export const decideUninstall = (
  state: FileState,
  installer: EntryInstaller,
  other: FilePart | null = null,
): UninstallDecision => decideTakeOut(state, hooksPart(state.file, installer), other);

export function hooksPart(file: string, installer: EntryInstaller): FilePart {
  const parse = (text: string): ConfigText => parseConfig(file, text, installer);
  return {
    ownsFile: installer.ownsFile,
    has: (text) => listOurs(parse(text)).length > 0,
    takeOut: (text, before) =>
      removeEntries(parse(text), installer, before === null ? null : parse(before)),
    isBare: (text) => isBareJson(parse(text), installer.seed),
  };
}

/** A comment is something. */
export function isBareJson(config: ConfigText, seed: JsonRecord): boolean {
  const value = readConfigValue(config);
  const hasComment = /\/[/*]/.test(config.text);
  return !hasComment && (isDeepStrictEqual(value, seed) || isDeepStrictEqual(value, {}));
}

/** The first line of every plugin we write. */
export const PLUGIN_MARK = /^\/\/ Written by `adj install /;

export function decidePluginInstall({ file, text }: FileState, source: string): InstallDecision {
  if (text === source) return { kind: "unchanged" };
  if (text === null || PLUGIN_MARK.test(text))
    return { kind: "write", text: source, original: null };
  throw fault(
    "FileInvalid",
    { problem: "it is somebody else's plugin" },
    { where: { file, line: 1 }, hint: "give it another name; it was left as it is" },
  );
}

/** As a plugin of ours says it of itself. */
const WAS_GUARDED = /^const WAS_GUARDED = true;$/m;
const ASK_LIMIT = /^const ASK_LIMIT_MS = (\d+);$/m;

export const readPluginFacts = (
  text: string,
  { hookLimitMs }: { readonly hookLimitMs: number },
): PluginFacts => ({
  isGuarded: WAS_GUARDED.test(text),
  askLimitMs: Number(ASK_LIMIT.exec(text)?.[1] ?? hookLimitMs),
});

export function decidePluginUninstall(
  { file, text, record }: FileState,
  { agent, source }: { readonly agent: string; readonly source: string },
): UninstallDecision {
  if (text === null) return { kind: "absent" };
  if (text === source || isUntouched(record, text)) return { kind: "remove" };
  if (!PLUGIN_MARK.test(text)) return { kind: "absent" };
  throw fault(
    "FileInvalid",
    { problem: "it was changed by hand after it was installed" },
    { where: { file, line: 1 }, hint: `remove it yourself, or \`adj install ${agent}\` again` },
  );
}

/**
 * The agent's own rules, before anything is written: one malformed entry can void a whole file, deny rules
 * included (claude-code 2.1.325), and then ours would not run either.
 */
function checkConfig(config: ConfigText, { agent, schema }: EntryInstaller): void {
  const checked = safeParse(schema, readConfigValue(config), { reportInput: true });
  if (checked.success) return;
  const { path, message } = describeIssues(checked.error.issues, schema);
  const where = path.map(String).join(".");
  throw brokenAt(
    config,
    offsetOf(config, path),
    `${message} at \`${where}\`; \`${agent}\` would not take the file`,
  );
}
