// `adj bench worker`: takes trials from a store that many machines share, until it is told to stop.
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { workLoop } from "../run/work-loop.ts";
import { findSandboxProblem } from "../sandbox/bubblewrap.ts";
import type { BenchArguments } from "./arguments.ts";
import { requireServerAddress, withStore } from "./context.ts";
import { createAgentFinder } from "./plan-trials.ts";
import { openTrialRuntime } from "./trial-runtime.ts";

export async function workForServer(
  args: BenchArguments,
  bench: BundledContext,
): Promise<CommandResult> {
  if (args.store === undefined)
    throw fault(
      "ArgumentsInvalid",
      { command: "bench", problem: "`bench worker` needs `--store postgres://…`" },
      { hint: "without a server `adj bench SUITE` works through the suite itself" },
    );
  requireServerAddress(args.store);
  const problem = await findSandboxProblem(bench.context.env.forChild());
  if (problem !== null)
    await bench.context.write(
      `note: ${problem}; trials that were planned with a sandbox end as \`infra\` on this worker\n`,
      "stderr",
    );
  return withStore(args, bench, async (store) => {
    let done = 0;
    const findAgent = createAgentFinder(bench);
    const runtime = await openTrialRuntime(
      { store, findAgent, keep: args.keep, raw: args.raw, guardFlags: args },
      bench,
    );
    await workLoop({
      store,
      runtime,
      labels: args.labels,
      concurrency: args.concurrency ?? 1,
      ahead: 0,
      runId: args.words[0] ?? null,
      infraRetries: WORKER_RETRIES,
      signal: bench.context.signal,
      onResult: ({ key, ending }) => {
        done += 1;
        void bench.context.write(`${key} ${ending}\n`, "stderr");
      },
    }).finally(runtime.close);
    return ok(`${done} trials done`, { done });
  });
}

const WORKER_RETRIES = 2;
