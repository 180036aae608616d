// `adj bench show CASE/AGENT/REPETITION [RUN]`: why did this one fail?
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { nearestNames } from "../../core/command/words.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { trialReport } from "../report/trial.ts";
import type { BenchStore, SuiteRunRecord } from "../store/store.ts";
import type { TrialResult } from "../suite/trial.ts";
import type { BenchArguments } from "./arguments.ts";
import { type BenchContext, findRunRecord, requireWord, withStore } from "./context.ts";

export const showTrial = (args: BenchArguments, bench: BenchContext): Promise<CommandResult> =>
  withStore(args, bench, async (store) => {
    const wanted = requireWord(args, "a trial, `CASE/AGENT/REPETITION`");
    const run = await findRunRecord(store, args.words[1]);
    const result = pickTrial(await store.results(run.id), wanted, {
      run,
      hintFlag: store.hintFlag,
    });
    const kept = await readKept(result, store);
    const contents = Object.fromEntries(
      [...kept].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
    );
    return ok(trialReport(result, kept, screenWidth(bench.context)), { result, contents });
  });

/** By its key, or by a beginning that only one has; with `CASE/AGENT` the first that did not pass. */
function pickTrial(
  results: readonly TrialResult[],
  wanted: string,
  { run, hintFlag }: { readonly run: SuiteRunRecord; readonly hintFlag: string },
): TrialResult {
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
      hint:
        near.length > 0
          ? `did you mean \`${near[0]}\`?`
          : `\`adj bench report${hintFlag}\` lists its cases`,
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
