import type { CommandResult } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { concludeRun } from "./conclude-run.ts";
import { findRunRecord } from "./load-report.ts";
import { withStore } from "./open-store.ts";

/** The report of a run that is over, or as far as it has come. */
export const showReport = (args: BenchArguments, place: BenchPlace): Promise<CommandResult> =>
  withStore(args, place, async (store) => {
    const { id: runId } = await findRunRecord(store, args.words[0]);
    return concludeRun({ runId, store, args }, place);
  });
