// Reads `config.yaml`. Loads zod and yaml: on the start-up path the compiled index stands in for it.
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Document, isMap, parseDocument } from "yaml";
import type { JsonValue } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import { describeFileError, fileErrorCode, readText, replaceFile } from "./files.ts";
import { refuseLinks } from "./project-links.ts";
import { describeIssues } from "./schema-problem.ts";
import { mergeSettings, type Settings, type SettingsFile, type SettingsScope } from "./settings.ts";
import { SETTINGS_SCHEMA } from "./settings-schema.ts";
import { parseYaml, type YamlFile } from "./yaml-file.ts";

interface SettingsSource {
  readonly file: string;
  readonly scope: SettingsScope;
}

/** Both files by their paths; one that is not there says nothing. */
export function readSettings(userFile: string, projectFile: string | null): Settings {
  return mergeSettings(
    readSettingsFile({ file: userFile, scope: "user" }),
    projectFile === null ? {} : readSettingsFile({ file: projectFile, scope: "project" }),
  );
}

function readSettingsFile(source: SettingsSource): SettingsFile {
  const text = readText(source.file);
  return text === null ? {} : parseSettings(text, source);
}

/** Throws `FileInvalid` with the place of the first problem. */
export function parseSettings(text: string, source: SettingsSource): SettingsFile {
  const yaml = parseYaml(text, source.file);
  // An empty file, or one that is all comments.
  const value = yaml.value ?? {};
  refuseForeignKeys(yaml, source.scope);
  const checked = SETTINGS_SCHEMA.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const problem = describeIssues(checked.error.issues, SETTINGS_SCHEMA);
  throw fault(
    "FileInvalid",
    { problem: problem.message },
    {
      where: yaml.at(problem.path, problem.part),
      ...(problem.hint === null ? {} : { hint: problem.hint }),
    },
  );
}

const FOREIGN_KEYS = {
  user: [
    {
      key: "requires_plugins",
      problem: "`requires_plugins` belongs to a project",
      hint: "enable a plugin for yourself with `plugins`",
    },
  ],
  project: [
    {
      key: "plugins",
      problem: "a project cannot enable `plugins`",
      hint: "name what it needs in `requires_plugins`; each user enables plugins in the user's own `config.yaml`",
    },
    {
      key: "inbox",
      problem: "a project cannot set `inbox`",
      hint: "each user does in the user's own `config.yaml`",
    },
  ],
} as const;

function refuseForeignKeys(yaml: YamlFile, scope: SettingsScope): void {
  const { value } = yaml;
  if (typeof value !== "object" || value === null) return;
  for (const { key, problem, hint } of FOREIGN_KEYS[scope])
    if (Object.hasOwn(value, key))
      throw fault("FileInvalid", { problem }, { where: yaml.at([key], "key"), hint });
}

/**
 * Sets one value, or removes it when `value` is undefined; comments and order stay as they are.
 * A result that would not be valid settings is refused and nothing is written.
 */
export function editSettings(
  source: SettingsSource,
  path: readonly string[],
  value: JsonValue | undefined,
): void {
  if (source.scope === "project") refuseLinks(dirname(dirname(source.file)), source.file);
  const before = readText(source.file) ?? "";
  // A broken file is reported as it stands, before anything is changed in it.
  parseSettings(before, source);
  const after = changeText(before, path, value);
  parseSettings(after, source);
  writeSettings(source.file, after);
}

function changeText(text: string, path: readonly string[], value: JsonValue | undefined): string {
  const document: Document = parseDocument(text);
  // Comments of a file that has nothing else belong to the document and stay.
  if (!isMap(document.contents)) document.contents = document.createNode({});
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && !isMap(document.getIn(above))) throw refuseSingleValue(above);
  }
  if (value === undefined) document.deleteIn(path);
  // A plain value goes into the node that is there, which holds the comment beside it.
  else document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

const refuseSingleValue = (path: readonly string[]) =>
  fault("InputInvalid", {
    what: `\`${path.join(".")}\``,
    problem: "it is a single value, not a map",
  });

function writeSettings(file: string, text: string): void {
  try {
    // Through a link, so that settings kept elsewhere stay there.
    const target = resolveLink(file);
    replaceFile(target, text, statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600);
  } catch (error) {
    throw fault(
      "StoreUnavailable",
      { path: file, problem: describeFileError(error) },
      { cause: error },
    );
  }
}

function resolveLink(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return file;
    throw error;
  }
}
