// What the resident answers hooks with: what a cold call opens, kept open, and looked at again when it changed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fault } from "../../core/command/fault.ts";
import { nestRunId, RUN_ID_NAME } from "../../core/process/environment.ts";
import { killRun } from "../../core/process/kill-tree.ts";
import { listReadableEntries } from "../../core/project/files.ts";
import { fingerprint } from "../../core/project/fingerprint.ts";
import { LAYER_FOLDER, type Paths } from "../../core/project/paths.ts";
import { trustFolder } from "../../core/project/trust/store.ts";
import { openAudit } from "../../core/store/audit.ts";
import type { AuditStore } from "../../core/store/stores.ts";
import type { HookParts } from "../pipeline/hook-call.ts";
import { failedStreams } from "../virtual/job.ts";
import type { Streams } from "../virtual/replay.ts";
import type {
  RunVirtual,
  VirtualCatalog,
  VirtualContext,
  VirtualJob,
} from "../virtual/virtual-step.ts";
import { entryBeside, type HookProgram, makeColdParts } from "./cold-parts.ts";
import { createWorkerPool, type WorkerEnding } from "./workers.ts";

/** They end with the thread they are made in. */
export function makeWarmParts(program: HookProgram): HookParts {
  const cold = makeColdParts(program);
  const runner = createWarmRunner(entryBeside(program.program, "virtual-worker"));
  const audits = keepAudits();
  runner.warmUp();
  return {
    ...cold,
    openCatalog: keepCatalogs(cold.openCatalog),
    runVirtual: runner.runVirtual,
    record: (stateDir, events) => {
      if (events.length === 0) return;
      const audit = audits.open(stateDir);
      for (const event of events) audit.append(event);
    },
  };
}

const MAX_CATALOGS = 16;

function keepCatalogs(open: HookParts["openCatalog"]): HookParts["openCatalog"] {
  const kept = new Map<string, { readonly stamp: string; readonly catalog: VirtualCatalog }>();
  return async (context: VirtualContext) => {
    const stamp = stampProject(context);
    if (stamp === null) return open(context);
    const key = JSON.stringify([context.paths, context.root, context.cwd]);
    const known = kept.get(key);
    kept.delete(key);
    const catalog = known?.stamp === stamp ? known.catalog : await open(context);
    kept.set(key, { stamp, catalog });
    const [oldest] = kept.keys();
    if (kept.size > MAX_CATALOGS && oldest !== undefined) kept.delete(oldest);
    return catalog;
  };
}

/** One per state folder; opened anew when somebody took the file away. */
function keepAudits() {
  const kept = new Map<string, { readonly audit: AuditStore; readonly inode: string }>();
  const inodeOf = (stateDir: string) =>
    fingerprint(join(stateDir, "audit.db"))?.split(":")[0] ?? "none";
  return {
    open: (stateDir: string): AuditStore => {
      const known = kept.get(stateDir);
      if (known?.inode === inodeOf(stateDir)) return known.audit;
      known?.audit.close();
      kept.delete(stateDir);
      const audit = openAudit(stateDir);
      kept.set(stateDir, { audit, inode: inodeOf(stateDir) });
      return audit;
    },
  };
}

// Virtual commands in the resident: in a thread that is there already.

interface WarmRunner {
  readonly runVirtual: RunVirtual;
  warmUp(): void;
}

function createWarmRunner(worker: string): WarmRunner {
  const pool = createWorkerPool<VirtualJob, Streams>({
    url: pathToFileURL(worker),
    cleanUp: ({ id, since }, { env }) => killRun({ runId: nestRunId(env[RUN_ID_NAME], id), since }),
  });
  return {
    warmUp: pool.warmUp,
    runVirtual: async (job, signal) => {
      const project = `${job.paths.configDir}\n${job.root}`;
      const rule = { project, stamp: stampProject(job), limitMs: job.limitMs, signal };
      return streamsOf(job, await pool.run(job, rule));
    },
  };
}

function streamsOf({ name, limitMs }: VirtualJob, ending: WorkerEnding<Streams>): Streams {
  switch (ending.kind) {
    case "done":
      return ending.result;
    case "failed":
      return failedStreams(fault("HandlerThrew", { name, problem: ending.problem }));
    case "timed_out":
      return failedStreams(fault("CommandTimeout", { name, limitMs }));
    case "cancelled":
      return failedStreams(fault("Cancelled", { name, signal: "SIGTERM" }));
    case "lost":
      return failedStreams(fault("ProcessLost", { name }));
  }
}

// The state of everything that says which commands a project has: while it is the same text, what was loaded stays
// true. A few stats; a folder with very many files is not worth them.

const MAX_FILES = 300;
const MAX_DEPTH = 4;

interface StampedProject {
  readonly paths: Paths;
  readonly root: string;
}

/** Null where there is too much to look at. */
function stampProject({ paths, root }: StampedProject): string | null {
  const files: string[] = [join(trustFolder(paths.stateDir, root), "current.json")];
  for (const folder of [paths.configDir, join(root, LAYER_FOLDER)])
    if (!listFiles(folder, files, MAX_DEPTH)) return null;
  return files.map((file) => `${file} ${fingerprint(file)}`).join("\n");
}

/** False when there are too many. */
function listFiles(folder: string, files: string[], deep: number): boolean {
  for (const entry of listReadableEntries(folder)) {
    // What is installed there is named by the files beside it.
    if (entry.name === "node_modules" || entry.name === ".git") continue;
    const path = join(folder, entry.name);
    files.push(path);
    if (files.length > MAX_FILES) return false;
    if (entry.isDirectory() && deep > 0 && !listFiles(path, files, deep - 1)) return false;
  }
  return true;
}
