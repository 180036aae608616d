// Writes what was planned, and never over anything.
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Fault, fault, misuse } from "../../command/fault.ts";
import { isCommandName, PROGRAM_WORDS } from "../../command/registry.ts";
import { createFile, listFolder, refuseLinks, statOf } from "../../project/files.ts";
import { readJsonObject } from "../../project/kept-value.ts";
import { LAYER_FOLDER } from "../../project/paths.ts";
import type { Program, Scaffold } from "../bundled.ts";
import { addYamlCommand, hasYamlCommand } from "./yaml-command.ts";

/** The files that were written, in order. */
export async function writeScaffold(
  plan: ScaffoldPlan,
  scaffold: Scaffold | null,
): Promise<string[]> {
  const written = scaffold === null ? "commands.yaml" : scaffoldPath(plan);
  if (plan.layer === "project") refuseLinks(plan.root, join(plan.folder, written));
  await refuseExisting(plan);
  if (scaffold === null) return [await addYamlCommand(plan)];
  const file = join(plan.folder, written);
  createFile(file, scaffold.template(plan.description, plan.name));
  return plan.kind === "ts" ? [file, ...writeEditorConfig(plan)] : [file];
}

/** Where a scaffold of each kind goes, within the layer's folder. */
const PLACES: Readonly<Record<Exclude<ScaffoldKind, "argv">, readonly [string, string]>> = {
  ts: ["commands", "ts"],
  md: ["commands", "md"],
  workflow: ["workflows", "yaml"],
  script: ["workflows", "js"],
};

const placeOf = ({ kind }: ScaffoldPlan): readonly [string, string] =>
  kind === "argv" ? ["commands", "yaml"] : PLACES[kind];

function scaffoldPath(plan: ScaffoldPlan): string {
  const [folder, extension] = placeOf(plan);
  return `${folder}/${plan.name}.${extension}`;
}

async function refuseExisting(plan: ScaffoldPlan): Promise<void> {
  const [subfolder] = placeOf(plan);
  const folder = join(plan.folder, subfolder);
  const file = listFolder(folder).find((name) => name.split(".")[0] === plan.name);
  if (file !== undefined) throw existsFault(plan.name, join(folder, file));
  if (subfolder !== "commands") return;
  if (await hasYamlCommand(plan)) throw existsFault(plan.name, join(plan.folder, "commands.yaml"));
}

const existsFault = (name: string, file: string): Fault =>
  fault(
    "InputInvalid",
    { what: `\`${name}\``, problem: `it is there already, in ${file}` },
    { hint: "edit it, or choose another name" },
  );

/** What an editor needs; one that is there already is left as it is. */
function writeEditorConfig({ folder, root, layer }: ScaffoldPlan): string[] {
  const file = join(folder, "tsconfig.json");
  if (statOf(file, lstatSync) !== null) return [];
  // What is for every project is not found by the packages of one.
  const base = layer === "user" ? folder : root;
  const nodeTypes = relativePath(folder, join(base, "node_modules/@types/node/index.d.ts"));
  createFile(file, editorConfig(findTypeFiles(folder, base), nodeTypes));
  return [file];
}

/**
 * Editors read it; `adj` does not. The first place of types that exists counts. Those of Node are taken where the project
 * has them: `types: ["node"]` would be an error where it has none, and what is included need not be there.
 */
function editorConfig(typeFiles: readonly string[], nodeTypes: string): string {
  const config = {
    compilerOptions: {
      target: "ES2024",
      module: "preserve",
      strict: true,
      noEmit: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: [],
      paths: { adjutant: typeFiles },
    },
    include: ["commands", nodeTypes],
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

const INSTALLED_TYPES = "node_modules/adjutant/dist/types/library.d.ts";

/** Where an editor finds the types of `adjutant`, best first; relative where that works for everybody. */
function findTypeFiles(folder: string, root: string): string[] {
  const inProject = relativePath(folder, join(root, INSTALLED_TYPES));
  const running = findRunningTypes();
  if (running === null) return [inProject];
  const isInside = !relative(root, running).startsWith("..");
  return [...new Set([inProject, isInside ? relativePath(folder, running) : running])];
}

/** TypeScript takes a path that does not begin with a dot for something else. */
function relativePath(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith("..") ? path : `./${path}`;
}

/** Of the very package that runs: built types, else the source they are built from. */
function findRunningTypes(): string | null {
  const home = findOwnPackage(dirname(fileURLToPath(import.meta.url)));
  if (home === null) return null;
  const files = ["dist/types/library.d.ts", "src/library.ts"];
  return files.map((file) => join(home, file)).find((file) => existsSync(file)) ?? null;
}

function findOwnPackage(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    if (readJsonObject(join(folder, "package.json"))?.name === "adjutant") return folder;
    if (dirname(folder) === folder) return null;
  }
}

// What `adj new` is about to write, decided before anything is touched.

const SCAFFOLD_KINDS = ["ts", "argv", "md", "workflow", "script"] as const;
type ScaffoldKind = (typeof SCAFFOLD_KINDS)[number];

interface ScaffoldRequest {
  readonly name: string;
  readonly ts: boolean;
  readonly argv: boolean;
  readonly md: boolean;
  readonly workflow: boolean;
  /** Of a workflow: a script instead of stages. */
  readonly script: boolean;
  readonly user: boolean;
  readonly description?: string | undefined;
  readonly words: readonly string[];
}

export interface ScaffoldPlan {
  readonly name: string;
  readonly kind: ScaffoldKind;
  readonly layer: "user" | "project";
  /** The layer's folder. */
  readonly folder: string;
  readonly root: string;
  readonly description: string;
  readonly argv: readonly string[];
}

export function planScaffold(
  request: ScaffoldRequest,
  { root, configDir }: { root: string; configDir: string },
): ScaffoldPlan {
  const { name, user, words } = request;
  if (!isCommandName(name)) throw fault("NameInvalid", { name }, { hint: "choose another name" });
  if (PROGRAM_WORDS.has(name))
    throw fault("NameReserved", { name }, { hint: "choose another name" });
  const kind = chooseKind(request);
  if (kind !== "argv" && words.length > 0)
    throw misuse("new", `only \`--argv\` takes words after the name, got \`${words[0]}\``);
  return {
    name,
    kind,
    layer: user ? "user" : "project",
    folder: user ? configDir : join(root, LAYER_FOLDER),
    root,
    description: request.description ?? `Describe ${name} in one line`,
    argv: words.length > 0 ? words : ["echo", `hello from ${name}`],
  };
}

function chooseKind(request: ScaffoldRequest): ScaffoldKind {
  const { script, ...kinds } = request;
  const [kind, ...others] = SCAFFOLD_KINDS.filter((one) => one !== "script" && kinds[one]);
  if (kind === undefined || others.length > 0)
    throw misuse("new", "give one of `--ts`, `--argv`, `--md` and `--workflow`");
  if (!script) return kind;
  if (kind !== "workflow") throw misuse("new", "`--script` goes with `--workflow` alone");
  return "script";
}

/** Null for what is no file of its own. */
export async function findScaffold(
  kind: ScaffoldKind,
  { features }: Pick<Program, "features">,
): Promise<Scaffold | null> {
  for (const { scaffolds } of features) {
    const load = scaffolds?.[kind];
    if (load !== undefined) return load();
  }
  return null;
}

/** What to do with a new command. */
export function listScaffoldSteps(
  { name, layer }: ScaffoldPlan,
  scaffold: Scaffold | null,
): string[] {
  return [
    "edit it",
    ...(layer === "project" ? ["adj trust  (a project's commands run only when trusted)"] : []),
    scaffold?.tryLine(name) ?? `adj ${name}`,
  ];
}
