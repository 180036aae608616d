// Words of the shell's own commands that the shell evaluates a second time: `test -v 'a[$(…)]'` runs what is in it.
import type { ShellWord, SimpleCommand } from "../simple-command.ts";
import { DIVERTING_NAMES } from "../wrappers/wrappers.ts";

type Words = readonly ShellWord[];

const BUILTINS: ReadonlySet<string> = new Set(
  `test [ printf read getopts unset wait export declare typeset local readonly cd pushd popd exit return shift break
   continue set shopt umask ulimit jobs fg bg disown times type help trap-none`.split(/\s+/),
);
const SUBSTITUTION = /`|\$[({]/;

/** A substitution in quotes is harmless to a program and not to the shell. */
export function provesPlainWords(name: string, words: Words): boolean {
  return (
    !BUILTINS.has(name) ||
    words.every(({ text, kind }) => kind !== "literal" || !SUBSTITUTION.test(text))
  );
}

const NAME = /^[A-Za-z_]\w*$/;
const isName = ({ text, kind }: ShellWord): boolean => kind === "literal" && NAME.test(text);

/** What stands behind `-v` and `-R` names a variable, whose subscript would be evaluated. */
export function provesTest(words: Words): boolean {
  return words.every((word, index) => {
    if (/^-[vR]$/.test(word.text))
      return words[index + 1] === undefined || isName(words[index + 1] ?? word);
    // A word that nobody knows may be a `-v` itself only where an operator can stand.
    return (
      word.kind !== "open" ||
      index > 0 ||
      words.length === 1 ||
      !/^[$`]/.test(word.text) ||
      isOperator(words[1])
    );
  });
}

const isOperator = (word: ShellWord | undefined): boolean =>
  word !== undefined &&
  /^(=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef|\]|-a|-o)$/.test(word.text);

/** `-v` stores, and the name may hold a subscript. */
export function provesPrintf(words: Words): boolean {
  const [first] = words;
  if (first === undefined) return true;
  return first.kind !== "open" || /^[^$`-]/.test(first.text) ? !first.text.startsWith("-v") : false;
}

const READ_OPTIONS = /^-[ersaudinNptf]*$/;

/** Plain names, and options that take no name with a subscript. */
export function provesNames(words: Words): boolean {
  if (words.some(({ text }) => DIVERTING_NAMES.test(text))) return false;
  return words.every(({ text, kind }, index) => {
    if (kind !== "literal") return false;
    const isValue = /^-[a-zA-Z]*[dinNptu]$/.test(words[index - 1]?.text ?? "");
    return (
      isValue ||
      NAME.test(text) ||
      READ_OPTIONS.test(text) ||
      /^\d+$/.test(text) ||
      /^:?[A-Za-z:]+$/.test(text)
    );
  });
}

/** `-i` evaluates, `-n` refers; a name with a subscript is evaluated too. */
export function provesDeclaration(words: Words, { assignments }: SimpleCommand): boolean {
  const isPlain = words.every(({ text, kind }) => {
    if (/^[-+]/.test(text)) return kind === "literal" && /^[-+][pxrgaAfFlu]+$/.test(text);
    return /^[A-Za-z_]\w*(\+?=|$)/.test(text);
  });
  return isPlain && assignments.every(({ name }) => NAME.test(name));
}
