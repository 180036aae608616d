// What the files of a layer define to be run: argvs and shell lines, each with where it stands. Nothing is looked up on disk.
import { dirname } from "node:path";
import { Fault, type Where } from "../../command/fault.ts";
import { STEP_RULES, type StepName } from "../../step/step.ts";
import { LAYER_FOLDER } from "../paths.ts";
import type { YamlFile } from "../yaml-file.ts";
import { pathsIn } from "./command-reading.ts";
import { listImportedPackages } from "./imported-packages.ts";

/** One thing that is run. */
export interface RunDefinition {
  readonly where: Where;
  readonly name: string | null;
  readonly run:
    | { readonly kind: "argv"; readonly argv: readonly string[] }
    | { readonly kind: "line"; readonly line: string }
    /** In a language that is not read. */
    | { readonly kind: "foreign"; readonly program: string; readonly text: string }
    /** What is run in another place: files that are only held still, and folders with all that is in them. */
    | {
        readonly kind: "held";
        readonly files: readonly string[];
        readonly folders: readonly string[];
      }
    /** A recorded run, found from `cwd`, whose steps are run again. */
    | { readonly kind: "cassette"; readonly path: string };
  /** A `cwd` of the definition, as written. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** A hook that can veto. */
  readonly isGuard: boolean;
  /** Its owner knows that it is not covered. */
  readonly isUnpinned: boolean;
  /** What it names runs where it lies, whatever was approved: a builtin's `with`. */
  readonly isLoose: boolean;
}

const SUITES = `${LAYER_FOLDER}/suites/`;

/** A module of the project's commands; packages that lie in the layer are covered with it. */
export const isModule = (path: string): boolean =>
  path.startsWith(`${LAYER_FOLDER}/`) &&
  /\.[mc]?[jt]s$/.test(path) &&
  !/\.d\.[mc]?ts$|\/node_modules\//.test(path);

/** The files of a layer that can start programs, or import packages; only these are read for it. */
export const isProgramSource = (path: string): boolean =>
  isModule(path) ||
  path === `${LAYER_FOLDER}/commands.yaml` ||
  path === `${LAYER_FOLDER}/hooks.yaml` ||
  (path.startsWith(`${LAYER_FOLDER}/commands/`) && path.endsWith(".md")) ||
  (path.startsWith(SUITES) && /\.ya?ml$/.test(path));

/** A file without these runs nothing; most prompts have none. */
const MAY_RUN = /^[ \t]*["']?(pre|before|post|after|argv|cassette)["']?[ \t]*:|!`/m;

export function mayRunPrograms(path: string, text: string): boolean {
  if (isModule(path)) return listImportedPackages(text).length > 0;
  return !path.endsWith(".md") || MAY_RUN.test(text);
}

/** A text that is not YAML defines nothing: it cannot be loaded either. */
export async function findDefinitions(
  root: string,
  texts: ReadonlyMap<string, string>,
): Promise<RunDefinition[]> {
  if (texts.size === 0) return [];
  const { parseYaml } = await import("../yaml-file.ts");
  const found: RunDefinition[] = [];
  for (const [path, text] of texts) {
    if (isModule(path)) continue;
    const file = `${root}/${path}`;
    try {
      if (path.endsWith(".md")) found.push(...readMarkdown(text, file, parseYaml));
      else {
        const yaml = parseYaml(text, file);
        if (path.startsWith(SUITES)) found.push(readSuite(yaml, file));
        else collect({ yaml, found, path: [], inherited: NO_CONTEXT }, yaml.value);
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  }
  return found;
}

type Inherited = Omit<RunDefinition, "run" | "where">;

const NO_CONTEXT: Inherited = {
  cwd: null,
  env: {},
  isGuard: false,
  isUnpinned: false,
  isLoose: false,
  name: null,
};

interface Collection {
  readonly yaml: YamlFile;
  readonly found: RunDefinition[];
  readonly path: readonly PropertyKey[];
  readonly inherited: Inherited;
}

/** A hook's `cwd` and `on` stand beside its `run`, so they hold for what is inside, too. */
function collect(collection: Collection, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { path } = collection;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) collect({ ...collection, path: [...path, at] }, item);
    return;
  }
  const map: Readonly<Record<string, unknown>> = { ...value };
  const inherited = inheritFrom(map, collection);
  const { yaml, found } = collection;
  for (const run of runsOf(map)) found.push({ ...inherited, run, where: yaml.at([...path]) });
  // What a rule is tried on is run by others.
  for (const [key, item] of Object.entries(map))
    if (key !== "match") collect({ ...collection, path: [...path, key], inherited }, item);
}

function inheritFrom(
  map: Readonly<Record<string, unknown>>,
  { path, inherited }: Collection,
): Inherited {
  const isHook = path[0] === "hooks" && path.length === 2;
  const name = typeof map.name === "string" ? map.name : String(path.at(0) ?? "");
  return {
    cwd: typeof map.cwd === "string" ? map.cwd : inherited.cwd,
    env: { ...inherited.env, ...textsOf(map.env) },
    name: isHook ? name : (inherited.name ?? (path.length === 1 ? name : null)),
    // A builtin is ours, whatever program it is told to try.
    isGuard: isHook ? canVeto(map) : inherited.isGuard && path.at(-1) !== "with",
    isUnpinned: map.unpinned === true || inherited.isUnpinned,
    isLoose: inherited.isLoose || path.at(-1) === "with",
  };
}

const isStep = (step: unknown): step is StepName => typeof step === "string" && step in STEP_RULES;

function canVeto({ on, async: isAsync, enabled }: Readonly<Record<string, unknown>>): boolean {
  const steps: unknown[] = Array.isArray(on) ? on : [on];
  const vetoes = steps.some((step) => isStep(step) && STEP_RULES[step].canVeto);
  return vetoes && isAsync !== true && enabled !== false;
}

const textsOf = (env: unknown): Record<string, string> =>
  typeof env !== "object" || env === null || Array.isArray(env)
    ? {}
    : Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));

function runsOf(map: Readonly<Record<string, unknown>>): RunDefinition["run"][] {
  const { shell, command } = map;
  const argvs = [map.argv, map.argv_windows, shellWords(shell)].map(wordsOf);
  const runs: RunDefinition["run"][] = argvs
    .filter((argv) => argv.length > 0)
    .map((argv) => ({ kind: "argv", argv }));
  if (typeof command === "string") runs.push(lineOf(shell, command));
  return runs;
}

const wordsOf = (argv: unknown): string[] =>
  Array.isArray(argv) ? argv.filter((word) => typeof word === "string") : [];

const POSIX = /^(.*\/)?(ba|da|z|k|a)?sh$/;

function lineOf(shell: unknown, text: string): RunDefinition["run"] {
  const [program = "sh"] = typeof shell === "string" ? [shell] : wordsOf(shellWords(shell));
  return POSIX.test(program) ? { kind: "line", line: text } : { kind: "foreign", program, text };
}

/** A shell of one's own is a program like any other. */
function shellWords(shell: unknown): unknown[] {
  if (typeof shell !== "object" || shell === null || !("program" in shell)) return [];
  return [shell.program, ...("args" in shell && Array.isArray(shell.args) ? shell.args : [])];
}

const SUITE_FILES = /^(setup|teardown|run|argv|include|cassette|settings|mcp_config|prompt_file)$/;
const SUITE_FOLDERS = /^(template|files|solution)$/;

/** Its lines run in a trial's workspace, where nothing is found from here: what they name is held still by its name. */
function readSuite(yaml: YamlFile, file: string): RunDefinition {
  const files = textsBelow(yaml.value, SUITE_FILES).flatMap((text) => [text, ...pathsIn(text)]);
  const folders = textsBelow(yaml.value, SUITE_FOLDERS);
  const name = file.split("/").at(-1) ?? "";
  const run = { kind: "held", files: [...new Set(files)], folders } as const;
  return { ...NO_CONTEXT, name, cwd: dirname(file), where: { file }, run };
}

/** Every text under one of these keys, however deep; all of them once one was met. */
function textsBelow(value: unknown, keys: RegExp | null): string[] {
  if (typeof value === "string") return keys === null ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsBelow(item, keys?.test(key) === true ? null : keys),
  );
}

const STEP_KEYS = ["pre", "before", "post", "after"] as const;

/** The steps of the front matter and the inline commands of the body. */
function readMarkdown(
  text: string,
  file: string,
  parseYaml: (text: string, file: string) => YamlFile,
): RunDefinition[] {
  const found: RunDefinition[] = [];
  const head = /^---\r?\n([\s\S]*?\r?\n)---/.exec(text)?.[1];
  const name = file.split("/").at(-1) ?? "";
  const add = (line: string, where: Where): void => {
    found.push({ ...NO_CONTEXT, name, where, run: { kind: "line", line } });
  };
  if (head !== undefined) {
    const yaml = parseYaml(head, file);
    // The front matter begins in the file's second line.
    const at = (path: readonly PropertyKey[]): Where => {
      const where = yaml.at([...path]);
      return { ...where, ...(where.line === undefined ? {} : { line: where.line + 1 }) };
    };
    collect(
      { yaml: { ...yaml, at }, found, path: [], inherited: { ...NO_CONTEXT, name } },
      yaml.value,
    );
    const fields: Readonly<Record<string, unknown>> = { ...Object(yaml.value) };
    for (const key of STEP_KEYS)
      for (const line of [fields[key]].flat()) if (typeof line === "string") add(line, at([key]));
    const { cassette } = fields;
    if (typeof cassette === "string")
      found.push({
        ...NO_CONTEXT,
        ...{ name, cwd: dirname(file), where: at(["cassette"]) },
        run: { kind: "cassette", path: cassette },
      });
  }
  for (const match of text.matchAll(/!(`+)([^`][\s\S]*?)\1(?!`)/g))
    add(match[2] ?? "", {
      file,
      line: text.slice(0, match.index).split("\n").length,
    });
  return found;
}
