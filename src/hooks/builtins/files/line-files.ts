// The files that a shell line touches, as its effects say, and the commands of which nobody can say which they touch.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, leaveProcess, type PathContext } from "../../match/paths.ts";
import { carriedTouches, codeOf, codeTouches } from "./code-text.ts";
import {
  ALL_FILES,
  DELETED_FILES,
  type FileTouch,
  namesOpened,
  PLAIN_FILES,
  type TouchAccess,
} from "./file-touch.ts";
import { TooMuchToLookAt } from "./look-limit.ts";
import { readPatch } from "./patches.ts";
import type { FolderReading } from "./protected-files.ts";

export interface LineFiles {
  readonly touches: readonly FileTouch[];
  readonly unknown: readonly UnknownFile[];
}

/** A file that is known only when the line runs. */
export interface UnknownFile {
  readonly access: TouchAccess;
  /** Its path as far as it is written. */
  readonly path: string;
  readonly command: string;
  /** Whether the command takes it for a file at all. */
  readonly isPossible: boolean;
}

const MAX_TOUCHES = 5_000;
/** A word of an unknown program is read and written, and a line may name a file more than once. */
const MAX_EFFECTS = 4 * MAX_TOUCHES;

export function lineFiles(line: LineAnalysis, context: PathContext): LineFiles {
  const touches = new Map<string, FileTouch>();
  const unknown: UnknownFile[] = [];
  for (const command of line.commands) {
    const found = commandFiles(command, line, context);
    unknown.push(...found.unknown);
    for (const touch of found.touches) touches.set(keyOf(touch), touch);
    if (touches.size > MAX_TOUCHES) throw new TooMuchToLookAt("the line names too many files");
  }
  for (const touch of carriedTouches(line, context)) touches.set(keyOf(touch), touch);
  for (const touch of throughLinks(line, context, [...touches.values()]))
    touches.set(keyOf(touch), touch);
  return { touches: [...touches.values()], unknown };
}

/** `ln -s ~/.config c; echo x > c/file`: a link that the line makes leads there only when it runs. */
function throughLinks(
  line: LineAnalysis,
  context: PathContext,
  touches: readonly FileTouch[],
): FileTouch[] {
  const links = Map.groupBy(linksMadeBy(line, context), ({ name }) => name);
  if (links.size === 0) return [];
  const lengths = new Set([...links.keys()].map(({ length }) => length));
  const found: FileTouch[] = [];
  for (const touch of touches) {
    const path = absolutePath(touch.path, touch.context);
    // The path itself and each folder that it is in, as far as a link may be named so.
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      for (const { target } of lengths.has(end) ? (links.get(path.slice(0, end)) ?? []) : [])
        found.push({ ...touch, path: target + path.slice(end) });
    if (found.length > MAX_TOUCHES)
      throw new TooMuchToLookAt("the line goes through too many links of its own; part it");
  }
  return found;
}

interface MadeLink {
  /** Absolute, both of them. */
  readonly name: string;
  readonly target: string;
}

export const linksMadeBy = ({ commands }: LineAnalysis, context: PathContext): MadeLink[] =>
  commands.flatMap((command) => {
    const made = [...linksOfProgram(command), ...linksInCode(command)];
    return command.folders.flatMap((folder) => {
      const place = { ...context, folder: absolutePath(folder ?? ".", context) };
      return made.flatMap(({ to, as }) => resolveLink(to, as, place));
    });
  });

interface LinkWords {
  readonly to: ShellWord;
  readonly as: ShellWord;
}

const COPIES_AS_LINK = /^(-[a-zA-Z]*[sl][a-zA-Z]*|--symbolic-link|--link)$/;

/** `ln -s target name`, `ln -s target… folder`, `ln -t folder target…`, `cp -s target name`. */
function linksOfProgram({ words: [program, ...words] }: SimpleCommand): LinkWords[] {
  const isCopy = program?.text === "cp" && words.some(({ text }) => COPIES_AS_LINK.test(text));
  if (program?.text !== "ln" && !isCopy) return [];
  const named = words.filter(({ text }) => !text.startsWith("-"));
  const targets = named.length > 1 ? named.slice(0, -1) : named;
  const last = named.length > 1 ? named.at(-1) : undefined;
  return targets.flatMap((to) => {
    const own = { ...to, text: basename(to.text) };
    if (last === undefined) return [{ to, as: own }];
    const inside = { ...last, text: `${last.text.replace(TRAILING_SLASHES, "")}/${own.text}` };
    return [
      { to, as: last },
      { to, as: inside },
    ];
  });
}

const LINK_CALL =
  /\b(?:sym)?link(?:Sync|_to)?\s?\(\s?["'`]([^"'`\n]{1,500})["'`],\s?["'`]([^"'`\n]{1,500})["'`]/g;

/** `os.symlink("a", "b")` in the code of an interpreter. */
const linksInCode = (command: SimpleCommand): LinkWords[] =>
  [...(codeOf(command) ?? "").matchAll(LINK_CALL)].map(([, to = "", as = ""]) => ({
    to: { text: to, kind: "literal" },
    as: { text: as, kind: "literal" },
  }));

function resolveLink(to: ShellWord, as: ShellWord, place: PathContext): MadeLink[] {
  const leads = readHome({ word: to }, place);
  const named = readHome({ word: as }, place);
  if (leads === null || named === null) return [];
  const name = absolutePath(named, place);
  // A relative target counts from the link's folder; `$PWD` was put in as the folder that the line is in.
  return [dirname(name), place.folder].map((from) => ({
    name,
    target: absolutePath(leads, { ...place, folder: from }),
  }));
}

const keyOf = ({ path, context, access, below, ofGit, isGlob }: FileTouch): string =>
  [access, ofGit ?? "", isGlob, below?.key ?? "", context.folder, path].join("\0");

function commandFiles(command: SimpleCommand, line: LineAnalysis, context: PathContext): LineFiles {
  const touches: FileTouch[] = [];
  const unknown: UnknownFile[] = [];
  const effects = effectsOf(command);
  if (effects.length > MAX_EFFECTS) throw new TooMuchToLookAt("the line names too many files");
  const named = indexEffects(effects);
  for (const effect of effects) {
    // A process substitution is no file; what it runs is a command of its own.
    if (effect.access === "list" || /^[<>]\(/.test(effect.word.text)) continue;
    const below = readingOf(effect, named);
    for (const folder of effect.folders) {
      const at = placeOf(effect, folder, context);
      const path = readHome(effect, at ?? context);
      const access = effect.access === "delete" || effect.access === "write" ? "write" : "read";
      if (path === null || at === null) {
        const written = path ?? effect.word.text;
        unknown.push({
          access,
          path: written,
          command: command.text,
          isPossible: effect.isPossible,
        });
      } else touches.push(touchOf(effect, { path, context: at, access, below }));
    }
  }
  const places = command.folders.map((folder) => ({
    ...context,
    folder: absolutePath(folder ?? ".", context),
  }));
  const patch = readPatch(command, line, places);
  if (patch !== null)
    return {
      touches: [...touches, ...patch.touches],
      unknown: patch.isKnown ? unknown.filter(({ path }) => path !== "{}") : unknown,
    };
  return {
    touches: [...touches, ...places.flatMap((each) => codeTouches(command, each))],
    unknown,
  };
}

const OF_GIT = { untracked: "tracked", ignored: "addable", tracked: "new" } as const;

const touchOf = (
  { word, skips, isUnpacked }: FileEffect,
  touch: Pick<FileTouch, "path" | "context" | "access" | "below">,
): FileTouch => ({
  ...touch,
  isGlob: word.kind === "glob",
  ...(isUnpacked ? { isUnpacked } : {}),
  ...(skips === null || skips === "hidden" ? {} : { ofGit: OF_GIT[skips] }),
});

/** Null where the folder is unknown and the path begins there. */
export function placeOf(
  { word }: FileEffect,
  folder: string | null,
  context: PathContext,
): PathContext | null {
  if (folder !== null) return { ...context, folder: absolutePath(folder, context) };
  return /^(\/|~(\/|$)|\$\{?HOME\b)/.test(word.text) ? context : null;
}

/** The path with the two variables put in whose values are known here; null where more is open. */
export function readHome(
  { word: { text, kind } }: Pick<FileEffect, "word">,
  { folder, home }: PathContext,
): string | null {
  // `~-` is the folder before this one, `~name` somebody else's home.
  if (/^~[-a-z_]/.test(text)) return null;
  const fromProcess = leaveProcess(text, folder);
  if (kind !== "open") return fromProcess;
  const path = fromProcess
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, () => home)
    .replaceAll(/\$(?:PWD\b|\{PWD\}|\(pwd\))/g, () => folder)
    .replace(TOP_OF_TREE, (whole) => topOfTree(folder) ?? whole);
  // `ln -s "$x" d` writes `d/…`, of which no part is open that stands in the word.
  return /[$`{}<>*?]/.test(path) ? null : path;
}

/** With `..` behind it a repository that the line makes would lead elsewhere. */
const TOP_OF_TREE = /^(?:\$\(|`)git rev-parse --show-toplevel[)`](?!.*\.\.)(?=\/|$)/;

/** The nearest folder that is a repository. */
function topOfTree(folder: string): string | null {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, ".git"))) return each;
    if (each === dirname(each)) return null;
  }
}

/** What a command's effects say of one another, found without comparing each with each. */
interface NamedFiles {
  /** How the words of an unknown program may be used. */
  readonly guesses: ReadonlyMap<string, ReadonlySet<string>>;
  /** The files that are surely written, in order. */
  readonly written: readonly string[];
}

function indexEffects(effects: readonly FileEffect[]): NamedFiles {
  const guesses = new Map<string, Set<string>>();
  const written = new Set<string>();
  for (const { access, word, isPossible } of effects) {
    if (access === "write" && !isPossible) written.add(word.text);
    if (!isPossible) continue;
    const uses = guesses.get(word.text) ?? new Set();
    guesses.set(word.text, uses.add(access));
  }
  return { guesses, written: [...written].sort() };
}

/** What of a folder is touched with it; null where it is the path alone. */
function readingOf(effect: FileEffect, named: NamedFiles): FolderReading | null {
  const { access, isRecursive, names, skips } = effect;
  if (access === "delete")
    return names === null ? DELETED_FILES : namesOpened(names, DELETED_FILES);
  if (!isRecursive || isGuess(effect, named) || isParent(effect, named)) return null;
  const within = skips === "hidden" ? PLAIN_FILES : ALL_FILES;
  return names === null ? within : namesOpened(names, within);
}

/** Words of a program that nobody knows count as both: whether it goes into folders is not known either. */
const isGuess = ({ isPossible, word }: FileEffect, { guesses }: NamedFiles): boolean =>
  isPossible && (guesses.get(word.text)?.size ?? 0) > 1;

/** `cp -r a b` writes `b/a`, and of `b` nothing else, unless it is the inside of `a` that is copied. */
function isParent({ access, isPossible, word }: FileEffect, { written }: NamedFiles): boolean {
  if (access !== "write" || isPossible) return false;
  const folder = `${word.text.replace(TRAILING_SLASHES, "")}/`;
  for (let at = findFirst(written, folder); written[at]?.startsWith(folder); at++)
    if (!/^\.{0,2}$/.test(written[at]?.slice(folder.length) ?? "")) return true;
  return false;
}

const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** The place of the first that is not before the text. */
function findFirst(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return from;
}
