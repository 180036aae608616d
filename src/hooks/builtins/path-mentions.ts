// The paths a shell line may mean: every word that could be one, seen from every folder it may be in.
import { absolutePath, type PathPlace } from "../match/resolve-path.ts";
import { classifyCommand } from "../shell/classify-command.ts";
import { readGitCall } from "../shell/git-call.ts";
import type { LineAnalysis, ShellWord, SimpleCommand } from "../shell/line-analysis.ts";
import { expandFiles } from "./expand-files.ts";
import type { Access } from "./protect-options.ts";

export interface PathMention {
  readonly path: string;
  readonly place: PathPlace;
  readonly accesses: readonly Access[];
  /** A folder goes with all that is in it. */
  readonly deletes: boolean;
}

const MOST_FOLDERS = 16;
const MOST_MENTIONS = 5_000;

export function readMentions(line: LineAnalysis, place: PathPlace): PathMention[] {
  const places = findFolders(line, place.folder, place.home).map((folder) => ({
    folder,
    home: place.home,
  }));
  const mentions = line.commands.flatMap((command) =>
    places.flatMap((each) => mentionsOf(command, each)),
  );
  if (mentions.length > MOST_MENTIONS) throw new Error("the line names too many files");
  return mentions;
}

/** Where the line may be when it names a file: its folder, and whatever it goes to. */
function findFolders({ commands }: LineAnalysis, cwd: string, home: string): string[] {
  const folders = [cwd];
  let current = cwd;
  for (const command of commands) {
    const steps = folderChange(command, home);
    if (steps.length === 0) continue;
    const moved = steps.reduce((folder, next) => absolutePath(next, { folder, home }), current);
    // `cd` stays in force; `git -C` is for one command alone.
    if (isMove(command)) current = moved;
    if (!folders.includes(moved) && folders.length < MOST_FOLDERS) folders.push(moved);
  }
  return folders;
}

const isMove = ({ words }: SimpleCommand): boolean => /^(cd|pushd)$/.test(words[0]?.text ?? "");

/** The folders gone to, each from the one before. */
function folderChange(command: SimpleCommand, home: string): readonly string[] {
  const [, ...rest] = command.words;
  if (isMove(command)) {
    const target = rest.find(({ text }) => !/^-./.test(text));
    return [target === undefined ? home : readHome(target, { folder: ".", home })];
  }
  const git = readGitCall(command);
  if (git !== null) return git.folders;
  const at = rest.findIndex(({ text }) => /^(-C|--chdir|--directory)$/.test(text));
  return rest.slice(at + 1, at === -1 ? 0 : at + 2).map(({ text }) => text);
}

function mentionsOf(command: SimpleCommand, place: PathPlace): PathMention[] {
  const safety = classifyCommand(command);
  const reads = safety === "read_only" || safety === "network";
  const accesses: readonly Access[] = reads ? ["read"] : ["read", "write"];
  const deletes = safety === "destructive" || command.words[0]?.text === "mv";
  const words = command.words.flatMap((word) => pathsOf(word, place));
  const files = command.redirections.flatMap((each): PathMention[] => {
    if (each.kind === "text") return [];
    const through: readonly Access[] = each.writes ? ["write"] : ["read"];
    const paths = pathsOf(each.target, place);
    return paths.map((path) => ({ path, place, accesses: through, deletes: false }));
  });
  return [...words.map((path) => ({ path, place, accesses, deletes })), ...files];
}

/** The word itself, the value of `--file=x` and `of=x`, curl's `@x`, and `x` of `-fx`. */
function pathsOf(word: ShellWord, place: PathPlace): string[] {
  const text = readHome(word, place);
  if (text === "" || text.length > 4_096) return [];
  const value = /^[^=/]*=(.+)$/s.exec(text)?.[1];
  const file = /^[^@/]*@(.+)$/s.exec(value ?? text)?.[1];
  const attached = /^-\w(.+)$/s.exec(text)?.[1];
  const remote = /^[^:/]+:(.+)$/s.exec(text)?.[1];
  const forms = [text, value, file, attached, remote].filter((each) => each !== undefined);
  return word.kind === "glob"
    ? forms.flatMap((each) => [each, ...expandFiles(each, place)])
    : forms;
}

/** The two variables whose values are known here. */
function readHome({ text, kind }: ShellWord, { folder, home }: PathPlace): string {
  if (kind !== "open") return text;
  return text
    .replaceAll(/\$(?:HOME\b|\{HOME\})/g, () => home)
    .replaceAll(/\$(?:PWD\b|\{PWD\})/g, () => folder);
}
