// Settings of an agent that come into a project without being named: inside of a folder that is moved, copied, linked,
// cloned or unpacked to where an agent reads them.
import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { statOf } from "../../../core/project/files.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { codeOf } from "../files/code-text.ts";
import type { FileTouch } from "../files/file-touch.ts";
import { lineFiles } from "../files/line-files.ts";

interface BroughtContext extends PathContext {
  readonly root: string;
}

/** Each of `tails`, the settings as they lie below a folder of a project, that the line brings there; it counts as written. */
export function broughtTouches(
  line: LineAnalysis,
  tails: readonly string[],
  context: BroughtContext,
): FileTouch[] {
  const found = new Set<string>();
  for (const command of line.commands.filter(placesFiles))
    for (const path of broughtBy(command, { line, tails, context })) found.add(path);
  return [...found].map((path) => ({
    ...{ path, context, access: "write", isGlob: false, below: null },
  }));
}

/** Programs that put a folder with what is in it, and code that calls for the same. */
const PLACES = /^(?:cp|mv|ln|rsync|install|ditto|git|hg|svn|rename|mount)$/;
const UNPACKS = /^(?:tar|bsdtar|unzip|7z|7za|cpio|git|hg|svn|rsync|scp|mount)$/;
const PLACES_IN_CODE = /rename|move|copytree|copy|cp|link|extract|unpack|clone|mv\b/i;

const nameOf = ({ words }: SimpleCommand): string => basename(words[0]?.text ?? "");

const placesFiles = (command: SimpleCommand): boolean =>
  PLACES.test(nameOf(command)) ||
  UNPACKS.test(nameOf(command)) ||
  PLACES_IN_CODE.test(codeOf(command) ?? "");

interface Look {
  readonly line: LineAnalysis;
  readonly tails: readonly string[];
  readonly context: BroughtContext;
}

function broughtBy(command: SimpleCommand, { line, tails, context }: Look): string[] {
  const { touches } = lineFiles({ ...line, commands: [command] }, context);
  const pathsOf = (access: FileTouch["access"]): string[] => [
    ...new Set(touches.filter((each) => each.access === access).map(pathOf)),
  ];
  // What is mounted is given to no file's reader or writer.
  const isMount = nameOf(command) === "mount";
  const words = isMount ? wordsOf(command, context) : [];
  const from = [...pathsOf("read"), ...pathsOf("write"), ...words];
  const to = [...touches.filter(isPut).map(pathOf), ...words].filter((path) =>
    `${path}/`.startsWith(`${context.root}/`),
  );
  const isFilled = UNPACKS.test(nameOf(command));
  // Another command of the line may put something into it first.
  const isKnown = line.commands.length === 1 && !isFilled && codeOf(command) === null;
  return [...new Set(to)].flatMap((target) =>
    tails.flatMap((tail) => broughtTo(target, tail, { from, isFilled, isKnown })),
  );
}

const isPut = ({ access, below }: FileTouch): boolean =>
  access === "write" && below?.isDeletion !== true;

/** The folder itself where its inside is meant: `evil/.`, `evil/*`. */
const pathOf = ({ path, context }: FileTouch): string =>
  absolutePath(path.replace(/\/(?:\.|[^/]*[*?[][^/]*)$/, "") || "/", context);

const wordsOf = ({ words }: SimpleCommand, context: PathContext): string[] =>
  words.slice(1).flatMap(({ text }) => (text.startsWith("-") ? [] : [absolutePath(text, context)]));

interface Sources {
  readonly from: readonly string[];
  /** What is in the folder afterwards cannot be looked up before. */
  readonly isFilled: boolean;
  /** What is in the sources now is all that comes. */
  readonly isKnown: boolean;
}

/** The settings' path where the target, or a folder of theirs that it stands for, gets them. */
function broughtTo(target: string, tail: string, { from, isFilled, isKnown }: Sources): string[] {
  const parts = tail.split("/");
  const sources = from.filter((source) => source !== target);
  const isSeen = isKnown && sources.some((source) => statOf(source, statSync) !== null);
  return parts.flatMap((_, taken) => {
    const [outer, inner] = [parts.slice(0, taken), parts.slice(taken)];
    const isTheirs = outer.length > 0;
    if (isTheirs && !target.endsWith(`/${outer.join("/")}`)) return [];
    const isHeld = sources.some((source) => existsSync(join(source, ...inner)));
    // Nothing is there yet, so what comes is their whole folder.
    const isNew = isTheirs && !isSeen && statOf(target, lstatSync) === null;
    const isOpen = isTheirs && isFilled && statOf(target, statSync)?.isDirectory() === true;
    return isHeld || isNew || isOpen ? [join(target, ...inner)] : [];
  });
}
