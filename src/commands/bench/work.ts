// `adj bench worker`: takes trials from a store that many machines share, until it is told to stop.
import { workLoop } from "../../bench/trials/work-loop.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { createAgentFinder } from "./locate-agents.ts";
import { withStore } from "./open-store.ts";
import { makeTrialShop } from "./trial-shop.ts";
import { openWorkPlace } from "./work-place.ts";

export async function workForServer(
  args: BenchArguments,
  place: BenchPlace,
): Promise<CommandResult> {
  if (args.store === undefined)
    throw fault(
      "ArgumentsInvalid",
      { command: "bench", problem: "`bench worker` needs `--store postgres://…`" },
      { hint: "without a server `adj bench SUITE` works through the suite itself" },
    );
  return withStore(args, place, async (store) => {
    let done = 0;
    const work = await openWorkPlace(place);
    const findAgent = createAgentFinder(place);
    await workLoop({
      store,
      shop: makeTrialShop({ store, findAgent, keep: args.keep, work }, place),
      labels: args.labels,
      concurrency: args.concurrency ?? 1,
      ahead: 0,
      runId: args.words[0] ?? null,
      infraRetries: WORKER_RETRIES,
      signal: place.context.signal,
      onResult: ({ key, ending }) => {
        done += 1;
        void place.context.write(`${key} ${ending}\n`, "stderr");
      },
    }).finally(work.close);
    return ok(`${done} trials done`, { done });
  });
}

const WORKER_RETRIES = 2;
