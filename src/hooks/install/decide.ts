// What becomes of an agent's file. Pure: texts in, a text out.
import { isDeepStrictEqual } from "node:util";
import { safeParse } from "zod/v4/core";
import type { EntryInstaller, EntryRequest } from "../../agents/steps/installer.ts";
import { fault } from "../../core/command/fault.ts";
import { describeIssues } from "../../core/project/schema-problem.ts";
import {
  brokenAt,
  type ConfigText,
  offsetOf,
  parseConfig,
  readConfigValue,
} from "./config-text.ts";
import { addEntries, isInstalled, listOurs, removeEntries } from "./entries.ts";
import { type InstallRecord, isUntouched } from "./record.ts";

/** The file as it is, null where there is none, and what is known of it. */
export interface FileState {
  readonly file: string;
  readonly text: string | null;
  readonly record: InstallRecord | null;
}

export type InstallDecision =
  | { readonly kind: "unchanged" }
  /** `original` is what `uninstall` gives back as long as nobody else changes the file. */
  | { readonly kind: "write"; readonly text: string; readonly original: string | null };

/** Entries of ours that are different or elsewhere are replaced; the file is refused if it is broken. */
export function decideInstall(
  { file, text, record }: FileState,
  installer: EntryInstaller,
  request: EntryRequest,
): InstallDecision {
  const current = parseConfig(file, text ?? "", installer);
  if (current.root !== null) checkConfig(current, installer);
  if (isInstalled(current, installer, request)) return { kind: "unchanged" };
  const original = originalOf({ file, text, record }, installer);
  const written = addEntries(parseConfig(file, original ?? "", installer), installer, request);
  checkConfig(parseConfig(file, written, installer), installer);
  return { kind: "write", text: written, original };
}

function originalOf({ file, text, record }: FileState, installer: EntryInstaller): string | null {
  if (text === null) return null;
  if (record !== null && isUntouched(record, text)) return record.original;
  return removeEntries(parseConfig(file, text, installer), installer, beforeOf(record, installer));
}

const beforeOf = (record: InstallRecord | null, installer: EntryInstaller) =>
  record === null || record.original === null
    ? null
    : parseConfig(record.file, record.original, installer);

export type UninstallDecision =
  | { readonly kind: "absent" }
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "remove" };

export function decideUninstall(
  { file, text, record }: FileState,
  installer: EntryInstaller,
): UninstallDecision {
  if (text === null) return { kind: "absent" };
  if (record !== null && isUntouched(record, text))
    return record.original === null ? { kind: "remove" } : { kind: "write", text: record.original };
  const current = parseConfig(file, text, installer);
  if (listOurs(current).length === 0) return { kind: "absent" };
  const rest = removeEntries(current, installer, beforeOf(record, installer));
  const isOurFile = installer.ownsFile || (record !== null && record.original === null);
  return isOurFile && isBare(rest, installer) ? { kind: "remove" } : { kind: "write", text: rest };
}

/** Nothing is left but what we began it with; a comment is something. */
function isBare(text: string, installer: EntryInstaller): boolean {
  const value = readConfigValue(parseConfig("", text, installer));
  const hasComment = /\/[/*]/.test(text);
  return !hasComment && (isDeepStrictEqual(value, installer.seed) || isDeepStrictEqual(value, {}));
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
