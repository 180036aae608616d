// What the subcommands of `adj bench` have in common: where they run, the store, a run by the beginning of its id.
import * as z from "zod/mini";
import { fault } from "../../core/command/fault.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { type Bar, findMissed } from "../report/bars.ts";
import type { RunReport } from "../report/report.ts";
import { summarizeRun } from "../report/summary.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { BenchArguments } from "./arguments.ts";

/** A file of this machine, or a server for many. */
async function openStore(
  { store }: Pick<BenchArguments, "store">,
  { program, context }: BundledContext,
): Promise<BenchStore> {
  if (store === undefined) {
    const { openBench } = await import("../store/sqlite.ts");
    return openBench(program.stateDir);
  }
  requireServerAddress(store);
  const { openPostgresBench } = await import("../store/postgres.ts");
  const note = (text: string) => void context.write(`${text}\n`, "stderr");
  return openPostgresBench(store, { signal: context.signal, note });
}

export function requireServerAddress(store: string): void {
  if (/^postgres(ql)?:\/\//.test(store)) return;
  throw fault("ArgumentsInvalid", {
    command: "bench",
    problem: "`--store` must be an address that begins with `postgres://`",
  });
}

/** Opened for one piece of work, closed whatever happens. */
export async function withStore<Result>(
  args: Pick<BenchArguments, "store">,
  bench: BundledContext,
  work: (store: BenchStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(args, bench);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The one word an action needs. */
export function requireWord({ words, subject }: BenchArguments, what: string): string {
  const [first] = words;
  if (first !== undefined) return first;
  throw fault(
    "ArgumentsInvalid",
    { command: "bench", problem: `\`bench ${subject}\` needs ${what}` },
    { hint: "see `adj help bench`" },
  );
}

/** By the beginning of its id; the newest of all without one. */
export async function findRunRecord(
  store: BenchStore,
  beginning: string | undefined,
): Promise<SuiteRunRecord> {
  const runs = await store.listRuns(null);
  const fitting = runs.filter(({ id }) => id.startsWith(beginning ?? ""));
  const newest = fitting.at(-1);
  if (newest === undefined)
    throw fault(
      "InputInvalid",
      {
        what: "`adj bench`",
        problem:
          beginning === undefined ? "there are no runs yet" : `there is no run \`${beginning}\``,
      },
      {
        hint:
          runs.length === 0
            ? `\`adj bench SUITE${store.hintFlag}\` makes one`
            : `\`adj bench history${store.hintFlag}\` lists them`,
      },
    );
  if (beginning !== undefined && fitting.length > 1)
    throw fault(
      "InputInvalid",
      { what: "`adj bench`", problem: `\`${beginning}\` begins ${fitting.length} runs` },
      { hint: "give more of the id" },
    );
  return newest;
}

const SANDBOX = z.object({ kind: z.nullish(z.string()), missing: z.nullish(z.string()) });
const ENTRIES = z.array(
  z.object({
    id: z.string(),
    unsupported: z.nullish(z.string()),
    // Runs of earlier versions do not say.
    sandbox: z.optional(SANDBOX),
  }),
);
const DEFINITION = z.object({ suite: z.object({ agents: ENTRIES, cases: ENTRIES }) });

/** Agents without a sandbox, those with the same cause in one line. */
function describeUnconfined({ definition }: SuiteRunRecord): string[] {
  const { agents } = DEFINITION.parse(JSON.parse(definition)).suite;
  const free = agents.filter(({ sandbox }) => sandbox?.kind === "none");
  const causes = Map.groupBy(
    free,
    ({ sandbox }) => sandbox?.missing ?? "the suite says `sandbox: none`",
  );
  return [...causes].map(
    ([cause, ones]) => `no sandbox for ${ones.map(({ id }) => `\`${id}\``).join(", ")}: ${cause}`,
  );
}

/** The agents and cases that were to be tried, also those of which nothing has come yet. */
function plannedIds({ definition }: SuiteRunRecord) {
  const { suite } = DEFINITION.parse(JSON.parse(definition));
  const runnable = suite.cases.filter(({ unsupported }) => unsupported == null);
  return { agents: suite.agents.map(({ id }) => id), cases: runnable.map(({ id }) => id) };
}

export async function loadReport(
  store: BenchStore,
  run: SuiteRunRecord,
  bars: readonly Bar[],
): Promise<RunReport> {
  const results = await store.results(run.id);
  const summary = summarizeRun(results, { ...plannedIds(run), trials: run.trials });
  const missed = findMissed(summary, bars);
  const { hintFlag } = store;
  const unconfined = describeUnconfined(run);
  return { run, summary, results, missed, unconfined, worse: [], hintFlag };
}
