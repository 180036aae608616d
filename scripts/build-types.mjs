// dist/types: what `tsc` makes of the libraries, less the files that none of them leads to. The types of zod, which
// they speak of, lie beside them, so that nothing has to be installed for an editor either.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { localBin, ROOT, runStep } from "./workspace.mjs";

const BUILT = join(ROOT, "dist", "types");
/** Where they are made, so that they are there whole or not at all. */
const TYPES = join(ROOT, "dist", "types.new");

const ENTRIES = [
  "library.d.ts",
  "agents-library.d.ts",
  "hooks-library.d.ts",
  "markdown/argv/builder.d.ts",
  // Where they were in 0.1: `adj new` wrote this path into people's tsconfig.json.
  "surfaces/library.d.ts",
];

/** The packages whose types come along, whole at first. */
const COPIED = ["zod"];

/** Those of an earlier build; `buildTypes` takes them away as well. */
export function removeTypes() {
  for (const folder of [BUILT, TYPES]) rmSync(folder, { recursive: true, force: true });
}

export async function buildTypes() {
  removeTypes();
  runStep("types", localBin("tsc"), ["-p", "tsconfig.build.json", "--outDir", TYPES]);
  mkdirSync(join(TYPES, "surfaces"));
  writeFileSync(join(TYPES, "surfaces", "library.d.ts"), 'export * from "../library.js";\n');
  for (const name of COPIED) copyTypes(name);
  await keepReached();
  renameSync(TYPES, BUILT);
}

function copyTypes(name) {
  const source = join(ROOT, "node_modules", name);
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const from = join(entry.parentPath, entry.name);
    cpSync(from, join(TYPES, "packages", name, relative(source, from)));
  }
}

/** Follows the imports from the entries, points those of packages to the copies, and takes all other files away. */
async function keepReached() {
  const { default: typescript } = await import("typescript");
  const reached = new Set(ENTRIES.map((entry) => join(TYPES, entry)));
  for (const file of reached) {
    let text = readFileSync(file, "utf8");
    // From the last to the first, so that their places hold.
    for (const { specifier, end } of listImports(typescript, text).toReversed()) {
      if (specifier.startsWith("node:")) continue;
      const target = findTypes(file, specifier);
      reached.add(target);
      if (specifier.startsWith(".")) continue;
      const at = end - 1 - specifier.length;
      text = text.slice(0, at) + addressOf(file, target) + text.slice(end - 1);
    }
    writeFileSync(file, text);
  }
  removeOthers(TYPES, reached);
}

function listImports(typescript, text) {
  const { createSourceFile, forEachChild, ScriptTarget } = typescript;
  const imports = [];
  const visit = (node) => {
    const named =
      node.moduleSpecifier ?? (typescript.isImportTypeNode(node) && node.argument.literal);
    if (named) imports.push({ specifier: named.text, end: named.end });
    forEachChild(node, visit);
  };
  visit(createSourceFile("types.d.ts", text, ScriptTarget.Latest));
  return imports.toSorted((a, b) => a.end - b.end);
}

function findTypes(file, specifier) {
  const path = specifier.startsWith(".")
    ? join(dirname(file), specifier)
    : join(TYPES, "packages", specifier);
  const bare = path.replace(/(\.d)?\.[jt]s$/, "");
  const found = [`${bare}.d.ts`, join(bare, "index.d.ts")].find((each) => existsSync(each));
  if (found === undefined) throw new Error(`${file} needs the types of ${specifier}`);
  return found;
}

function addressOf(file, target) {
  const address = relative(dirname(file), target).replace(/\.d\.ts$/, ".js");
  return address.startsWith(".") ? address : `./${address}`;
}

function removeOthers(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOthers(path, kept);
    else if (!kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildTypes();
