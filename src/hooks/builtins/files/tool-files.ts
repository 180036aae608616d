// The files that a tool call other than a shell line touches: by the tool's own path arguments, by any text of a tool
// nobody knows, and by what a patch says inside.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoteWord } from "../../../core/command/words.ts";
import type { StepSubject, ToolArguments, ToolKind } from "../../../core/step/envelope.ts";
import { absolutePath } from "../../match/paths.ts";
import {
  calledPrograms,
  type PayloadText,
  payloadTexts,
  textsIn,
  wordLists,
} from "../payload-texts.ts";
import { touchesInCode } from "./code-text.ts";
import { ALL_FILES, type FileTouch, namesOpened, type TouchAccess } from "./file-touch.ts";
import { TooMuchToLookAt } from "./look-limit.ts";
import { namesPlace, speltPaths } from "./spelt-paths.ts";

const BOTH: readonly TouchAccess[] = ["read", "write"];

const BY_KIND: Readonly<Partial<Record<ToolKind, readonly TouchAccess[]>>> = {
  read: ["read"],
  search: ["read"],
  write: ["write"],
  edit: BOTH,
};

/** What tools of these kinds say in other arguments than places is content, a pattern or words for a model. */
const KNOWN: ReadonlySet<ToolKind> = new Set(["read", "write", "edit", "fetch", "agent"]);

export function toolTouches(subject: StepSubject): FileTouch[] {
  const { kind = "other", tool = "", args = {}, cwd } = subject.envelope;
  if (kind === "search") return searchTouches(subject);
  const texts = payloadTexts(args);
  const isKnown = KNOWN.has(kind) && (subject.paths.length > 0 || /^(fetch|agent)$/.test(kind));
  const meant = texts.filter(({ key, isKey }) =>
    isKnown ? !isKey && namesPlace(key) : isKey || !IS_PROSE.test(key),
  );
  const said = kind === "agent" ? [] : spellingsOf(meant);
  const patched = kind === "edit" && /patch/i.test(tool) ? textsIn(args).flatMap(patchedFiles) : [];
  const named = [...subject.paths.flatMap((path) => speltPaths(path)), ...said, ...patched];
  // Where many files are read by patterns, small letters count for capitals too.
  const alike = /many/i.test(tool) ? named.map((path) => path.toLowerCase()) : [];
  const paths = new Set([...named, ...alike]);
  if (paths.size > MAX_PATHS) throw new TooMuchToLookAt(TOO_MANY);
  const isOwn = isKnown || kind === "shell";
  const folders = isOwn ? [cwd] : foldersOf(texts, subject);
  const isInside = READS_INSIDE.test(tool) || texts.some(asksContents);
  return folders.flatMap((folder) =>
    [...paths].flatMap((path) =>
      (BY_KIND[kind] ?? BOTH).map((access) => ({
        ...{ path, access, context: { folder, home: subject.home } },
        ...{ isGlob: GLOB.test(path), below: isInside ? ALL_FILES : null },
        ...{ isHidden: kind === "read" || path.includes("/") },
      })),
    ),
  );
}

/** What people are asked or told, by whichever tool. */
const IS_PROSE =
  /^(?:title|label|question|header|description|body|summary|subject|comment|thought|reason)$/i;

/** Of a folder they read, move or delete all that is in it, and not its names alone. */
const READS_INSIDE =
  /many|grep|ripgrep|(?:search|find)_?(?:in|for_pattern|content|text|code)|pack|zip|extract|tar(?:$|_)|archive|copy|upload|ingest|index|backup|mirror|move|rename|delete|remove/i;

/** `{ "searchType": "content" }` */
const asksContents = ({ key, text }: PayloadText): boolean =>
  /(?:type|mode|kind)$/i.test(key) && /^(?:contents?|full-?_?text|grep)$/i.test(text);

/** Brackets alone are those of code. */
const GLOB = /[*?[]|[!@+]\(/;

const MAX_PATHS = 5_000;
const TOO_MANY = "the call names too many files; do it in several calls";

/** Each path once, and no more of them than are looked at afterwards. */
function spellingsOf(texts: readonly PayloadText[]): Set<string> {
  const found = new Set<string>();
  let spelt = 0;
  for (const text of texts) {
    const paths = pathsIn(text);
    spelt += paths.length;
    for (const path of paths) found.add(path);
    if (found.size > MAX_PATHS || spelt > MAX_SPELT) throw new TooMuchToLookAt(TOO_MANY);
  }
  return found;
}

/** The same names over and over are as much work as new ones. */
const MAX_SPELT = 50_000;

/** A text without a line of its own is a place as a whole, anything longer as far as it is a patch or names an address. */
const pathsIn = ({ text, key, isKey }: PayloadText): string[] => [
  ...speltPaths(text, isKey ? "" : key),
  ...(text.includes("\n") ? patchedFiles(text) : []),
];

const MAX_FOLDERS = 6;

/** What relative paths may begin from: a server's own folder is mostly the project's, and the call may name another. */
export function foldersOf(texts: readonly PayloadText[], subject: StepSubject): string[] {
  const { cwd } = subject.envelope;
  const folders = new Set([cwd, subject.root]);
  for (const { text } of texts) {
    if (folders.size >= MAX_FOLDERS) break;
    if (!/^(?:[~$/]|\.{1,2}(?:\/|$)|file:)|^[\w.-]{1,80}\/?$/i.test(text)) continue;
    for (const path of speltPaths(text)) {
      const folder = absolutePath(path, { folder: cwd, home: subject.home });
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) folders.add(folder);
    }
  }
  return [...folders];
}

// An agent's own search reads a folder with all that is in it, unless it is told a glob of names.

const GLOBS = ["glob", "include", "include_pattern", "file_pattern"];

function searchTouches({
  envelope,
  paths,
  home,
  nameGlob,
  searchesAround,
  skipsIgnored,
}: StepSubject): FileTouch[] {
  const { args = {}, cwd } = envelope;
  const context = { folder: cwd, home };
  // A search for names prints names.
  if (/glob|find|list/i.test(envelope.tool ?? "")) return [];
  // More than one glob may stand in a text, apart by blanks or by commas outside of braces.
  const globs = GLOBS.flatMap((key) => textsIn(args[key]))
    .flatMap((text) => text.split(/\s+|,(?![^{}]{0,200}\})/))
    .filter((glob) => glob !== "");
  const spelt = paths.length === 0 ? ["."] : paths.flatMap((path) => speltPaths(path));
  const around =
    searchesAround === true
      ? spelt.flatMap((path) => foldersAround(absolutePath(path, context)))
      : [];
  const folders = [...spelt, ...around];
  const bases = folders.map((path) => absolutePath(path, context));
  const named = nameGlob === undefined ? globs.map((glob) => nameOfPathspec(glob, bases)) : [];
  const below = globs.length === 0 ? ALL_FILES : namesOpened([...globs, ...named]);
  const ofGit = skipsIgnored === undefined ? {} : { ofGit: "searched" as const };
  return folders.map((path) => ({ path, context, access: "read", isGlob: true, below, ...ofGit }));
}

/** A path below a file, or one that is too long, is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The nearest folder that is there, and the one that the agent works in; none of a folder. */
function foldersAround(path: string): string[] {
  if (isFolder(path)) return [];
  let folder = dirname(path);
  while (!isFolder(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return [folder, "."];
}

/** To `git grep` a glob is a pathspec: `s*` fits `sub/.env`, `sub` means all that is in it, `:!x` all but `x`. */
function nameOfPathspec(glob: string, folders: readonly string[]): string {
  const isWild = /[*?[]/.test(glob);
  if (glob.startsWith(":") || (!isWild && folders.some((folder) => isFolder(join(folder, glob)))))
    return "*";
  const [tail = ""] = /[^*?\]]*$/.exec(glob) ?? [];
  const name = /[^/]*$/.exec(tail)?.[0] ?? "";
  return isWild && name === tail ? `*${tail}` : name || "*";
}

// Lines and code in the arguments of a tool that is no shell of the agent's own.

const COMMAND =
  /^(?:command|cmd|line|script|shell|bash|commands|cmdline|command_?line|shell_?command|run|exec|execute|stdin|argv)$/i;
/** What is typed somewhere counts as a line where it is sent off. */
const TYPED = /^(?:input|keys|chars|text|data)$/i;
const SENT_LINE = /^[^\n\r]{1,500}[\n\r]+$/;
const TYPED_LINE = /^[^\n\r]{1,500}[\n\r]*$/;
const CODE =
  /^(?:code|script|expression|function|js|javascript|python|snippet|program|cell|source|(?:source_?|cell_?)(?:code|source))$/i;
/** A notebook runs a line of its shell behind `!`, and a cell that begins so as a whole. */
const SHELL_LINE = /^[ \t]{0,99}(?:\w{1,99}[ \t]{0,9}=[ \t]{0,9})?!(.+)$/gm;
const SHELL_CELL = /^%%(?:ba|z)?sh\b[^\n]*\n/;
const QUERY = /^(?:sql|query|statement)$/i;

/** A tool of such a name sends the end of the line itself: `interact_with_process`. */
const TYPES_LINES = /process|terminal|shell|tmux|console|repl|pty|session/i;

export function linesIn(args: unknown, tool = ""): string[] {
  const texts = payloadTexts(args);
  const lines = new Set<string>([...calledPrograms(args), ...gitLine(tool, texts)]);
  for (const { key, text, isKey } of [...wordLists(args), ...texts]) {
    if (isKey) continue;
    if (CODE.test(key)) for (const line of shellLinesIn(text)) lines.add(line);
    const isLine = TYPES_LINES.test(tool) ? TYPED_LINE : SENT_LINE;
    const isSent = TYPED.test(key) && isLine.test(text);
    if (isSent || COMMAND.test(key)) lines.add(isSent ? text.trimEnd() : text);
  }
  if (lines.size > MAX_LINES)
    throw new TooMuchToLookAt("the call has too many lines; do it in several calls");
  return [...lines];
}

/** A tool of a server for git is named after what it does: `git_diff { "target": "HEAD~1" }`. */
const GIT_TOOL = /(?:^|_)git_(show|diff|add|checkout|restore|reset|stash)(?:_(staged|unstaged))?$/;

function gitLine(tool: string, texts: readonly PayloadText[]): string[] {
  const [, verb, state] = GIT_TOOL.exec(tool) ?? [];
  if (verb === undefined) return [];
  const given = texts.filter(
    ({ key, isKey }) => !isKey && !/^(?:repo|cwd|folder|directory)/i.test(key),
  );
  const words = given.map(({ text }) => quoteWord(text));
  return [["git", verb, ...(state === "staged" ? ["--cached"] : []), ...words].join(" ")];
}

const shellLinesIn = (code: string): string[] =>
  SHELL_CELL.test(code)
    ? [code.replace(SHELL_CELL, "")]
    : [...code.matchAll(SHELL_LINE)].map(([, line = ""]) => line);

const MAX_LINES = 200;

/** The code in the arguments, as the line that would run it: what it calls may be a line as well. */
export const codeLinesIn = (args: unknown): string[] =>
  payloadTexts(args)
    .filter(({ key, isKey }) => !isKey && CODE.test(key))
    .slice(0, MAX_LINES)
    .map(({ text }) => `python3 -c ${quoteWord(text)}`);

const QUOTED = /'([^'\n]{1,300})'|"([^"\n]{1,300})"|\$(\w{0,20})\$([^$\n]{1,300})\$\3\$/g;

/** What a query has in quotes, dollars of PostgreSQL included. */
const quotedIn = (query: string): string[] =>
  [...query.matchAll(QUOTED)].map(([, one, two, , dollars]) => `"${one ?? two ?? dollars ?? ""}"`);

/** Where a path stands as a text of its own; of a query only what is quoted. */
export function codeTouchesIn(subject: StepSubject): FileTouch[] {
  const texts = payloadTexts(subject.envelope.args ?? {}).filter(({ isKey }) => !isKey);
  const isTyping = TYPES_LINES.test(subject.envelope.tool ?? "");
  const codes = texts.flatMap(({ key, text }) => {
    if (CODE.test(key) || (isTyping && TYPED.test(key))) return [text];
    return QUERY.test(key) ? quotedIn(text).join("\n") : [];
  });
  const context = { folder: subject.envelope.cwd, home: subject.home };
  // Pieces of code are one program as far as the number of its words goes.
  return codes.length === 0 ? [] : touchesInCode(codes.join("\n"), context);
}

const PATCHED =
  /^(?:[ \t]{0,99}\*\*\* (?:Add File|Update File|Delete File|Move to): |(?:---|\+\+\+) (?:[ab]\/)?|(?:rename|copy) (?:from|to) |diff --git a\/[^\n]{1,4096} b\/)([^\t\n\r]+)/gm;

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
