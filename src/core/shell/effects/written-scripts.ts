// Files that a line makes and then runs: a script whose text stands in the line is read, of any other nobody knows what it does.
import { isInterpreter } from "../interpreters.ts";
import { mayRedefine } from "../known-output.ts";
import { joinFolder } from "../line-state.ts";
import type { SimpleCommand, Unsure } from "../simple-command.ts";
import { effectsOf } from "./effects-of.ts";

/** The texts of scripts by their paths. */
type Scripts = ReadonlyMap<string, string>;

export const NO_SCRIPTS: Scripts = new Map();

/** `cat > x.sh <<'E'` and nothing else that writes there, or who knows where. */
export function writtenScripts(commands: readonly SimpleCommand[], line: string): Scripts {
  const texts = new Map<string, string>();
  if (mayRedefine(line) || !commands.some((command) => scriptText(command) !== null)) return texts;
  const written = new Set<string>();
  for (const command of commands) {
    if (ONLY_MARKS.has(command.words[0]?.text ?? "") || command.form === "base-name") continue;
    const text = scriptText(command);
    for (const { access, word, folders, isRecursive, isPossible } of effectsOf(command)) {
      if (access !== "write" && access !== "delete") continue;
      // The words of a program that nobody knows are seldom folders.
      const isWide = isRecursive && !(isPossible && IS_NAME.test(word.text));
      if (word.kind !== "literal" || isWide) return NO_SCRIPTS;
      for (const folder of folders) {
        const path = joinFolder(folder, word.text);
        if (path === null) return NO_SCRIPTS;
        // With a folder goes what was written into it.
        for (const each of texts.keys()) if (each.startsWith(`${path}/`)) texts.delete(each);
        if (access === "delete") continue;
        if (text !== null && !written.has(path)) texts.set(path, text);
        else texts.delete(path);
        written.add(path);
      }
    }
  }
  return texts;
}

const IS_NAME = /^\w[\w-]*$/;

const SHEBANG = /^#!\s*(?:\/usr)?\/bin\/(?:env (?:-S )?)?(?:ba|da|z|k)?sh(?: -[a-z]+)*\s*$/;

/** Of a `cat` that has nothing but a text and a file to write it to. */
function scriptText({ words, redirections }: SimpleCommand): string | null {
  const [first, second, another] = redirections;
  if (words.length !== 1 || words[0]?.text !== "cat" || another !== undefined) return null;
  const [text, file] = first?.kind === "text" ? [first, second] : [second, first];
  if (text?.kind !== "text" || file?.kind !== "file" || !file.writes) return null;
  const [start = ""] = text.body.text.split("\n", 1);
  const isShell = !start.startsWith("#!") || SHEBANG.test(start);
  return text.body.kind === "literal" && isShell ? text.body.text : null;
}

/** In a process of its own, so that it leaves no variable and no folder behind. */
const runsApart = (program: string): boolean =>
  SHELL.test(program) || (program.includes("/") && !isInterpreter(program));

interface ScriptRun {
  readonly path: string;
  readonly text: string;
  readonly folders: SimpleCommand["folders"];
}

/** Each script that is run, once for the folders it runs in. */
export function scriptRuns(
  commands: readonly SimpleCommand[],
  scripts: Scripts,
): readonly ScriptRun[] {
  const found = new Map<string, ScriptRun>();
  if (scripts.size === 0) return [];
  for (const command of commands)
    for (const { access, word, folders } of effectsOf(command))
      for (const folder of access === "execute" || access === "read" ? folders : []) {
        const path = word.kind === "literal" ? joinFolder(folder, word.text) : null;
        const text = path === null ? undefined : scripts.get(path);
        if (path === null || text === undefined || !runsApart(command.words[0]?.text ?? ""))
          continue;
        found.set([path, ...command.folders].join("\0"), { path, text, folders: command.folders });
      }
  return [...found.values()];
}

/** Files that a shell runs when it starts. */
const START_FILE =
  /^\.(bashrc|bash_profile|bash_login|profile|kshrc|zshrc|zshenv|zprofile|zlogin)$/;
const SHELL = /^(ba|da|z|k|mk|a)?sh$/;

/** The commands that run a file which the line makes and of which nobody has seen what is in it. */
export function writtenRuns(
  commands: readonly SimpleCommand[],
  read: ReadonlySet<string>,
): Unsure[] {
  const unsure: Unsure[] = [];
  const written = new Set<string>();
  // `cp /bin/rm d/ls; PATH=d; ls x`: a program is found by its name alone.
  const setsPath = commands.some(({ assignments }) =>
    assignments.some(({ name }) => name === "PATH"),
  );
  // What a variable names is run by every shell that comes behind.
  const started = commands.filter(({ assignments }) =>
    assignments.some(({ name }) => name === "ENV" || name === "BASH_ENV"),
  );
  const setsHooks = commands.some(({ words }) =>
    words.some(({ text }) => /^core\.hookspath(?:=|$)/i.test(text)),
  );
  let startsUp = false;
  for (const command of [...commands, ...started]) {
    const program = command.words[0]?.text ?? "";
    if ((startsUp && SHELL.test(program)) || (setsPath && written.has(`*/${program}`)))
      unsure.push({ kind: "written-script", text: command.text });
    for (const { access, word, folders, isPossible } of [
      ...effectsOf(command),
      ...defaultMakefiles(command),
    ]) {
      if (access === "execute" && RUNS_SHELL.test(program) && word.text.startsWith("<("))
        unsure.push({ kind: "written-script", text: command.text });
      if (word.kind !== "literal" || word.text.length > MAX_PATH_LENGTH) continue;
      for (const folder of folders) {
        const path = joinFolder(folder, word.text) ?? word.text;
        if (access === "write" && !isPossible && !ONLY_MARKS.has(program)) {
          const name = word.text.slice(word.text.lastIndexOf("/") + 1);
          written.add(path).add(`*/${name}`);
          startsUp ||= START_FILE.test(name);
          if (OWN_HOOK.test(path) || (setsHooks && HOOK.test(name)))
            unsure.push({ kind: "written-script", text: command.text });
        }
        // `sh < file` runs it as well.
        const isRun = access === "execute" || (access === "read" && SHELL.test(program));
        if (!isRun || !written.has(path) || (read.has(path) && runsApart(program))) continue;
        unsure.push({
          kind:
            isInterpreter(program) && !RUNS_SHELL.test(program) ? "interpreter" : "written-script",
          text: command.text,
        });
      }
    }
  }
  return unsure;
}

/** `make` alone runs one of these, `ninja` and `just` theirs. */
const MAKEFILES: Readonly<Record<string, readonly string[]>> = {
  ninja: ["build.ninja"],
  samu: ["build.ninja"],
  just: ["justfile", "Justfile", ".justfile"],
};

const defaultMakefiles = ({ words: [first, ...rest], folders }: SimpleCommand) =>
  RUNS_SHELL.test(first?.text ?? "") &&
  !rest.some(({ text }) => /^(-f|--(make|just)?file)/.test(text))
    ? (MAKEFILES[first?.text ?? ""] ?? ["GNUmakefile", "makefile", "Makefile"]).map((text) => ({
        ...({ access: "execute", isPossible: false, folders } as const),
        word: { text, kind: "literal" } as const,
      }))
    : [];

const MAX_PATH_LENGTH = 4_096;
/** Git runs it by itself. */
const OWN_HOOK = /(?:^|\/)\.git\/hooks\/[\w-]+$/;
/** Its hooks by their names, for a folder that the line tells git of. */
const HOOK = /^(?:(?:pre|post)-[a-z-]+|(?:prepare-)?commit-msg|reference-transaction|update)$/;
/** The lines of a makefile are a shell's. */
const RUNS_SHELL = /^(g?make|ninja|samu|just)$/;
/** These write no text. */
const ONLY_MARKS: ReadonlySet<string> = new Set(["chmod", "chown", "chgrp", "touch", "mkdir"]);
