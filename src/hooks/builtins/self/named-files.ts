// Files of Adjutant's own that a line names otherwise than as the file of a program that is described: as a folder in
// code that changes things, in pieces, inside of another word, in a line that somebody else runs later.

import { basename, dirname } from "node:path";
import { isInside } from "../../../core/project/paths.ts";
import { carriedCode } from "../../../core/shell/carried-code.ts";
import { effectsOf } from "../../../core/shell/effects/effects-of.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext, resolvePath } from "../../match/paths.ts";
import { codeOf, pathsInCode } from "../files/code-text.ts";
import { ALL_FILES, type FileTouch } from "../files/file-touch.ts";
import { readHome } from "../files/place-of-path.ts";
import { isCarrier } from "./person-call.ts";

interface NamedContext extends PathContext {
  readonly root: string;
}

/** Whatever of `own` the line names so; each counts as written. */
export function namedTouches(
  line: LineAnalysis,
  own: readonly string[],
  context: NamedContext,
): FileTouch[] {
  const named = new Set<string>();
  for (const command of line.commands)
    for (const path of named.size > MAX_NAMES ? [] : namedInWords(command, context))
      named.add(path);
  const codes = [
    ...line.commands.flatMap((command) => codeOf(command) ?? []),
    ...(line.commands.some(isCarrier) ? [commandsText(line)] : []),
    ...carriedCode(line.commands).map(({ text }) => text),
  ];
  const found = new Set([
    ...[...named].flatMap((path) => ownBelow(path, own, context)),
    ...codes.flatMap((code) => [...namedInCode(code, own), ...unpackedIn(code, own, context)]),
  ]);
  return [...found].map((path) => ({
    ...{ path, context, access: "write", isGlob: false, below: ALL_FILES },
  }));
}

/** With more of them the line is refused for the number of its files. */
const MAX_NAMES = 5_000;

// Words of programs that nobody has described, and of those that hand a folder on to others.

/** `-v FOLDER:/x`, `src=FOLDER,dst=/x`, `path=FOLDER`, `OPEN:FILE,trunc`, `-oFOLDER`. */
const PIECES = /[:=,\s]|^-[a-zA-Z]/;
/** `mysql://root:pass@host/db`: who and where stands in an address before its path. */
const HOST = /\b(?!file:)[a-z][\w+.-]{0,20}:\/\/[^/\s]*/gi;
/** Inside of these the project has another name. */
const ELSEWHERE =
  /^(?:docker|podman|nerdctl|kubectl|ssh|bwrap|proot|chroot|unshare|nsenter|firejail|vagrant)$/;
const MAX_WORDS = 500;

function namedInWords(command: SimpleCommand, context: NamedContext): string[] {
  const name = command.words[0]?.text ?? "";
  const isElsewhere = ELSEWHERE.test(name);
  const guessed = effectsOf(command).filter(
    ({ access, isPossible }) => access === "write" && isPossible,
  );
  const words = isElsewhere ? command.words.slice(1) : guessed.map(({ word }) => word);
  const kept = isElsewhere || guessed.length > 0 ? command.words.slice(1) : [];
  const attached = kept.filter(({ text }) => PIECES.test(text));
  return [...words, ...attached].slice(0, MAX_WORDS).flatMap(({ text, kind }) => {
    const pieces = [text, ...text.replace(HOST, "").split(PIECES)]
      .map((each) => each.replace(/\/[^/]*[*?[][\s\S]*$/, ""))
      .filter((each) => each !== "");
    const inside = isElsewhere
      ? (/(?:^|\/)(\.adjutant(?:\/[\s\S]*)?)$/.exec(text)?.[1] ?? null)
      : null;
    const paths = pieces.flatMap((each) => readHome({ word: { text: each, kind } }, context) ?? []);
    return inside === null ? paths : [...paths, inside];
  });
}

/**
 * What of our own is there or below. A folder of the project that only has a guard among other things is everyday work
 * for many programs, and so are the project itself, the home and what is above them.
 */
function ownBelow(path: string, own: readonly string[], context: NamedContext): string[] {
  const folder = resolvePath(path, context);
  if (isInside(context.root, folder) || isInside(context.home, folder)) return [];
  const isOurs = basename(folder) === ".adjutant" || !isInside(folder, context.root);
  return own.filter((each) => isInside(each, folder) && (isOurs || each === folder));
}

// Code of another language.

/** Code that only reads may name a folder. */
const CHANGES =
  /\b(?:rm|remove|unlink|delete|rename|move|replace|write|chmod|chown|truncate|symlink|link|copy|cp|mv|save|dump|put|extract)|open\s?\([^)]{0,200}["'][wax+]|>/i;

/** A file by both of its last names, or by a folder that holds little else; `hooks.yaml` is a name of its own. */
function namedInCode(code: string, own: readonly string[]): string[] {
  if (!CHANGES.test(code)) return [];
  const names = new Set(
    pathsInCode(code).flatMap((path) => path.split("/").filter((part) => part !== "")),
  );
  return own.filter((path) => {
    const [name, folder] = [basename(path), basename(dirname(path))];
    if (folder === ".adjutant" || name === "hooks.yaml")
      return names.has(folder) || names.has(name);
    return names.has(name) && names.has(folder);
  });
}

/** What comes out of an archive is named inside of it. */
const UNPACKS = /extractall|unpack_archive|\.extract\(/;

function unpackedIn(code: string, own: readonly string[], context: PathContext): string[] {
  if (!UNPACKS.test(code)) return [];
  const folders = [".", ...pathsInCode(code)].map((path) => resolvePath(path, context));
  return own.filter((each) => folders.some((folder) => isInside(each, folder)));
}

/** As the shell has put it together, as far as that is known. */
export const commandsText = ({ commands }: LineAnalysis): string =>
  commands
    .flatMap(({ words, redirections }) => [
      ...words.map(({ text }) => text),
      ...redirections.flatMap((each) => (each.kind === "text" ? [each.body.text] : [])),
    ])
    .join("\n");

/** Absolute, links followed, as `ownBelow` compares them. */
export const resolveOwn = (own: readonly string[], context: PathContext): string[] => [
  ...new Set(own.flatMap((path) => [absolutePath(path, context), resolvePath(path, context)])),
];
