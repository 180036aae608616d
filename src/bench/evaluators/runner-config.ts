// Files by which an agent could steer the program that grades it: what a test runner reads without being told.
import { basename, dirname } from "node:path";
import { compareTrees } from "../files/compare-trees.ts";
import type { Snapshot } from "../suite/evaluator.ts";

/** Nothing but configuration of runners: where hidden tests run, these are the suite's business alone. */
const CONFIG = new RegExp(
  `^(?:${[
    "conftest\\.py|\\.?pytest\\.(?:ini|toml)|tox\\.ini|noxfile\\.py|(?:site|user)customize\\.py|.*\\.pth",
    "(?:jest|vitest|ava|karma|cypress|playwright|wdio)\\.(?:config|conf|setup|workspace)\\.\\w+",
    "\\.mocharc(?:\\.\\w+)?|mocha\\.opts|\\.nycrc(?:\\.\\w+)?|\\.c8rc(?:\\.\\w+)?|\\.jasmine\\.json|bunfig\\.toml",
    "\\.taprc|\\.coveragerc|node\\.config\\.json|\\.bazelrc",
    "\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pnpmfile\\.c?js|phpunit\\.xml(?:\\.dist)?|\\.rspec",
  ].join("|")})$`,
);

/** Settings that name what runs the tests, and modules that Python takes from the folder it is in before a runner's own. */
const STEERING =
  /(?:^|\/)\.(?:cargo\/config(?:\.toml)?|mvn\/[^/]+)$|^(?:unittest|pytest|_pytest|pluggy|nose2?|doctest|runpy|importlib)(?:\.(?:[\w-]+\.)*(?:pyc?|so)$|\/)/;

/** What Python finds as a module of a name: `x.py`, `x/__init__.py`, what is compiled of either. */
const moduleOf = (names: string): RegExp =>
  new RegExp(`^(?:${names})(?:/__init__)?\\.(?:[\\w-]+\\.)*(?:pyc?|so)$`);

/** Modules of Python's own that `-m unittest` and `-m pytest` load: one of that name in their folder stands before them. */
const OF_RUNNERS = moduleOf(
  "argparse|asyncio|collections|concurrent|contextlib|contextvars|dataclasses|difflib|dis|fnmatch|gettext|iniconfig|inspect|linecache|logging|opcode|pprint|selectors|subprocess|textwrap|threading|traceback|typing|warnings|weakref|_colorize",
);
/** The same, under names that somebody's work may well have. */
const OF_RUNNERS_OR_WORK = moduleOf("ast|copy|enum|heapq|locale|re|signal|struct|token|tokenize");

/** These are often part of the work, and steer runners all the same: a person is told. */
const MIXED = new RegExp(
  `^(?:${[
    "package\\.json|pyproject\\.toml|setup\\.(?:cfg|py)|(?:GNU)?[Mm]akefile|[Jj]ustfile|Rakefile",
    "build\\.gradle(?:\\.kts)?|pom\\.xml|Cargo\\.toml|build\\.rs|rust-toolchain(?:\\.toml)?|go\\.work",
    "(?:vite|babel)\\.config\\.\\w+|\\.babelrc(?:\\.\\w+)?|\\.swcrc|tsconfig\\.json",
    "\\.(?:python|ruby|node)-version|\\.tool-versions|\\.?mise\\.toml|\\.envrc",
  ].join("|")})$`,
);

export const isRunnerConfig = (path: string): boolean =>
  CONFIG.test(basename(path)) || STEERING.test(path) || OF_RUNNERS.test(path);

const isSteering = (path: string): boolean =>
  isRunnerConfig(path) ||
  MIXED.test(basename(path)) ||
  OF_RUNNERS_OR_WORK.test(path) ||
  path.startsWith("node_modules/.bin/");

/** What of it the agent added, changed or removed. */
export function findRunnerChanges(snapshot: Snapshot): Promise<string[]> {
  // A package that was installed brings its own, which no runner reads from there.
  const isMeant = (path: string) =>
    isSteering(path) &&
    (!/(?:^|\/)node_modules\//.test(path) || path.startsWith("node_modules/.bin/"));
  return findChanges(snapshot, isMeant);
}

export const findChanges = async (
  { folder, baseFolder }: Snapshot,
  isMeant: (path: string) => boolean,
): Promise<string[]> => (await compareTrees(baseFolder, folder, isMeant)).map(({ path }) => path);

const TEST_FOLDER = /^(?:tests?|__tests__|specs?|e2e|t)$/i;

/**
 * Folders of tests that the suite brings are as it brings them: nothing that an agent put beside a hidden test is
 * there when it runs. Tests that lie among the sources replace no folder.
 */
export function testFoldersOf(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    const at = parts.findIndex((part) => TEST_FOLDER.test(part));
    return at === -1 ? [] : [parts.slice(0, at + 1).join("/")];
  });
  return [...new Set(folders)];
}

const SCRIPT = /\.[cm]?[jt]sx?$/;
const MAKEFILE = /^(?:GNU)?makefile$/i;

/** What Python takes for a module before `x.py`: a folder `x`, `x.abi3.so`, and what `__pycache__` says it compiled it to. */
const BEFORE_MODULE = /^(?:\/.*|(?:\.[\w-]+)*\.(?:so|pyc))$/s;
/** What it takes before a folder that says nothing of itself. */
const BEFORE_FOLDER = /^(?:\.[\w-]+)*\.(?:so|pyc?)$/;

/**
 * Whether a file that the agent left is found in the place of one that the suite brings, or holds still, without having its
 * name: `x/__init__.py` for `x.py`, `x` for `require("./x")`, `GNUmakefile` for `Makefile`.
 */
export function shadowsOf(paths: readonly string[]): (path: string) => boolean {
  const own = new Set(paths);
  const modules = paths.filter((path) => path.endsWith(".py")).map((path) => path.slice(0, -3));
  const scripts = new Set(paths.filter((path) => SCRIPT.test(path)).map(withoutEnding));
  const makefiles = new Set(paths.filter((path) => MAKEFILE.test(basename(path))).map(dirname));
  const folders = testFoldersOf(paths);
  const isBefore = (path: string): boolean => {
    const source = path.replace(/(^|\/)__pycache__\//, "$1");
    return (
      modules.some(
        (one) => source.startsWith(one) && BEFORE_MODULE.test(source.slice(one.length)),
      ) ||
      folders.some((one) => path.startsWith(one) && BEFORE_FOLDER.test(path.slice(one.length))) ||
      scripts.has(SCRIPT.test(path) ? withoutEnding(path) : path) ||
      (MAKEFILE.test(basename(path)) && makefiles.has(dirname(path)))
    );
  };
  return (path) => !own.has(path) && isBefore(path);
}

const withoutEnding = (path: string): string => path.replace(SCRIPT, "");

const MAX_NAMED = 5;

export function describeRunnerChanges(
  restored: readonly string[],
  left: readonly string[],
): string | null {
  const parts = [
    ...(restored.length === 0 ? [] : [`put back: ${listNames(restored)}`]),
    ...(left.length === 0 ? [] : [`changed by the agent: ${listNames(left)}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

const listNames = (paths: readonly string[]): string =>
  [
    ...paths.slice(0, MAX_NAMED).map((path) => `\`${path}\``),
    ...(paths.length > MAX_NAMED ? [`${paths.length - MAX_NAMED} more`] : []),
  ].join(", ");
