import type { BenchStore } from "../../bench/queue.ts";
import { fault } from "../../command/fault.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";

/** A file of this machine, or a server for many. */
export async function openStore(
  { store }: Pick<BenchArguments, "store">,
  { program, context }: BenchPlace,
): Promise<BenchStore> {
  if (store === undefined) {
    const { openBench } = await import("../../storage/bench.ts");
    return openBench(program.stateDir);
  }
  if (!/^postgres(ql)?:\/\//.test(store))
    throw fault("ArgumentsInvalid", {
      command: "bench",
      problem: "`--store` must be an address that begins with `postgres://`",
    });
  const { openBenchServer } = await import("../../storage/bench-postgres.ts");
  return openBenchServer(store, context.signal);
}

/** Opened for one piece of work, closed whatever happens. */
export async function withStore<Result>(
  args: Pick<BenchArguments, "store">,
  place: BenchPlace,
  work: (store: BenchStore) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(args, place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
