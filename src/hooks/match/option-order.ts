// A glob that names options right behind a command's word, `rm -rf*` or `git push --force*`, means them wherever they stand
// and however they are joined: `rm -fr x`, `rm x -r -f`, `git push origin --force`.
import { joinShellWords, type ShellWord } from "../../core/shell/simple-command.ts";

const BEGINNING = /^([\w.-]+(?: \w[\w.-]*)*) (--?[A-Za-z][\w-]*)/;
/** Longer ones behind one dash are names: `-auto-approve`. */
const CLUSTER = /^-[A-Za-z]{1,4}$/;

/** The two that are called alike in nearly every program, and may be cut short. */
const LONG_NAMES: Readonly<Record<string, string>> = { r: "--recursive", f: "--force" };

/** The command as the glob has it, its options in front; null where it lacks one of them. */
export function inOrderOf(glob: string, words: readonly ShellWord[]): string | null {
  const [, command = "", option = ""] = BEGINNING.exec(glob) ?? [];
  const verbs = command.split(" ");
  if (option === "" || !verbs.every((verb, at) => words[at]?.text === verb)) return null;
  const rest = words.slice(verbs.length);
  const found = CLUSTER.test(option) ? gather(option, rest) : moveForward(option, rest);
  return found === null ? null : joinShellWords([...words.slice(0, verbs.length), ...found]);
}

function moveForward(option: string, rest: readonly ShellWord[]): ShellWord[] | null {
  const at = rest.findIndex(({ text }) => text.startsWith(option));
  const named = rest[at];
  if (named !== undefined) return [named, ...rest.filter((_, index) => index !== at)];
  const letter = Object.entries(LONG_NAMES).find(([, name]) => name === option)?.[0];
  const found = letter === undefined ? null : gather(`-${letter}`, rest);
  return found?.with(0, { text: option, kind: "literal" }) ?? null;
}

/** `-x -fr y` as `-rf -x y`. */
function gather(cluster: string, rest: readonly ShellWord[]): ShellWord[] | null {
  const end = rest.findIndex(({ text }) => text === "--");
  const isOption = (index: number): boolean => end === -1 || index < end;
  const wanted = new Set(cluster.slice(1));
  const missing = new Set(wanted);
  const others = rest.flatMap((word, index): ShellWord[] => {
    if (!isOption(index) || !/^-./.test(word.text)) return [word];
    const letters = lettersOf(word.text, wanted);
    for (const letter of letters) missing.delete(letter);
    if (word.text.startsWith("--")) return letters.length > 0 ? [] : [word];
    const left = [...word.text.slice(1)].filter(
      (letter) => !letters.includes(sameIn(wanted, letter)),
    );
    return left.length === 0 ? [] : [{ ...word, text: `-${left.join("")}` }];
  });
  return missing.size > 0 ? null : [{ text: cluster, kind: "literal" }, ...others];
}

/** Those of the wanted letters that an option stands for. */
function lettersOf(option: string, wanted: ReadonlySet<string>): string[] {
  if (!option.startsWith("--"))
    return [...option.slice(1)]
      .map((each) => sameIn(wanted, each))
      .filter((each) => wanted.has(each));
  return [...wanted].filter((letter) => {
    const name = LONG_NAMES[letter.toLowerCase()];
    return name !== undefined && option.length > 2 && name.startsWith(option);
  });
}

/** `-R` is `-r` where a program goes through folders. */
const sameIn = (wanted: ReadonlySet<string>, letter: string): string =>
  letter === "R" && wanted.has("r") ? "r" : letter === "r" && wanted.has("R") ? "R" : letter;
