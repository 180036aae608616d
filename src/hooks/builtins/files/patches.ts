// What `git apply`, `git am` and `patch` change stands in the patch.
import { readFileSync, statSync } from "node:fs";
import { readGitCall } from "../../../core/shell/git-call.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import type { FileTouch } from "./file-touch.ts";
import { patchedFiles } from "./tool-files.ts";

interface PatchReading {
  readonly touches: readonly FileTouch[];
  /** Whether the whole patch was there to be read. */
  readonly isKnown: boolean;
}

const MAX_PATCH_BYTES = 4_194_304;

/** Null where the command applies none. */
export function readPatch(
  command: SimpleCommand,
  line: LineAnalysis,
  from: readonly PathContext[],
): PatchReading | null {
  const files = patchesOf(command);
  if (files === null) return null;
  const entered = readGitCall(command)?.folders ?? [];
  const places = from.map(({ folder, home }) => ({
    folder: entered.reduce((at, each) => absolutePath(each, { folder: at, home }), folder),
    home,
  }));
  const bodies = textsOf(command);
  const texts = [
    ...bodies,
    ...(isOwnForm(command) ? wordTexts(command) : []),
    ...files.map((file) => {
      const written = writtenByLine(file, line);
      return written === undefined ? readAll(file, places) : written;
    }),
  ];
  const paths = texts.flatMap((text) => (text === null ? [] : patchedFiles(text)));
  const isCut = !isOwnForm(command);
  const touches = places.flatMap((context) =>
    paths.flatMap((path) => (isCut ? namesOf(path) : [path]).map((each) => touchBy(each, context))),
  );
  return { touches, isKnown: texts.length > 0 && !texts.includes(null) };
}

const touchBy = (path: string, context: PathContext): FileTouch => ({
  ...{ path, context, access: "write", isGlob: false, below: null },
});

/** `apply_patch '*** Begin Patch …'`, as Codex has it: its form names each file in full. */
const isOwnForm = ({ words }: SimpleCommand): boolean =>
  /^apply_?patch$/.test(words[0]?.text ?? "");

const wordTexts = ({ words }: SimpleCommand): (string | null)[] =>
  words.slice(1).map(({ text, kind }) => (kind === "literal" ? text : null));

/** By how many folders a name is cut is told by `-p`: all ways are looked at. */
function namesOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(0, 8).map((_, index) => parts.slice(index).join("/"));
}

/** The files that hold the patches; empty where they come by the standard input. */
function patchesOf(command: SimpleCommand): string[] | null {
  const git = readGitCall(command);
  const isGit = git?.subcommand === "apply" || git?.subcommand === "am";
  if (!isGit && !isOwnForm(command) && command.words[0]?.text !== "patch") return null;
  const args = git === null ? command.words.slice(1) : git.args;
  const named = args.flatMap(({ text, kind }, index) => {
    if (kind !== "literal" || text === "-" || isOwnForm(command)) return [];
    if (!text.startsWith("-")) return isGit || args[index - 1]?.text === "-i" ? [text] : [];
    return /^(?:-i|--input=)(.+)$/.exec(text)?.slice(1, 2) ?? [];
  });
  const redirected = command.redirections.flatMap((each) =>
    each.kind === "file" && !each.writes && each.target.kind === "literal"
      ? [each.target.text]
      : [],
  );
  return [...named, ...redirected];
}

const textsOf = ({ redirections }: SimpleCommand): (string | null)[] =>
  redirections.flatMap((each) =>
    each.kind === "text" ? [each.body.kind === "literal" ? each.body.text : null] : [],
  );

/** `cat > p <<E …; git apply p`: what the line writes there counts, not what is there yet. */
function writtenByLine(file: string, { commands }: LineAnalysis): string | null | undefined {
  const writer = commands.find(({ redirections }) =>
    redirections.some((each) => each.kind === "file" && each.writes && each.target.text === file),
  );
  if (writer === undefined) return undefined;
  const [text] = textsOf(writer);
  return /^(cat|tee)$/.test(writer.words[0]?.text ?? "") ? (text ?? null) : null;
}

/** A patch that is not there changes nothing. */
function readAll(file: string, places: readonly PathContext[]): string | null {
  const texts: string[] = [];
  for (const context of places) {
    const path = absolutePath(file, context);
    try {
      if (statSync(path).size > MAX_PATCH_BYTES) return null;
      texts.push(readFileSync(path, "utf8"));
    } catch {
      // No file, or a folder of mails.
    }
  }
  return texts.join("\n");
}
