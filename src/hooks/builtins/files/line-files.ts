// The files that a shell line touches, as its effects say, and the commands of which nobody can say which they touch.
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { FileEffect } from "../../../core/shell/effects/file-effect.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext, startPath } from "../../match/paths.ts";
import { carriedTouches, codeTouches } from "./code-text.ts";
import {
  ALL_FILES,
  DELETED_FILES,
  type FileTouch,
  namesOpened,
  PLAIN_FILES,
  type TouchAccess,
} from "./file-touch.ts";
import { TooMuchToLookAt } from "./look-limit.ts";
import { followMade, linksMadeBy } from "./made-links.ts";
import { readPatch } from "./patches.ts";
import { placeOf, readHome } from "./place-of-path.ts";
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
  const behindLinks = followMade(linksMadeBy(line, context));
  for (const touch of [...touches.values()])
    for (const path of spellingsOf(touch).flatMap(behindLinks)) {
      touches.set(keyOf({ ...touch, path }), { ...touch, path });
      if (touches.size > MAX_TOUCHES)
        throw new TooMuchToLookAt("the line goes through too many links of its own; part it");
    }
  return { touches: [...touches.values()], unknown };
}

const spellingsOf = ({ path, context }: FileTouch): string[] => [
  absolutePath(path, context),
  ...(path.includes("..") ? [startPath(path, context)] : []),
];

const keyOf = ({ path, context, access, below, ofGit, isGlob, isPutBack }: FileTouch): string =>
  [access, ofGit ?? "", isGlob, isPutBack ?? "", below?.key ?? "", context.folder, path].join("\0");

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

const OF_GIT = {
  untracked: "tracked",
  ignored: "addable",
  tracked: "new",
  unchanged: "changed",
  "hidden-and-ignored": "searched",
} as const;

const touchOf = (
  { word, skips, isUnpacked, isPutBack }: FileEffect,
  touch: Pick<FileTouch, "path" | "context" | "access" | "below">,
): FileTouch => ({
  ...touch,
  isGlob: word.kind === "glob",
  ...(isUnpacked ? { isUnpacked } : {}),
  ...(isPutBack === true ? { isPutBack } : {}),
  ...(skips === null || skips === "hidden" ? {} : { ofGit: OF_GIT[skips] }),
});

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
  const within = skips?.startsWith("hidden") === true ? PLAIN_FILES : ALL_FILES;
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
