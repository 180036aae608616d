// A case's files on their way to a worker on another machine: by content, so that each travels once.

import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, readlink, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import type { BenchStore } from "../store/store.ts";
import { listAgentFiles } from "../suite/agents.ts";
import type { WorkspaceSource } from "../suite/suite.ts";
import type { TrialPlan } from "../suite/trial.ts";
import { SUITES_FOLDER } from "./workspace.ts";

const LINK = "link:";
const EXECUTABLE = ":x";

/** Where a case's repository lies among its files. */
const REPOSITORY = ".adjutant-repository.bundle";

/** What a trial takes along. */
interface CarriedFiles {
  readonly files: readonly string[];
  /** As a bundle, where the workers cannot reach it. */
  readonly repository: Uint8Array | null;
}

export type Upload = (carried: CarriedFiles) => Promise<TrialPlan["files"]>;

export const uploadFiles =
  (store: Pick<BenchStore, "putContent">, folder: string): Upload =>
  async ({ files, repository }) => {
    const entries: Record<string, string> = {};
    for (const file of files) {
      const path = relative(folder, file);
      if (path.startsWith(".."))
        throw fault("FileInvalid", {
          problem: `\`${file}\` lies outside the suite's folder, so it cannot travel to other machines`,
        });
      entries[path] = await upload(store, file);
    }
    if (repository !== null) entries[REPOSITORY] = await store.putContent(repository);
    return entries;
  };

async function upload(store: Pick<BenchStore, "putContent">, file: string): Promise<string> {
  const facts = await lstat(file);
  if (facts.isSymbolicLink()) return `${LINK}${await readlink(file)}`;
  const hash = await store.putContent(await readFile(file));
  return (facts.mode & 0o111) === 0 ? hash : `${hash}${EXECUTABLE}`;
}

export interface ReceiveOptions {
  readonly store: Pick<BenchStore, "getContent">;
  readonly workDir: string;
}

/** The plan with its files on this machine, each written once whatever trials need it. */
export async function receiveFiles(plan: TrialPlan, options: ReceiveOptions): Promise<TrialPlan> {
  if (plan.files === null) return plan;
  const name = sha256(JSON.stringify(plan.files)).slice(0, 32);
  const folder = join(options.workDir, SUITES_FOLDER, name);
  for (const [path, entry] of Object.entries(plan.files)) {
    const file = resolve(folder, path);
    if (!file.startsWith(`${folder}/`)) throw new Error(`\`${path}\` leads out of the suite`);
    if (!existsSync(file)) await writeReceived(file, entry, options);
  }
  const moved = relocatePlan(plan, folder);
  const { workspace } = moved.case;
  // Of an empty folder there is no file to bring it along.
  if (workspace.kind === "template") await mkdir(workspace.folder, { recursive: true });
  return moved;
}

async function writeReceived(
  file: string,
  entry: string,
  { store }: ReceiveOptions,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${newId()}.tmp`;
  if (entry.startsWith(LINK)) await symlink(entry.slice(LINK.length), temporary);
  else {
    const isExecutable = entry.endsWith(EXECUTABLE);
    const hash = isExecutable ? entry.slice(0, -EXECUTABLE.length) : entry;
    const bytes = await store.getContent(hash);
    if (bytes === null) throw new Error(`the store has no content ${hash} for \`${file}\``);
    await writeFile(temporary, bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
  await rename(temporary, file);
}

function relocatePlan(plan: TrialPlan, folder: string): TrialPlan {
  const here = (path: string): string => join(folder, relative(plan.suiteFolder, path));
  const { workspace } = plan.case;
  const moveWorkspace = (source: WorkspaceSource): WorkspaceSource => {
    if (source.kind === "template") return { ...source, folder: here(source.folder) };
    const isCarried = source.kind === "git" && plan.files?.[REPOSITORY] !== undefined;
    return isCarried ? { ...source, source: join(folder, REPOSITORY) } : source;
  };
  const { config } = plan.agent;
  const named = listAgentFiles(config);
  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    const isOurs = typeof value === "string" && value.startsWith(`${plan.suiteFolder}/`);
    return isOurs || named.some((path) => path === value) ? here(String(value)) : value;
  };
  const placed = Object.entries(config).map(([key, value]) => [key, place(value)]);
  return {
    ...plan,
    suiteFolder: folder,
    agent: { ...plan.agent, config: Object.fromEntries(placed) },
    case: { ...plan.case, workspace: moveWorkspace(workspace) },
  };
}
