import { type CommandResult, ok } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { findRunRecord } from "./load-report.ts";
import { withStore } from "./open-store.ts";
import { requireWord } from "./require-word.ts";

/** Whoever works on it stops at the next heartbeat. */
export const cancelRun = (args: BenchArguments, place: BenchPlace): Promise<CommandResult> =>
  withStore(args, place, async (store) => {
    const run = await findRunRecord(store, requireWord(args, "a run"));
    await store.cancelRun(run.id);
    return ok(`cancelled ${run.id.slice(0, 8)}; what was finished stays`, { run: run.id });
  });
