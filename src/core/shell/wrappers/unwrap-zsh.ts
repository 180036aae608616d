// What zsh reads otherwise than the shells that the parser knows.
import type { InnerCommand, ShellWord } from "../simple-command.ts";

/** `*(e:'…':)`, `*(+f)`: a pattern that runs a line, or a function, for each file. */
const RUNNING_PATTERN = /[*?\]/\w]\([^()\s|]{0,20}(?:e[^\w\s()|]|\+[a-zA-Z_])/;
/** `${(e)x}` runs the substitutions of a value. */
const EXPANDING_FLAG = /\$\{\([^()\s]{0,12}e[^()\s]{0,12}\)/;
/** `aliases[x]=…`, `functions[x]=…`: a name that from then on runs something else. */
const DEFINING = /\b(?:dis_)?(?:[gs]?aliases|functions|commands|builtins)\[[^\]\n]{1,200}\]\+?=/;
/** Modules that give files, processes and connections of their own; those that only compute are left out. */
const MODULE = /\bzmodload\s(?!(?:-\w+\s+)?zsh\/(?:datetime|mathfunc|stat|regex|pcre|zprof)\b)/;
/** Functions that come with zsh and run what they are given, or move files. */
const BROUGHT = /\b(?:zargs|zmv|zcp|zln|zed|zpty|sched|zselect|zsystem|sysopen)\b/;
/** `(#i)` in a pattern. */
const PATTERN_FLAG = /\(#[a-zA-Z]/;

const UNREAD = [RUNNING_PATTERN, EXPANDING_FLAG, DEFINING, MODULE, BROUGHT, PATTERN_FLAG];

/** `dr*(/)` is `dr*` of which only folders count. */
const QUALIFIERS = /([*?\]])\([-^./@=*%\w[\]:+,]{1,20}\)/g;

/** `${(f)"$(<file)"}`: a value may be a substitution, which other shells would not read there. */
const AROUND_SUBSTITUTION = /\$\{(?:\([^()]{0,40}\))?[=^~]{0,3}(?="?(?:\$[({]|`))/g;

/** The line for a shell that the parser knows, and whether there is more in it: `>! file`, `*(.)`, `$mapfile[file]`. */
export function readZsh({ text, kind }: ShellWord): InnerCommand[] {
  const read = text
    .replace(/(>>?)!(?=\s)/g, "$1")
    .replace(QUALIFIERS, "$1")
    .replace(AROUND_SUBSTITUTION, "");
  const isUnread = UNREAD.some((pattern) => pattern.test(text));
  return [
    { kind: "text", text: { text: read, kind } },
    ...(isUnread ? [{ kind: "unseen", what: text } as const] : []),
  ];
}
