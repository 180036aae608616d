// The index of a layer, brought up to date where its files changed.
import type { FaultReport } from "../command/fault.ts";
import { type LayerIndex, placeIndex, readIndex, writeIndex } from "./index-file.ts";
import type { JobResult } from "./index-job.ts";
import { isIndexTrue, type LayerSighting, sightLayer, type Wanted } from "./index-look.ts";
import { type IndexPlan, planRefresh } from "./index-plan.ts";
import type { LayerSource } from "./layer-source.ts";
import { EMPTY_TABLE, fileTableOf, type IndexedFile, tableOf } from "./record-table.ts";
import type { Runtime } from "./runtime.ts";

export interface IndexRequest {
  readonly source: LayerSource;
  readonly stateDir: string;
  readonly runtime: Runtime;
  readonly wanted: Wanted;
}

export interface CurrentIndex {
  readonly index: LayerIndex;
  /** Why the folder of commands could not be read. */
  readonly fault: FaultReport | null;
}

export async function currentIndex(request: IndexRequest): Promise<CurrentIndex> {
  const { source, runtime } = request;
  const place = placeIndex(request.stateDir, source.commandsFolder, runtime.version);
  const before = readIndex(place);
  if (before !== null && isIndexTrue(before, source, request.wanted))
    return { index: before, fault: null };
  const seen = sightLayer(source);
  const plan = planRefresh(before, seen);
  const index = assemble(before, { seen, plan, results: await load(plan, source, runtime) });
  writeIndex(place, index);
  return { index, fault: seen.fault };
}

async function load(plan: IndexPlan, source: LayerSource, runtime: Runtime): Promise<JobResult[]> {
  if (plan.jobs.length === 0) return [];
  const { loadJobs } = await import("./index-loading.ts");
  const { libraryUrl, workerUrl } = runtime;
  return loadJobs(plan.jobs, { source, libraryUrl }, workerUrl);
}

interface Refreshed {
  readonly seen: LayerSighting;
  readonly plan: IndexPlan;
  readonly results: readonly JobResult[];
}

function assemble(before: LayerIndex | null, { seen, plan, results }: Refreshed): LayerIndex {
  const resultOf = (kind: "yaml" | "settings"): JobResult | undefined =>
    results[plan.jobs.findIndex((job) => job.kind === kind)];
  const yaml = resultOf("yaml");
  const settings = resultOf("settings");
  const records = yaml === undefined ? undefined : tableOf(yaml.records);
  const files = [...plan.kept, ...loadedFiles({ seen, plan, results })];
  return {
    listing: seen.listing,
    files: fileTableOf(files.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))),
    yaml: {
      fingerprint: seen.yaml,
      records: pick(seen.yaml, records, before?.yaml.records) ?? EMPTY_TABLE,
      fault: pick(seen.yaml, yaml?.fault, before?.yaml.fault) ?? null,
    },
    settings: {
      fingerprint: seen.settings,
      value: pick(seen.settings, settings?.settings, before?.settings.value) ?? {},
      fault: pick(seen.settings, settings?.fault, before?.settings.fault) ?? null,
    },
  };
}

const loadedFiles = ({ seen, plan, results }: Refreshed): IndexedFile[] =>
  plan.jobs.flatMap((job, at) => {
    const record = results[at]?.records[0];
    const stamp = job.kind === "command" ? seen.files.get(job.fileName) : undefined;
    if (job.kind !== "command" || record === undefined || stamp === undefined) return [];
    return [{ fileName: job.fileName, stamp, record }];
  });

/** What was loaded now, else what was known; nothing when the file is gone. */
function pick<Value>(
  fingerprint: string | null,
  loaded: Value | undefined,
  known: Value | undefined,
): Value | undefined {
  if (fingerprint === null) return undefined;
  return loaded === undefined ? known : loaded;
}
