// What the build does besides bundling.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { planChunks } from "./chunks.mjs";
import { ROOT } from "./workspace.mjs";

/** To read one more file takes 0.2 ms, as long as to read and run so many bytes more. */
const FILE_COST = 15 * 1024;

/** What Node takes to load its own, in ms of CPU where it is worth to count (24.21): who needs none must not get it with a file. */
const BUILTIN_MS = { "node:crypto": 5 };
const BYTES_PER_MS = FILE_COST / 0.2;

/** A module with one function, which is called now and returns what it returned ever after. */
export async function computedModules(functions) {
  const codes = new Map();
  for (const [file, name] of Object.entries(functions))
    codes.set(join(ROOT, file), await computeModule(join(ROOT, file), name));
  return {
    name: "computed-modules",
    load: (id) => (codes.has(id) ? { code: codes.get(id), moduleType: "js" } : null),
  };
}

async function computeModule(file, name) {
  const module = await import(pathToFileURL(file).href);
  const returned = module[name]();
  const isLater = returned instanceof Promise;
  return `export const ${name} = ${isLater ? "async " : ""}() => (${JSON.stringify(await returned)});`;
}

/** Modules that are loaded by nobody here: they are empty. */
export const leaveOut = (pattern) => ({
  name: "leave-out",
  load: (id) => (pattern.test(id) ? { code: "export {};", moduleType: "js" } : null),
});

/** Which file each module goes into, by what imports what and what is imported later. */
export function cutByImports(output, often) {
  const weights = new Map(Object.entries(often).map(([file, times]) => [join(ROOT, file), times]));
  const graph = readGraph(output);
  const nameOf = new Map();
  for (const [at, modules] of planChunks(graph, weights, FILE_COST).entries())
    for (const id of modules) nameOf.set(id, `${mainName(modules, graph)}-${at}`);
  return {
    // Every module is placed; nothing follows anything.
    includeDependenciesRecursively: false,
    groups: [{ debugName: "planned", name: (id) => nameOf.get(id) ?? null }],
  };
}

/** From an output with one file for each module: what is in it, and what it imports, is what is used. */
function readGraph(output) {
  const idOf = new Map(output.map(({ fileName, moduleIds: [id] }) => [fileName, id]));
  const isBuiltin = (name) => Object.hasOwn(BUILTIN_MS, name);
  const idsOf = (names) =>
    names.flatMap((name) => (isBuiltin(name) ? name : (idOf.get(name) ?? [])));
  const builtins = Object.entries(BUILTIN_MS).map(([id, ms]) => [
    id,
    { id, isEntry: false, size: ms * BYTES_PER_MS, imports: [], laterImports: [] },
  ]);
  return new Map([
    ...builtins,
    ...output.map(({ moduleIds: [id], code, isEntry, imports, dynamicImports }) => [
      id,
      {
        id,
        isEntry,
        size: code.length,
        imports: idsOf(imports),
        laterImports: idsOf(dynamicImports),
      },
    ]),
  ]);
}

/** For those who read stack traces: the largest part of a file gives it its name. */
function mainName(modules, graph) {
  const own = modules.filter((id) => !Object.hasOwn(BUILTIN_MS, id));
  const [largest = "none"] = own.toSorted((a, b) => graph.get(b).size - graph.get(a).size);
  return basename(largest).replace(/\.\w+$/, "");
}

/**
 * The same program in ASCII: V8 keeps a file with any other character in two bytes for each, which is a fortieth of the CPU time
 * of `adj model`. An escape means the character wherever there can be one, but in what is taken as it is written.
 */
export function inAscii(code) {
  const isRaw = /String\.raw`[^`]*[^\0-\x7f]/.exec(code);
  if (isRaw !== null) throw new Error(`not to be written in ASCII: ${isRaw[0]}`);
  // A needless backslash before such a character goes; one that is escaped itself stays.
  return code.replaceAll(/((?:\\\\)*)\\?([^\0-\x7f])/g, (_, escaped, unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `${escaped}\\u${hex}`;
  });
}

/** What the cut promises; else the build fails. */
export function inspectOutput(output, programs, alone) {
  assertOneCopy(output);
  for (const { name, isEntry, imports, dynamicImports } of output)
    for (const file of isEntry && alone.includes(name) ? [...imports, ...dynamicImports] : [])
      if (!file.startsWith("node:")) throw new Error(`${name} would read ${file}`);
  for (const { fileName } of output.filter(({ isEntry }) => isEntry))
    assertApart(fileName, output, programs);
}

/** Two copies of a module are two programs: what one knows, the other does not. */
function assertOneCopy(output) {
  const fileOf = new Map();
  for (const { fileName, moduleIds } of output)
    for (const id of moduleIds) {
      if (fileOf.has(id)) throw new Error(`${id} is both in ${fileOf.get(id)} and in ${fileName}`);
      fileOf.set(id, fileName);
    }
}

/** A program begins when its file is read, so nothing else may read it. */
function assertApart(entry, output, programs) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set([entry]);
  for (const file of reached)
    for (const next of [...chunks.get(file).imports, ...chunks.get(file).dynamicImports])
      if (chunks.has(next)) reached.add(next);
  for (const file of reached)
    if (file !== entry && programs.includes(chunks.get(file).name) && chunks.get(file).isEntry)
      throw new Error(`${entry} would start ${file}`);
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The licences of all that is bundled, as they ask for it. */
export function makeNotices(output) {
  const ids = output.flatMap(({ moduleIds }) => moduleIds);
  const packages = new Set(
    ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []),
  );
  const notices = [...packages].map(noticeOf).toSorted((a, b) => a.localeCompare(b, "en"));
  return notices.join("\n");
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n\n${"-".repeat(80)}\n`;
}
