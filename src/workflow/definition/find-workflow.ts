// Where workflows lie, and which of them a name means. A project's are read from the copy that a person approved.

import { existsSync, readdirSync } from "node:fs";
import { basename, extname, join, relative, resolve } from "node:path";
import { AGENTS } from "../../agents/roster.ts";
import { Fault, fault, formatFault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { findPlugin } from "../../core/load/plugins.ts";
import { describeFileError, fileErrorCode, readLinkedFile } from "../../core/project/files.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { pathInside } from "../../core/project/trust/candidate-paths.ts";
import {
  describeTrustChange,
  inspectTrust,
  type TrustState,
} from "../../core/project/trust/inspect.ts";
import { readScriptWorkflow, SCRIPT_EXTENSIONS } from "./script-file.ts";
import { readStageWorkflow, STAGE_EXTENSIONS } from "./stage-file.ts";
import type { Workflow } from "./workflow.ts";

export interface WorkflowFolders {
  readonly root: string;
  readonly cwd: string;
  readonly configDir: string;
  readonly stateDir: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of the plugins that the user enabled. */
  readonly plugins: readonly string[];
}

interface WorkflowSource {
  /** Where the person wrote it. */
  readonly file: string;
  readonly layer: "project" | "user" | "plugin" | "file";
  readonly plugin: string | null;
  /** A person approved it with its project; any other asks when it is launched. */
  readonly isTrusted: boolean;
}

export type FoundWorkflow = WorkflowSource &
  (
    | {
        readonly kind: "workflow";
        readonly workflow: Workflow;
        readonly warnings: readonly string[];
      }
    /** By its file's name, since it could not be read. */
    | { readonly kind: "broken"; readonly name: string; readonly problem: Fault }
  );

export interface WorkflowList {
  /** Of several with one name the first counts. */
  readonly found: readonly FoundWorkflow[];
  /** What a person should know of the places themselves. */
  readonly notes: readonly string[];
}

export const nameOf = (found: FoundWorkflow): string =>
  found.kind === "workflow" ? found.workflow.name : found.name;

const FOLDER = "workflows";
const EXTENSIONS = [...SCRIPT_EXTENSIONS, ...STAGE_EXTENSIONS];

/** All that can be found, the project's first. */
export async function listWorkflows(request: WorkflowFolders): Promise<WorkflowList> {
  const { root, configDir, stateDir } = request;
  const trust = await inspectTrust(root, stateDir);
  const agents = AGENTS.flatMap(({ workflows }) => workflows?.(request) ?? []);
  const plugins = listPluginFolders(request);
  const user = [
    { folder: join(configDir, FOLDER), extensions: EXTENSIONS },
    ...agents.map((agent) => ({ folder: agent.user, extensions: [".js"] })),
  ];
  const found = [
    ...listProject(request, trust, agents),
    ...user.flatMap((search) =>
      listFiles(search).map((file) => read(file, file, { ...OWN, file, layer: "user" })),
    ),
    ...plugins.folders.flatMap(({ name, folder }) =>
      listFiles({ folder, extensions: EXTENSIONS }).map((file) =>
        read(file, file, { ...OWN, file, layer: "plugin", plugin: name }),
      ),
    ),
  ];
  return { found, notes: [...describeTrust(trust, request, agents), ...plugins.problems] };
}

const OWN = { plugin: null, isTrusted: false } as const;

interface FileSearch {
  readonly folder: string;
  readonly extensions: readonly string[];
}

/** Helpers of theirs may lie further in. */
function listFiles({ folder, extensions }: FileSearch): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => extensions.includes(extname(name)) && !name.endsWith(".d.ts"))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (error) {
    if (fileErrorCode(error) === null) throw error;
    return [];
  }
}

function listPluginFolders({ plugins, configDir }: WorkflowFolders) {
  const folders: { readonly name: string; readonly folder: string }[] = [];
  const problems: string[] = [];
  for (const name of plugins)
    try {
      const { workflowsFolder } = findPlugin(name, configDir);
      if (workflowsFolder !== null) folders.push({ name, folder: workflowsFolder });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(formatFault(error));
    }
  return { folders, problems };
}

type AgentFolders = readonly { readonly project: string }[];

/** An untrusted project's count for nothing. */
function listProject(
  request: WorkflowFolders,
  trust: TrustState,
  agents: AgentFolders,
): FoundWorkflow[] {
  const { root } = request;
  if (trust.kind === "untrusted") return [];
  const own = { folder: join(root, LAYER_FOLDER, FOLDER), extensions: EXTENSIONS };
  const ofAgents = agents.flatMap(({ project }) =>
    foldersUpTo(request).map((folder) => ({ folder: join(folder, project), extensions: [".js"] })),
  );
  return [own, ...ofAgents].flatMap((search) => listProjectFiles(search, root, trust));
}

/** From the working directory to the root, nearest first. */
function foldersUpTo({ cwd, root }: WorkflowFolders): string[] {
  const inside = cwd === root ? "" : pathInside(root, cwd);
  const steps = inside === null || inside === "" ? [] : inside.split("/");
  return Array.from({ length: steps.length + 1 }, (_, up) =>
    join(root, ...steps.slice(0, steps.length - up)),
  );
}

function listProjectFiles(
  { folder, extensions }: FileSearch,
  root: string,
  trust: TrustState,
): FoundWorkflow[] {
  const here = listFiles({ folder, extensions });
  const copied = "copyDir" in trust ? join(trust.copyDir, relative(root, folder)) : null;
  const approved = copied === null ? [] : listFiles({ folder: copied, extensions });
  const names = new Set([...approved, ...here].map((file) => basename(file)));
  return [...names].toSorted().map((name) => {
    const file = join(folder, name);
    return readOfProject(file, { root, trust });
  });
}

interface ProjectTrust {
  readonly root: string;
  readonly trust: TrustState;
}

/** Of a trusted project the approved text counts, whatever lies there now. */
function readOfProject(file: string, { root, trust }: ProjectTrust): FoundWorkflow {
  const source = { file, layer: "project", plugin: null } as const;
  if (!("copyDir" in trust)) return read(file, file, { ...source, isTrusted: false });
  const copy = join(trust.copyDir, relative(root, file));
  if (existsSync(copy)) return read(copy, file, { ...source, isTrusted: true });
  // Trust covers the folders at the root; what lies deeper is asked about by its hash.
  if (!isCovered(relative(root, file))) return read(file, file, { ...source, isTrusted: false });
  const problem = fault(
    "FileInvalid",
    { problem: "it is not part of what was trusted" },
    { where: { file }, hint: "look at it with `adj trust --diff`, then `adj trust`" },
  );
  return { ...source, isTrusted: false, kind: "broken", name: stemOf(file), problem };
}

const isCovered = (path: string): boolean =>
  path.startsWith(`${LAYER_FOLDER}/`) || /^\.[^/]+\/workflows\/[^/]+$/.test(path);

function describeTrust(
  trust: TrustState,
  { root }: WorkflowFolders,
  agents: AgentFolders,
): string[] {
  const change = describeTrustChange(trust);
  if (trust.kind !== "untrusted") return change === null ? [] : [change];
  const folders = [join(LAYER_FOLDER, FOLDER), ...agents.map(({ project }) => project)];
  return folders.some((folder) => existsSync(join(root, folder)))
    ? ["this project is not trusted, so its workflows do not count; look at them, then `adj trust`"]
    : [];
}

const stemOf = (file: string): string => basename(file, extname(file));

function read(path: string, file: string, source: WorkflowSource): FoundWorkflow {
  try {
    return { ...source, kind: "workflow", ...readWorkflow(readText(path, file), file) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...source, kind: "broken", name: stemOf(file), problem: error };
  }
}

/** A workflow of either form, by the extension of its file. Throws `FileInvalid`. */
export function readWorkflow(
  text: string,
  file: string,
): { readonly workflow: Workflow; readonly warnings: readonly string[] } {
  if (SCRIPT_EXTENSIONS.includes(extname(file))) return readScriptWorkflow(text, file);
  if (STAGE_EXTENSIONS.includes(extname(file)))
    return { workflow: readStageWorkflow(text, file), warnings: [] };
  throw fault(
    "FileInvalid",
    { problem: "a workflow is a script or YAML" },
    {
      where: { file },
      hint: `its name ends with ${quoteNames(EXTENSIONS)}`,
    },
  );
}

function readText(path: string, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readLinkedFile(path));
  } catch (error) {
    const problem = error instanceof TypeError ? "it is not UTF-8 text" : describeFileError(error);
    throw fault(
      "FileInvalid",
      { problem: `cannot be read: ${problem}` },
      { where: { file }, cause: error },
    );
  }
}

export type UsableWorkflow = Extract<FoundWorkflow, { kind: "workflow" }>;

/** By name, or by the path of a file. Throws a fault where there is none, or none that can be read. */
export async function findWorkflow(
  word: string,
  request: WorkflowFolders,
): Promise<UsableWorkflow> {
  const file = resolve(request.cwd, word);
  const isPath = word.includes("/") || EXTENSIONS.includes(extname(word));
  if (isPath) return usable(await readNamedFile(file, request));
  const { found, notes } = await listWorkflows(request);
  const named = found.find((one) => answersTo(one, word));
  if (named !== undefined) return usable(named);
  const names = [...new Set(found.map(nameOf))];
  throw fault(
    "InputInvalid",
    { what: `\`${word}\``, problem: `there is no workflow of that name${didYouMean(word, names)}` },
    { hint: notes[0] ?? "list all with `adj workflow list`" },
  );
}

/** A plugin's also with the plugin's name before it. */
const answersTo = (found: FoundWorkflow, word: string): boolean =>
  word === nameOf(found) || (found.plugin !== null && word === `${found.plugin}:${nameOf(found)}`);

async function readNamedFile(file: string, request: WorkflowFolders): Promise<FoundWorkflow> {
  const { root, stateDir } = request;
  const inside = pathInside(root, file);
  const isOfProject = inside?.startsWith(`${LAYER_FOLDER}/`) === true;
  if (!isOfProject) return read(file, file, { ...OWN, file, layer: "file" });
  const trust = await inspectTrust(root, stateDir, { file });
  if (trust.kind !== "trusted" && trust.kind !== "changed")
    throw fault("Untrusted", { root }, { hint: "look at it, then run `adj trust`" });
  return readOfProject(file, { root, trust });
}

function usable(found: FoundWorkflow): UsableWorkflow {
  if (found.kind === "broken") throw found.problem;
  return found;
}
