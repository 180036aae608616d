// Saved sessions: one file each in the state folder, with everything but the params, and no secret.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { SessionState } from "../core/command/context.ts";
import { fault } from "../core/command/fault.ts";
import { type CommandEntry, type Layer, listCommands } from "../core/command/registry.ts";
import { fileErrorCode, listFolder, storeFile } from "../core/project/files.ts";
import { maskSecrets } from "../core/secrets/mask.ts";

const MANIFEST = z.object({
  adjutant: z.literal(1),
  name: z.string(),
  saved_at: z.string(),
  session_id: z.string(),
  root: z.string(),
  agent: z.nullable(z.string()),
  model: z.nullable(z.string()),
  workflow: z.nullable(z.string()),
  /** Names alone; values are never written. */
  param_paths: z.array(z.string()),
  turns: z.array(
    z.object({ role: z.enum(["user", "assistant"]), text: z.string(), at: z.string() }),
  ),
  /** A digest of each command that is not bundled, by name. */
  commands: z.record(z.string(), z.string()),
});

export type SessionManifest = z.infer<typeof MANIFEST>;

/** Names of sessions are also names of files. */
export const isSessionName = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

interface ManifestFacts {
  readonly name: string;
  readonly savedAt: Date;
  readonly sessionId: string;
  readonly root: string;
  readonly commands: Readonly<Record<string, string>>;
}

const mask = (text: string | null): string | null => (text === null ? null : maskSecrets(text));

export function makeSessionManifest(state: SessionState, facts: ManifestFacts): SessionManifest {
  return {
    adjutant: 1,
    name: facts.name,
    saved_at: facts.savedAt.toISOString(),
    session_id: facts.sessionId,
    root: facts.root,
    agent: mask(state.agent),
    model: mask(state.model),
    workflow: state.workflow,
    param_paths: Object.keys(state.params).sort(),
    turns: state.turns.map(({ role, text, at }) => ({ role, text: maskSecrets(text), at })),
    commands: { ...facts.commands },
  };
}

export const formatSessionManifest = (manifest: SessionManifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

type ManifestReading =
  | { readonly kind: "read"; readonly manifest: SessionManifest }
  | { readonly kind: "unreadable"; readonly problem: string };

export function readSessionManifest(text: string): ManifestReading {
  const value = parseJson(text);
  if (value === undefined) return { kind: "unreadable", problem: "it is not JSON" };
  const version = typeof value === "object" && value !== null && "adjutant" in value;
  if (version && typeof value.adjutant === "number" && value.adjutant > 1)
    return { kind: "unreadable", problem: "it was written by a newer Adjutant" };
  const checked = z.safeParse(MANIFEST, value);
  if (checked.success) return { kind: "read", manifest: checked.data };
  const at = checked.error.issues[0]?.path.join(".") ?? "";
  return { kind: "unreadable", problem: `it is not a session: \`${at}\` is missing or wrong` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const folderOf = (stateDir: string): string => join(stateDir, "sessions");

export function sessionFile(stateDir: string, name: string): string {
  if (isSessionName(name)) return join(folderOf(stateDir), `${name}.json`);
  throw fault(
    "InputInvalid",
    { what: "a session's name", problem: "it is letters, digits, dots and dashes, at most 64" },
    { hint: "begin with a letter or a digit" },
  );
}

export function writeSession(file: string, manifest: SessionManifest): void {
  storeFile(file, formatSessionManifest(manifest), 0o600);
}

/** Null where there is none of that name. */
export function readSession(file: string): SessionManifest | null {
  if (!existsSync(file)) return null;
  const reading = readSessionManifest(readFileSync(file, "utf8"));
  if (reading.kind === "read") return reading.manifest;
  throw fault("FileInvalid", { problem: reading.problem }, { where: { file } });
}

interface SavedSession {
  readonly name: string;
  readonly savedAt: string;
}

/** By name and time alone, the last saved first; nothing is opened. */
export function listSaved(stateDir: string): SavedSession[] {
  return listFolder(folderOf(stateDir))
    .filter((file) => file.endsWith(".json") && isSessionName(file.slice(0, -".json".length)))
    .map((file) => ({
      name: file.slice(0, -".json".length),
      savedAt: statSync(join(folderOf(stateDir), file)).mtime.toISOString(),
    }))
    .sort((a, b) => (a.savedAt > b.savedAt ? -1 : 1));
}

const digest = (content: string): string =>
  createHash("sha256").update(content).digest("hex").slice(0, 16);

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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
