// One file of a layer, loaded for the index. A file of code is loaded in a worker: it may hang, exit or print.
import { statSync } from "node:fs";
import { join } from "node:path";
import { Fault, type FaultReport, fault, reportFault } from "../../command/fault.ts";
import { readText } from "../../project/files.ts";
import type { AgentWords, SettingsFile } from "../../project/settings.ts";
import { type FileKind, findKind, nameProblem } from "../command-file.ts";
import type { YamlEntry } from "../commands-yaml.ts";
import { describeImport, isReasonElsewhere } from "../import-problem.ts";
import { type LayerSource, showFile } from "../layer-source.ts";
import { type IndexRecord, packBroken, packCommand, packDisable } from "./entries.ts";

export type IndexJob =
  | { readonly kind: "command"; readonly fileName: string; readonly name: string }
  | { readonly kind: "yaml" }
  | { readonly kind: "settings" };

export interface JobContext {
  readonly source: LayerSource;
  readonly libraryUrl: string;
  readonly agentWords?: AgentWords | undefined;
}

/** What the worker's thread is given to do. */
export interface WorkerTask extends JobContext {
  readonly jobs: readonly IndexJob[];
  /** The folder of what Node compiled before; null where it keeps nothing. */
  readonly compileCache: string | null;
}

/** `result` is the text of a JobResult: an argument's schema may hold what cannot be posted as it is. */
export type WorkerMessage =
  | { readonly kind: "begun"; readonly at: number }
  | { readonly kind: "done"; readonly at: number; readonly result: string }
  /** The file waits for something and nothing is left that could happen. */
  | { readonly kind: "stuck" };

export interface JobResult {
  readonly records: readonly IndexRecord[];
  readonly settings: SettingsFile;
  /** What is wrong with the file as a whole; a single command's reason is in its record. */
  readonly fault: FaultReport | null;
}

/** Does the jobs one after another, and tells which one it is at: whoever waits knows whom to blame for silence. */
export async function runIndexJobs(
  task: WorkerTask,
  kinds: readonly FileKind[],
  post: (message: WorkerMessage) => void,
): Promise<void> {
  for (const [at, job] of task.jobs.entries()) {
    post({ kind: "begun", at });
    post({ kind: "done", at, result: JSON.stringify(await runIndexJob(job, task, kinds)) });
  }
}

export async function runIndexJob(
  job: IndexJob,
  context: JobContext,
  kinds: readonly FileKind[],
): Promise<JobResult> {
  try {
    if (job.kind === "settings") return { ...EMPTY_RESULT, settings: await readSettings(context) };
    if (job.kind === "yaml") return { ...EMPTY_RESULT, records: await readYaml(context.source) };
    return { ...EMPTY_RESULT, records: [await readCommand(job, context, kinds)] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...EMPTY_RESULT, fault: reportFault(error) };
  }
}

const EMPTY_RESULT: JobResult = { records: [], settings: {}, fault: null };

async function readSettings({ source, agentWords }: JobContext): Promise<SettingsFile> {
  const { parseSettings } = await import("../../project/settings-file.ts");
  const path = join(source.folder, "config.yaml");
  const scope = source.layer === "project" ? "project" : "user";
  return parseSettings(readAt(source, path), { file: showFile(source, path), scope, agentWords });
}

async function readYaml(source: LayerSource): Promise<IndexRecord[]> {
  const { parseCommandsYaml } = await import("../commands-yaml.ts");
  const path = join(source.folder, "commands.yaml");
  return parseCommandsYaml(readAt(source, path), {
    file: showFile(source, path),
    folder: source.folder,
    workingFolder: source.shown,
  }).map(packEntry);
}

/** A file that vanished since it was seen is an empty one. */
const readAt = (source: LayerSource, path: string): string =>
  readText(path, showFile(source, path)) ?? "";

function packEntry(entry: YamlEntry): IndexRecord {
  if (entry.kind === "command") return packCommand(entry.summary, entry.program);
  if (entry.kind === "disable") return packDisable(entry.name);
  return packBroken(entry.name, {
    fault: entry.fault,
    isCritical: entry.critical,
    isWorthRetrying: false,
  });
}

async function readCommand(
  { fileName, name }: Extract<IndexJob, { kind: "command" }>,
  { source, libraryUrl }: JobContext,
  kinds: readonly FileKind[],
): Promise<IndexRecord> {
  const path = join(source.commandsFolder, fileName);
  const problem = nameProblem(name, () => ({ file: showFile(source, path) }));
  if (problem !== null) return packBroken(name, { fault: reportFault(problem), ...NOT_RETRIED });
  let text: string | null = null;
  try {
    // Opening a FIFO would wait for a writer, and not even ending the thread helps against that.
    if (!statSync(path).isFile()) throw notAFile(source, path);
    text = readAt(source, path);
    const kind = findKind(kinds, fileName);
    if (kind === null) throw new TypeError(`no loader for ${fileName}`);
    const { summary } = await kind.load({ source, path, name, generation: 0, libraryUrl }, null);
    return packCommand(summary);
  } catch (error) {
    return packBroken(name, {
      fault: reportFault(describeImport(error, { source, path, text })),
      isCritical: text !== null && mentionsCritical(text),
      isWorthRetrying: isReasonElsewhere(error),
    });
  }
}

const notAFile = (source: LayerSource, path: string): Fault =>
  fault(
    "FileInvalid",
    { problem: "it is not a regular file" },
    { where: { file: showFile(source, path) } },
  );

const NOT_RETRIED = { isCritical: false, isWorthRetrying: false };

/** Of a file that cannot be loaded only its text can still say so. */
export const mentionsCritical = (text: string): boolean =>
  /\bcritical["']?\s*:\s*true\b/.test(text);
