import { realpathSync, statSync } from "node:fs";
import { type Document, isMap, parseDocument } from "yaml";
import { fault } from "../command/fault.ts";
import type { JsonValue } from "../command/session-access.ts";
import { errorCode, problemOf } from "./file-problem.ts";
import { readText } from "./read-text.ts";
import { replaceFile } from "./replace-file.ts";
import { parseSettings, type SettingsSource } from "./settings-file.ts";

/**
 * Sets one value, or removes it when `value` is undefined; comments and order stay as they are.
 * A result that would not be valid settings is refused and nothing is written.
 */
export function editSettings(
  source: SettingsSource,
  path: readonly string[],
  value: JsonValue | undefined,
): void {
  const before = readText(source.file) ?? "";
  // A broken file is reported as it stands, before anything is changed in it.
  parseSettings(before, source);
  const after = changeText(before, path, value);
  parseSettings(after, source);
  write(source.file, after);
}

function changeText(text: string, path: readonly string[], value: JsonValue | undefined): string {
  const document: Document = parseDocument(text);
  // Comments of a file that has nothing else belong to the document and stay.
  if (!isMap(document.contents)) document.contents = document.createNode({});
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    if (document.hasIn(above) && !isMap(document.getIn(above))) throw notAMap(above);
  }
  if (value === undefined) document.deleteIn(path);
  // A plain value goes into the node that is there, which holds the comment beside it.
  else document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
  return document.toString({ lineWidth: 0 });
}

const notAMap = (path: readonly string[]) =>
  fault("InputInvalid", {
    what: `\`${path.join(".")}\``,
    problem: "it is a single value, not a map",
  });

function write(file: string, text: string): void {
  try {
    // Through a link, so that settings kept elsewhere stay there.
    const target = resolveLink(file);
    replaceFile(target, text, statSync(target, { throwIfNoEntry: false })?.mode ?? 0o600);
  } catch (error) {
    throw fault("StoreUnavailable", { path: file, problem: problemOf(error) }, { cause: error });
  }
}

function resolveLink(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return file;
    throw error;
  }
}
