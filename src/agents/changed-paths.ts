import { asList, asName, asRecord } from "./json-fields.ts";
import type { ToolCall } from "./run-log.ts";

const PATH_KEYS = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "notebook_path",
  "filename",
  "fileName",
];

/** The files that a writing or editing call names as changed. */
export function changedPaths({ kind, arguments: given }: ToolCall): string[] {
  if (kind !== "write" && kind !== "edit") return [];
  const args = asRecord(given);
  const listed = asList(args.changes).flatMap((change) => asName(asRecord(change).path) ?? []);
  if (listed.length > 0) return listed;
  const named = PATH_KEYS.map((key) => asName(args[key])).find((path) => path !== null);
  return named === undefined || named === null ? pathsOfPatch(given, args) : [named];
}

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

function pathsOfPatch(given: unknown, args: Readonly<Record<string, unknown>>): string[] {
  const patch = asName(given) ?? asName(args.patch) ?? asName(args.patchText) ?? asName(args.input);
  if (patch === null) return [];
  return [...patch.matchAll(PATCHED)].map((match) => match[1]?.trim() ?? "");
}
