// `adj bench show CASE/AGENT/REPETITION [RUN]`: why did this one fail?
import type { BenchStore, RunRecord } from "../../bench/queue.ts";
import { trialReport } from "../../bench/report/trial-report.ts";
import type { TrialResult } from "../../bench/trial.ts";
import { fault } from "../../command/fault.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { screenWidth } from "../screen-width.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { findRunRecord } from "./load-report.ts";
import { withStore } from "./open-store.ts";
import { requireWord } from "./require-word.ts";

export const showTrial = (args: BenchArguments, place: BenchPlace): Promise<CommandResult> =>
  withStore(args, place, async (store) => {
    const wanted = requireWord(args, "a trial, `CASE/AGENT/REPETITION`");
    const run = await findRunRecord(store, args.words[1]);
    const result = pickTrial(await store.results(run.id), wanted, run);
    const kept = await readKept(result, store);
    const contents = Object.fromEntries(
      [...kept].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    );
    return ok(trialReport(result, kept, screenWidth(place.context)), { result, contents });
  });

/** By its key, or by a beginning that only one has; with `CASE/AGENT` the first that did not pass. */
function pickTrial(results: readonly TrialResult[], wanted: string, run: RunRecord): TrialResult {
  const fitting = results.filter(({ key }) => key === wanted || key.startsWith(`${wanted}/`));
  const found = fitting.find(({ ending }) => ending !== "passed") ?? fitting[0];
  if (found !== undefined) return found;
  const near = nearestNames(
    wanted,
    results.map(({ key }) => key),
  );
  throw fault(
    "InputInvalid",
    { what: "`adj bench show`", problem: `run ${run.id.slice(0, 8)} has no trial \`${wanted}\`` },
    {
      hint: near.length > 0 ? `did you mean \`${near[0]}\`?` : "`adj bench report` lists its cases",
    },
  );
}

async function readKept(
  { artifacts }: TrialResult,
  store: Pick<BenchStore, "getContent">,
): Promise<Map<string, Uint8Array>> {
  const kept = new Map<string, Uint8Array>();
  for (const [name, hash] of Object.entries(artifacts)) {
    const bytes = await store.getContent(hash);
    if (bytes !== null) kept.set(name, bytes);
  }
  return kept;
}
