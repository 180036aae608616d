// Text that is given to an interpreter: a file whose name stands in it as a text of its own counts as touched. Names that
// are put together when it runs are not seen.
import { carriedCode } from "../../../core/shell/carried-code.ts";
import { sedFiles } from "../../../core/shell/effects/sed-files.ts";
import { readsProgramText } from "../../../core/shell/interpreters.ts";
import type { LineAnalysis, SimpleCommand } from "../../../core/shell/simple-command.ts";
import { absolutePath, type PathContext } from "../../match/paths.ts";
import { ALL_FILES, DELETED_FILES, type FileTouch, namesOpened } from "./file-touch.ts";
import { TooMuchToLookAt } from "./look-limit.ts";

/** A script of a thousand lines has fewer. */
const MAX_TEXTS = 5_000;
const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){1,300})\1/g;
const SPLIT = /[^\s"'`()[\]{}<>,;=|&]{2,300}/g;

/** Programs whose words are a language of their own that can open files. */
const OWN_LANGUAGE =
  /^([gmn]?awk|sqlite3|psql|mysql|mariadb|duckdb|m4|dc|gnuplot|octave|R|jq|gojq|yq|gomplate|mlr|nu|elvish|pandoc|asciidoc(?:tor)?|rst2\w+|typst|xmllint|xmlstarlet|xsltproc|make|gmake|cpp|cc|gcc|g\+\+|c\+\+|clang|clang\+\+|tcc|as|(?:pdf|xe|lua)?(?:la)?tex|soelim|[gnt]?roff|jsonnet|dhall|cue|nix|nix-instantiate|clickhouse(?:-local)?)$/;

/** Commands of frameworks that run code in their own process. */
const RUNS_CODE = /^(?:rails (?:runner|r)|php (?:\.\/)?artisan tinker) /;

/** The command `e` of sed, and the flag of its `s`, run a shell; a script for `-f` may stand in a here-document. */
const SED_RUNS =
  /^(?:-[a-zA-Z]*f|--fi)|(?:^|[\n;{}0-9$/,!])\s{0,9}e(?:\s|$)|^s(.).{0,200}\1.{0,200}\1[gpiI0-9]{0,9}e/;

/** The code that a command carries, null where it is no interpreter with text. */
export function codeOf(command: SimpleCommand): string | null {
  const name = command.words[0]?.text ?? "";
  const isSed = /^g?sed$/.test(name) && command.words.some(({ text }) => SED_RUNS.test(text));
  const isLanguage = OWN_LANGUAGE.test(name) || RUNS_CODE.test(command.text);
  if (!isSed && !isLanguage && !readsProgramText(command)) return null;
  const bodies = command.redirections.flatMap((each) =>
    each.kind === "text" ? [each.body.text] : [],
  );
  const texts = [...command.words.slice(1).map(({ text }) => text), ...bodies];
  return [...texts, ...(isSed ? bodies.flatMap(sedFiles) : [])].join("\n");
}

export function codeTouches(command: SimpleCommand, context: PathContext): FileTouch[] {
  const code = codeOf(command);
  if (code === null) return [];
  // Whatever names a file is a pattern to vim.
  const expands = VIM.test(command.words[0]?.text ?? "") || ASKS_NAMES.test(code);
  return [...touchesInCode(code, context, expands), ...queriedBy(command, code, context)];
}

const VIM = /^(?:n?vim?|view|ex)$/;

/** `os.ReadFile("a")` of Go and `readFile(name)` of Node are no queries, nor does another program know `fsdir`. */
const queriedBy = (
  { words: [program] }: SimpleCommand,
  code: string,
  context: PathContext,
): FileTouch[] =>
  /^sqlite\w*$/.test(program?.text ?? "") || VIM.test(program?.text ?? "")
    ? queriedFolders(code, context)
    : [];

/** What interpreters are fed, or run from files that the line makes. */
export const carriedTouches = ({ commands }: LineAnalysis, context: PathContext): FileTouch[] =>
  carriedCode(commands).flatMap(({ text, reader }) =>
    reader.folders.flatMap((folder) => {
      const place = { ...context, folder: absolutePath(folder ?? ".", context) };
      return [...touchesInCode(text, place), ...queriedBy(reader, text, place)];
    }),
  );

/** In code that asks for the names of files a pattern is one; elsewhere `.*` is an expression. */
const ASKS_NAMES = /glob|\bDir\[|<[^<>\s"'$]{0,99}[*?][^<>\s"']{0,99}>/i;
/** What is loaded so is a file with an ending. */
const LOADS = /require|\bimport\b/i;
/** In a pattern a bracket stands behind one of these marks; any other is of an expression, or of a name. */
const isPattern = (text: string): boolean =>
  /[@!+*?]\(/.test(text) || (/[*?[]/.test(text) && !text.includes("("));
/** An expression that is searched for: no pattern of names. */
const EXPRESSION =
  /\bre\.(?:compile|subn?|search|(?:full)?match|findall|finditer|split)\(\s{0,9}r?b?(["'])(?:(?!\1)[^\\\n]|\\.){0,500}\1|\.(?:replace|replaceAll|match|matchAll|split|search)\(\s{0,9}\/(?:[^/\\\n]|\\.){1,500}\/|[(=!&|?:,]\s{0,3}\/(?:[^/*\\\n]|\\.)(?:[^/\\\n]|\\.){0,500}\/[gimsuy]{0,6}\.(?:test|exec)\(/g;
const WRITES =
  /["'][wax]\+?b?["']|write|\brm|unlink|remove|delete|truncate|rename|replace|copy|move|system|exec|spawn|run\(/i;

/** Calls that take a folder with all that is in it. */
const REMOVES_TREE =
  /\b(?:file\sdelete|rmtree|remove_tree|rm_rf?|rmSync|rimraf|removeSync|emptyDirSync)\b/;
const MOVES_TREE = /\brename(?:Sync)?\b|\b(?:shutil|fs|FileUtils)\.(?:move|mv)\b|\bos\.replace\b/;
const COPIES_TREE =
  /\b(?:copytree|copy_tree|cpSync|copySync|cp_r|make_archive)\b|\btar(?:file)?\b[^\n]{0,200}\.add\s?\(/;

/** Of SQLite: a folder with all that is in it, and a file whose name a query finds. */
const FOLDER_QUERY = /\bfsdir\s{0,9}\(\s{0,9}(?:'([^'\n]{1,300})')?/gi;
const FOUND_FILE = /\b(?:readfile|fsdir|lsdir)\s{0,9}\(\s{0,9}(?!'[^'\n]{0,300}'\s{0,9}[,)])/i;

function queriedFolders(code: string, context: PathContext): FileTouch[] {
  const named = [...code.matchAll(FOLDER_QUERY)].map(([, folder = "."]) => folder);
  const all = FOUND_FILE.test(code) ? [...named, "."] : named;
  return all.slice(0, MAX_TEXTS).map((path) => ({
    ...{ path, context, access: "read", isGlob: false, below: ALL_FILES },
  }));
}

/** Of Python: the names of any folder below, hidden ones too. `rglob("*")` alone is mostly for names and sizes. */
const NAMES_BELOW = /\brglob\s?\(\s?r?["']((?![*/]+["'])[^"'\n]{1,200})["']/g;

const foundBelow = (code: string, context: PathContext): FileTouch[] =>
  [...code.matchAll(NAMES_BELOW)].slice(0, MAX_TEXTS).map(([, name = ""]) => ({
    ...{ path: ".", context, access: "read", isGlob: false },
    below: namesOpened([name]),
  }));

export function touchesInCode(
  code: string,
  context: PathContext,
  asksNames = ASKS_NAMES.test(code),
): FileTouch[] {
  const writes = WRITES.test(code);
  const removesTree = REMOVES_TREE.test(code);
  const movesTree = MOVES_TREE.test(code);
  const copiesTree = COPIES_TREE.test(code);
  const named = pathsInCode(asksNames ? code.replace(EXPRESSION, "") : code).flatMap(
    (path): FileTouch[] => {
      const isGlob = asksNames && isPattern(path);
      // `move(x, ".")` moves it there, and brings what is in it.
      const moved = movesTree && !/^\.{1,2}\/?$/.test(path) ? ALL_FILES : null;
      const below = {
        read: copiesTree ? ALL_FILES : null,
        write: removesTree ? DELETED_FILES : moved,
      };
      // What is found by a pattern is mostly counted or read.
      const accesses = isGlob && !writes ? (["read"] as const) : (["read", "write"] as const);
      return accesses.map((access) => ({ path, context, access, below: below[access], isGlob }));
    },
  );
  // `os.ReadFile("a")` of Go and `readFile(name)` of Node are no queries.
  const queried = /sqlite/i.test(code) ? queriedFolders(code, context) : [];
  return [...named, ...queried, ...foundBelow(code, context)];
}

/** `'.en\x76'`, `'\u002eenv'`, `'\056env'`. */
const ESCAPE = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([01][0-7]{2}))/gi;
const characterOf = (_: string, hex?: string, unicode?: string, octal = ""): string =>
  String.fromCharCode(Number.parseInt(hex ?? unicode ?? octal, octal === "" ? 16 : 8));

/** A quoted text, and the rest of one behind what was put before it: `f"{home}/.env"` names `.env`. */
export function pathsInCode(given: string): string[] {
  const found = new Set<string>();
  // `printf 'w file\n' | ed`: a line's end that is written out ends a name too.
  const code = given.replace(ESCAPE, characterOf).replace(/\\[nrt0]/g, "\n");
  const isAtHome = /\bHOME\b|homedir|\bhome\(|expanduser/.test(code);
  for (const pattern of [QUOTED, SPLIT])
    for (const match of code.matchAll(pattern)) {
      const text = match[2] ?? match[0];
      // A quote that is escaped for the language around it leaves its backslash behind.
      const path = text.replace(/^.*\}\/?/, "").replace(/\\$/, "");
      found.add(path);
      // `cwd() + "/.env"` is no path from the root, nor is `homedir() + "/.config"`.
      const rest = path.replace(/^\//, "");
      found.add(rest);
      if (isAtHome) found.add(`~/${rest.replace(/^(?:~|\$\{?HOME\}?)\//, "")}`);
      // What stands behind so many words may be the one file that matters.
      if (found.size > MAX_TEXTS)
        throw new TooMuchToLookAt(
          "the code has too many words that may be files; write it to a file and run that",
        );
    }
  if (LOADS.test(code))
    for (const path of [...found]) if (!/\.\w{1,9}$/.test(path)) found.add(`${path}.json`);
  // The package of that name reads the file of that name, as Node does.
  if (/\bdotenv\b|\bloadEnvFile\b/.test(code)) found.add(".env");
  found.delete("");
  return [...found];
}
