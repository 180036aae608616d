// Whether commands are still what they were when a session was saved.

import { readFileSync } from "node:fs";
import { type CommandEntry, type Layer, listCommands } from "../core/command/registry.ts";
import { fileErrorCode } from "../core/project/files.ts";
import { sha256 } from "../core/project/fingerprint.ts";
import { isRecord } from "../core/project/json-value.ts";

const digest = (content: string): string => sha256(content).slice(0, 16);

/**
 * What the commands of user, plugins and project are now, in a form that can be compared later. Bundled
 * commands are left out: they change with the program.
 */
export async function digestCommands(layers: readonly Layer[]): Promise<Record<string, string>> {
  const contents = new Map<string, Promise<FileContent>>();
  const digests: Record<string, string> = {};
  for (const resolution of listCommands(layers)) {
    if (resolution.kind !== "found" || resolution.at.layer === "bundled") continue;
    const { entry } = resolution;
    const content = contents.get(entry.file) ?? readContent(entry.file);
    contents.set(entry.file, content);
    digests[entry.name] = digestEntry(entry, await content);
  }
  return digests;
}

/** A YAML file holds many commands, each a value of its own; any other file is one command. */
type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "map"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "unreadable" };

function digestEntry(entry: CommandEntry, content: FileContent): string {
  const own = content.kind === "map" ? JSON.stringify(content.values[entry.name]) : null;
  const text = content.kind === "text" ? content.text : own;
  return digest(`${JSON.stringify(entry.summary)}\n${text ?? ""}`);
}

async function readContent(file: string): Promise<FileContent> {
  const text = readIfReadable(file);
  if (text === null) return { kind: "unreadable" };
  if (!/\.ya?ml$/.test(file)) return { kind: "text", text };
  const { parseYaml } = await import("../core/project/yaml-file.ts");
  const { value } = parseYaml(text, file);
  return isRecord(value) ? { kind: "map", values: value } : { kind: "text", text };
}

const UNREADABLE = new Set(["EACCES", "EISDIR", "ENOENT", "ENOTDIR"]);

function readIfReadable(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (UNREADABLE.has(fileErrorCode(error) ?? "")) return null;
    throw error;
  }
}
