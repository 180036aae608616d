// The files that a tool call other than a shell line touches: by the tool's own path arguments, by any text of a tool
// nobody knows, and by what a patch says inside.
import type { StepSubject, ToolArguments, ToolKind } from "../../../core/step/envelope.ts";
import type { PathContext } from "../../match/paths.ts";
import { ALL_FILES, type FileTouch, namesOpened, type TouchAccess } from "./file-touch.ts";
import { TooMuchToLookAt } from "./look-limit.ts";

const BOTH: readonly TouchAccess[] = ["read", "write"];

const BY_KIND: Readonly<Partial<Record<ToolKind, readonly TouchAccess[]>>> = {
  read: ["read"],
  search: ["read"],
  write: ["write"],
  edit: BOTH,
};

/** What tools of these kinds say in other arguments than paths is content, a pattern or words for a model. */
const KNOWN: ReadonlySet<ToolKind> = new Set(["read", "write", "edit", "agent"]);

export function toolTouches(subject: StepSubject): FileTouch[] {
  const { kind = "other", args = {}, cwd } = subject.envelope;
  const context = { folder: cwd, home: subject.home };
  const accesses = BY_KIND[kind] ?? BOTH;
  const named = subject.paths.flatMap((path) => touch(pathOfUrl(path), context, accesses));
  if (kind === "search") return searchTouches(subject, context);
  if (KNOWN.has(kind) && (subject.paths.length > 0 || kind === "agent")) return named;
  // A server may take relative paths from its own folder, which mostly is the project's.
  const folders = [...new Set([cwd, subject.root])];
  const said = folders.flatMap((folder) =>
    textsAsPaths(args).flatMap((path) => touch(path, { folder, home: subject.home }, accesses)),
  );
  return [...named, ...said];
}

const touch = (path: string, context: PathContext, accesses: readonly TouchAccess[]): FileTouch[] =>
  accesses.map((access) => ({ path, context, access, isGlob: true, below: null }));

// An agent's own search reads a folder with all that is in it, unless it is told a glob of names.

const GLOBS = ["glob", "include", "include_pattern", "file_pattern"];

function searchTouches({ envelope, paths }: StepSubject, context: PathContext): FileTouch[] {
  const { args = {} } = envelope;
  // A search for names prints names.
  if (/glob|find|list/i.test(envelope.tool ?? "")) return [];
  const globs = GLOBS.flatMap((key) => textsIn(args[key]));
  const below = globs.length === 0 ? ALL_FILES : namesOpened(globs);
  const folders = paths.length === 0 ? ["."] : paths;
  return folders.map((path) => ({ path, context, access: "read", isGlob: true, below }));
}

// Texts of a tool that nobody knows.

const COMMAND = /^(command|cmd|line|script|shell|bash|code|commands|cmdline)$/i;

/** What looks like a shell line in the arguments of a tool that is no shell of the agent's own. */
export function linesIn(value: unknown, depth = 0): string[] {
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    COMMAND.test(key) ? textsIn(each) : linesIn(each, depth + 1),
  );
}

const MAX_TEXTS = 5_000;
const MAX_PATH = 4_096;
const MAX_DEPTH = 32;

function textsAsPaths(args: ToolArguments): string[] {
  const texts = textsIn(args);
  const paths = new Set<string>();
  for (const text of texts) {
    if (text.length <= MAX_PATH && !text.includes("\n")) paths.add(pathOfUrl(text.trim()));
    else for (const path of patchedFiles(text)) paths.add(pathOfUrl(path));
  }
  paths.delete("");
  if (paths.size > MAX_TEXTS) throw new TooMuchToLookAt("the call names too many files");
  return [...paths];
}

/** Every text in it, however deep. */
function textsIn(value: unknown, depth = 0, found: string[] = []): string[] {
  if (typeof value === "string") found.push(value);
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH)
    for (const each of Object.values(value)) textsIn(each, depth + 1, found);
  return found;
}

function pathOfUrl(text: string): string {
  if (!/^file:/i.test(text)) return text;
  const url = URL.parse(text);
  try {
    return url === null ? text : decodeURIComponent(url.pathname);
  } catch {
    return text;
  }
}

const PATCHED =
  /^(?:\*\*\* (?:Add File|Update File|Delete File|Move to): |(?:---|\+\+\+) (?:[ab]\/)?|(?:rename|copy) (?:from|to) )([^\t\n\r]+)/gm;

/** The files that a patch touches, in the form of `apply_patch` or as a unified difference. */
export const patchedFiles = (patch: string): string[] => [
  ...new Set([...patch.matchAll(PATCHED)].map(([, path]) => (path ?? "").trim())),
];

const DELETED = /^\*\*\* Delete File: ([^\n\r]+)/gm;

/** The files that a patch in the form of `apply_patch` deletes, wherever in the arguments it stands. */
export const deletedInPatch = (args: ToolArguments): string[] =>
  textsIn(args).flatMap((text) =>
    [...text.matchAll(DELETED)].map(([, path]) => (path ?? "").trim()),
  );
