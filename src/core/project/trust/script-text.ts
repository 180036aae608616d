// What a script loads and runs in its turn, as far as its text says so. Pure: whether a file is there is seen by who asks.
import { dirname, extname, isAbsolute, join, posix } from "node:path";
import { joinFolder } from "../../shell/line-state.ts";
import { manyPathsIn, pathsIn, type UncoveredRun, VARIABLES_FILE } from "./command-reading.ts";
import { readCommandWords, readVariables } from "./executed-words.ts";
import { IMPORT_SPECIFIER } from "./imported-packages.ts";
import { readVariablesFile } from "./open-variables.ts";
import { readLine } from "./program-line.ts";
import { filesStartedIn } from "./started-files.ts";

interface ScriptReading {
  /** Each is one file under one of these paths from the root, found from the script's own place. */
  readonly imports: readonly (readonly string[])[];
  /** Packages, which are looked for in `node_modules` around it. */
  readonly packages: readonly string[];
  /** It looks for files beside itself by a path that it makes when it runs. */
  readonly looksBeside: boolean;
  /** It goes up from its own place, mostly to the project's root. */
  readonly looksAbove: boolean;
  /** What it runs from the folder it is run in. */
  readonly uncovered: readonly UncoveredRun[];
}

type Language = "javascript" | "python" | "shell" | "ruby" | "other";

const LANGUAGES: Readonly<Record<string, Language>> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
  ".tsx": "javascript",
  ".py": "python",
  ".sh": "shell",
  ".bash": "shell",
  ".zsh": "shell",
  ".rb": "ruby",
};

/** Data that no interpreter loads code by. */
const DATA = /\.(json|txt|md|ya?ml|toml|csv|env|lock)$/;
const MAX_TEXT = 1024 * 1024;

/** With the interpreter that is given it: that one reads it, whatever its name's end says. */
export function readScript(path: string, text: string, by: string | null): ScriptReading {
  if (by === VARIABLES_FILE) return { ...EMPTY, uncovered: readVariables(readVariablesFile(text)) };
  const given = by === null ? null : languageOfProgram(by.replace(/[\d.]+$/, ""));
  const language = given ?? languageOf(path, text);
  if (
    (DATA.test(path) && (given === null || path.endsWith(".env"))) ||
    text.includes("\0") ||
    text.length > MAX_TEXT
  )
    return EMPTY;
  const uncovered = [...readFirstLine(text), ...readRuns(language, text, path)];
  const imports = listImports(language, text, path);
  return {
    imports: imports.map(({ paths }) => paths),
    packages: language === "javascript" ? listPackages(text) : [],
    looksBeside: OWN_PLACE.test(text),
    looksAbove: OWN_PLACE.test(text) && /\.\.(?!\.)|\bparents?\b|show-toplevel/.test(text),
    uncovered,
  };
}

const EMPTY: ScriptReading = {
  imports: [],
  packages: [],
  looksBeside: false,
  looksAbove: false,
  uncovered: [],
};

function languageOf(path: string, text: string): Language {
  const known = LANGUAGES[extname(path)];
  if (known !== undefined) return known;
  const program =
    /^#!.*?([a-z]+)[\d.]*(?:\s+-.*)?\s*$/m.exec(text.split("\n", 1)[0] ?? "")?.[1] ?? "";
  const named = languageOfProgram(program);
  if (named !== null) return named;
  // A file without a name's end that a shell is given.
  return extname(path) === "" && !text.startsWith("#!") ? "shell" : "other";
}

function languageOfProgram(program: string): Language | null {
  if (/^(node|nodejs|deno|bun|tsx|ts-node)$/.test(program)) return "javascript";
  if (/^(python|pypy)$/.test(program)) return "python";
  if (program === "ruby") return program;
  return /^(ba|da|z|k|mk|a)?sh$/.test(program) ? "shell" : null;
}

/** By which a script asks where it lies itself. */
const OWN_PLACE =
  /\$\{?0\b|BASH_SOURCE|\$\{?\(%\)|__dirname|__filename|import\.meta|__file__|FindBin|__DIR__|__FILE__|createRequire|require\.resolve|argv\[0\]|process\.argv\[1\]|scriptPath|PROGRAM_NAME|Deno\.mainModule|\bimportlib\b|__import__|\bimport[ \t]*\*|\brequire\s*\(\s*[\w$]|\brequire\b(?!\s*\(|\.resolve|[\w"'`-])/;

/** `#!/usr/bin/env -S node --import ./x.mjs` */
function readFirstLine(text: string): UncoveredRun[] {
  const line = text.startsWith("#!") ? (text.slice(2).split("\n", 1)[0] ?? "") : "";
  if (line.trim() === "") return [];
  const words = line
    .trim()
    .split(/\s+/)
    .map((word) => ({ text: word, kind: "literal" as const }));
  const variables = words.flatMap(({ text: word }) => {
    const [, name, value = ""] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    return name === undefined ? [] : [{ name, value: { text: value, kind: "literal" as const } }];
  });
  const isEnv = /\/env$/.test(words[0]?.text ?? "");
  const own = isEnv ? words.slice(1).filter(({ text }) => !/^(-S|\w+=.*)$/.test(text)) : words;
  const { executed, uncovered } = readCommandWords(own);
  const files = executed.map(({ path }) => path).filter((path) => !path.startsWith("/"));
  const named = { what: `what \`#!${line}\` names`, isOfProject: true, files };
  return [...readVariables(variables), ...uncovered, ...(files.length === 0 ? [] : [named])];
}

interface Import {
  readonly paths: readonly string[];
}

const ENDINGS = [
  "",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".tsx",
  ".json",
  "/index.js",
  "/index.ts",
  "/package.json",
];

function listImports(language: Language, text: string, path: string): Import[] {
  const folder = dirname(path);
  const beside = (name: string, endings: readonly string[]): Import => ({
    paths: endings.map((ending) => posix.normalize(join(folder, `${name}${ending}`))),
  });
  if (language === "javascript")
    return specifiers(text)
      .filter((name) => /^\.{1,2}\//.test(name))
      .map((name) => beside(name.replace(/[?#].*$/, ""), [...ENDINGS, ...typed(name)]));
  if (language === "python") return listPythonImports(text).map((name) => beside(name, PY_ENDINGS));
  if (language === "ruby")
    return [...text.matchAll(/\brequire_relative\s*\(?\s*["']([^"']+)["']/g)].map(([, name = ""]) =>
      beside(name, ["", ".rb"]),
    );
  return [];
}

/** TypeScript may name the file by what it becomes. */
const typed = (name: string): string[] =>
  name.endsWith(".js") ? [`/../${name.split("/").at(-1)?.replace(/js$/, "ts")}`] : [];

/** Also behind a comment: `import(/* webpackIgnore: true *\/ "./x")`. */
const specifiers = (text: string): string[] =>
  [text, text.replace(/\/\*(?:[^*]|\*(?!\/))*\*\//g, " ")].flatMap((one) =>
    [...one.matchAll(IMPORT_SPECIFIER)].map(([, name = ""]) => name),
  );

const listPackages = (text: string): string[] =>
  specifiers(text).filter(
    (name) =>
      /^(@[\w.-]+\/)?[\w#~][\w.-]*/.test(name) && !/^(node|data|https?|npm|jsr|bun):/.test(name),
  );

const PY_ENDINGS = [".py", "/__init__.py"];

function listPythonImports(text: string): string[] {
  const names: string[] = [];
  // A list may go over several lines, in brackets or behind a backslash.
  const lines = text.replace(/\\\r?\n/g, " ");
  for (const [, from, list, plain] of lines.matchAll(
    /(?:^|[:;])[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))/gm,
  )) {
    if (from === undefined) names.push(...namesOf(plain ?? ""));
    else {
      names.push(from);
      names.push(
        ...namesOf((list ?? "").replace(/#.*|[()]/g, "")).map((name) => `${from}.${name}`),
      );
    }
  }
  return [...new Set(names)].flatMap(pathsOfModule);
}

const namesOf = (list: string): string[] =>
  list
    .split(",")
    .map((part) => part.trim().split(/\s+/)[0] ?? "")
    .filter((name) => /^[\w.]+$/.test(name));

/** `a.b.c` loads `a`, `a.b` and `a.b.c`; a dot before it is the package's own folder. */
function pathsOfModule(name: string): string[] {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const up = dots > 1 ? "../".repeat(dots - 1) : "";
  const parts = name.slice(dots).split(".").filter(Boolean);
  return parts.map((_, at) => `${up}${parts.slice(0, at + 1).join("/")}`);
}

const STARTS_OTHERS =
  /\.constructor\s*\)?\s*\(|\b(subprocess|from\s+os\s+import\b[^\n]*\b(system|popen|exec\w*|spawn\w*|posix_spawn\w*)|os\.(system|popen|exec\w*|spawn\w*)|create_subprocess\w*|child_process|setupPrimary|execSync|spawnSync|execa|Bun\.spawn|Deno\.Command|runpy|importlib|exec(file|ve)?\b|system\(|popen|Kernel\.|eval\b|compile\s*\(|_compile|runIn\w*Context|Function\s*\(|\bWorker\b|pickle|marshal|shelve|joblib|loadEnvFile|pty\.|runsource|runcode|doctest|timeit|unittest|(file|dict)Config|dlopen|dlsym|CDLL|cdll|LoadLibrary|posix_spawn|`)/;

const MAX_WORDS = 2_000;

/** Folders in which a script has others looked for. */
const FOLDERS = /^[ \t]*use\s+lib\b|@INC\b|\bauto_path\b|\bpackage\.path\b/m;

/** Modules from another place than the script's own. */
const LOADS_OTHERS: Partial<Record<Language, RegExp>> = {
  javascript:
    /\b(import|require)\s*\(\s*(?!["'`][^"'`$\n]*["'`]\s*[,)])(?![^\n;]*(import\.meta|__dirname))|\bcreateRequire\s*\((?![^\n;]*(import\.meta|__dirname|__filename))|\b(_load|runMain)\s*\(|\bregister\s*\(\s*["'`](?![^\n;]*import\.meta)|module\.constructor\b/,
  python:
    /^(?!.*__file__).*(\bsys\.path\b|\bpkgutil\b|\bload_module\b|\bimportlib\b|\brunpy\b|\baddsitedir\b|__import__|\bexec\s*\(|\bexecfile\b)/m,
};

/** A shell script's commands are read like a definition's; of other languages the texts that name files. */
function readRuns(language: Language, text: string, path: string): UncoveredRun[] {
  if (language === "shell") return readShellRuns(text, path);
  if (LOADS_OTHERS[language]?.test(text) === true)
    return [
      { what: `what \`${path}\` loads by a path that it makes`, isOfProject: true, files: [] },
    ];
  // Perl, Tcl, awk and others load and start files by words of many forms: what is there by such a name counts.
  if (language === "other") {
    const what = `what \`${path}\` loads or starts in its turn`;
    const files = FOLDERS.test(text) ? [] : filesStartedIn(text, manyPathsIn(text, MAX_WORDS));
    return [{ what, isOfProject: true, files }];
  }
  if (!STARTS_OTHERS.test(text)) return [];
  const quoted = [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.){1,300})\1/g)];
  const files = filesStartedIn(
    text,
    quoted.flatMap(([, , inner = ""]) => pathsIn(inner)),
  );
  if (files.length === 0) return [];
  return [{ what: `what \`${path}\` starts in its turn`, isOfProject: true, files }];
}

/** `awk '{print $0}'` says nothing of the script's own place. */
const QUOTED_CODE = /'[^'\n]{0,2000}'/g;

function readShellRuns(text: string, path: string): UncoveredRun[] {
  // What is found by the script's own place is in the copy with it.
  const isPlaced = OWN_PLACE.test(text.replace(QUOTED_CODE, ""));
  const runs: UncoveredRun[] = [];
  const { uncovered } = readLine(text, ({ path: file, folders }) => {
    const what = `\`${file}\`, which \`${path}\` runs`;
    // A folder that shows only when it runs may be any of the project's.
    const isMoved = folders.some((folder) => folder === null || leavesEntered(folder, file));
    // One that the script makes itself is not there before, nor is one that somebody puts there later.
    const isAnywhere = (isMoved || isMade(file, text)) && !isAbsolute(file) && !isPlaced;
    const files = filesIn([file], folders);
    runs.push({ what, isOfProject: true, files, ...(isAnywhere && { needsFiles: false }) });
    return null;
  });
  const own = uncovered.filter(
    ({ run }) =>
      (run.isOfProject || run.files.length > 0) &&
      !(isPlaced && run.what.includes("known only when it runs")),
  );
  return [
    ...runs,
    ...own.map(({ run, folders }) => ({
      ...run,
      what: `${run.what}, in \`${path}\``,
      files: filesIn(run.files, folders),
    })),
  ];
}

/**
 * Whether a text names the file, or a folder on the way to it, elsewhere than where it runs it: `cp y z; sh z`,
 * `ln -s d e; sh e/x`, `[ -f z ] && . ./z`.
 */
export function isMade(file: string, text: string): boolean {
  const parts = file.split("/").filter((part) => part !== "." && part !== "");
  return parts.some((part, at) => {
    const path = parts.slice(0, at + 1).join("/");
    return part !== ".." && text.split(path).length > 2;
  });
}

/** `cd link; sh ../y`: beside what the link leads to. */
const leavesEntered = (folder: string, file: string): boolean =>
  folder !== "." && /(?:^|\/)\.\.\//.test(file);

/** From the folder that the script is run in; what only shows when it runs is looked for there, too. */
const filesIn = (files: readonly string[], folders: readonly (string | null)[]): string[] => [
  ...new Set(
    folders.flatMap((folder) => files.map((file) => joinFolder(folder ?? ".", file) ?? file)),
  ),
];
