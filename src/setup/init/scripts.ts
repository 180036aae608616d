// What a project can already run by name: scripts of package.json, targets of a Makefile, recipes of a justfile. Pure.

import { isCommandName } from "../../core/command/registry.ts";
import { isRecord } from "../../core/project/json-value.ts";
import { cutText, plainLine } from "../../core/terminal/text-columns.ts";

export interface ProjectScript {
  /** As a command may be called; two scripts can come to the same. */
  readonly name: string;
  /** What it is called where that name is taken. */
  readonly otherName: string;
  readonly argv: readonly string[];
  readonly description: string;
}

interface ScriptFile {
  /** By any of these names, the first that is there. */
  readonly names: readonly string[];
  /** Throws a SyntaxError for what is no such file. `beside` are the names of the files in the same folder. */
  read(text: string, beside: readonly string[]): ProjectScript[];
}

/** Npm runs these by itself. */
const LIFECYCLE =
  /^(?:(?:pre|post)?(?:install|pack|publish|prepare|version|shrinkwrap)|prepublishOnly|dependencies|uninstall)$/;

/** Who runs the scripts, by the file in which it keeps what it installed. */
const PACKAGE_MANAGERS: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

/** What package.json says itself counts first; npm where nothing says anything. */
function choosePackageManager(packageManager: unknown, beside: readonly string[]): string {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(
    typeof packageManager === "string" ? packageManager : "",
  )?.[1];
  if (named !== undefined) return named;
  if (beside.includes("package-lock.json")) return "npm";
  const lock = Object.keys(PACKAGE_MANAGERS).find((file) => beside.includes(file)) ?? "";
  return PACKAGE_MANAGERS[lock] ?? "npm";
}

function readPackageScripts(text: string, beside: readonly string[]): ProjectScript[] {
  const value: unknown = JSON.parse(text);
  const runner = choosePackageManager(isRecord(value) ? value.packageManager : null, beside);
  const scripts = isRecord(value) && isRecord(value.scripts) ? value.scripts : {};
  // `pretest` runs with `test`.
  const isPartOfAnother = (name: string): boolean => {
    const main = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    return main !== undefined && Object.hasOwn(scripts, main);
  };
  return Object.entries(scripts).flatMap(([name, line]) =>
    typeof line !== "string" || LIFECYCLE.test(name) || isPartOfAnother(name)
      ? []
      : makeScript(runner, name, {
          // What is typed behind the command is the script's; only npm takes flags for its own.
          argv: [runner, "run", name, ...(runner === "npm" ? ["--"] : [])],
          summary: line,
        }),
  );
}

/** Where a Makefile says which targets are no files, these alone; else all that look like no file. */
function readMakeTargets(text: string): ProjectScript[] {
  const lines = joinLines(text);
  const phony = lines.flatMap((line) => words(/^\.PHONY\s*:(.*)$/.exec(line)?.[1] ?? ""));
  const described = new Map<string, string>();
  for (const line of lines) {
    const [, names, rest = ""] = /^([A-Za-z0-9][^:=#]*?)\s*::?(?![:=])(.*)$/.exec(line) ?? [];
    // A variable for one target alone is no rule.
    if (names === undefined || /^[^#]*[^:]=/.test(rest)) continue;
    const summary = /##\s*(.+)$/.exec(rest)?.[1] ?? "";
    for (const name of words(names)) described.set(name, described.get(name) || summary);
  }
  return [...described]
    .filter(([name]) => /^[\w-]+$/.test(name) && (phony.length === 0 || phony.includes(name)))
    .flatMap(([name, summary]) => makeScript("make", name, { argv: ["make", name], summary }));
}

const joinLines = (text: string): string[] => text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/);

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

function readRecipes(text: string): ProjectScript[] {
  const found: ProjectScript[] = [];
  let summary = "";
  let isPrivate = false;
  for (const line of joinLines(text)) {
    const comment = /^#(?!!)\s*(.*)$/.exec(line)?.[1];
    const attributes = /^\[(.*)\]\s*$/.exec(line)?.[1];
    const name = /^@?([A-Za-z][\w-]*)(?:\s[^:]*)?:(?!=)/.exec(line)?.[1];
    if (name !== undefined && !isPrivate)
      found.push(...makeScript("just", name, { argv: ["just", name], summary }));
    if (attributes !== undefined) isPrivate ||= /\bprivate\b/.test(attributes);
    else isPrivate = false;
    summary = comment ?? (attributes === undefined ? "" : summary);
  }
  return found;
}

/** In this order: the first has the plain name. */
export const SCRIPT_FILES: readonly ScriptFile[] = [
  { names: ["package.json"], read: readPackageScripts },
  { names: ["GNUmakefile", "makefile", "Makefile"], read: readMakeTargets },
  { names: ["justfile", "Justfile", ".justfile"], read: readRecipes },
];

const MAX_SUMMARY_LENGTH = 80;

/** Nothing where no name can be made of it. */
function makeScript(
  runner: string,
  name: string,
  { argv, summary }: { readonly argv: readonly string[]; readonly summary: string },
): ProjectScript[] {
  const own = toCommandName(name);
  if (own === null) return [];
  const line = `${runner}${argv[1] === "run" ? " run" : ""} ${plainLine(name)}`;
  const short = cutText(plainLine(summary), MAX_SUMMARY_LENGTH);
  const description = short === "" ? line : `${line}: ${short}`;
  return [{ name: own, otherName: `${runner}-${own}`.slice(0, 64), argv, description }];
}

/** `test:unit` is `test-unit`, `buildAll` is `build-all`. */
function toCommandName(name: string): string | null {
  const plain = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 64);
  return isCommandName(plain) ? plain : null;
}
