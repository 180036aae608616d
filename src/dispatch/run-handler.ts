import type { Command } from "../command/command.ts";
import type { CommandContext } from "../command/context.ts";
import { Fault, fault } from "../command/fault.ts";
import { type CommandResult, checkResult } from "../command/result.ts";
import { type Ending, endWithFault, endWithResult, faultOf } from "./ending.ts";
import type { Scope } from "./scope.ts";

const GRACE_MS = 1_000;
const HOOK_LIMIT_MS = 30_000;
/** A timer set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Settled =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "abandoned" };

/** Runs the user's code; whatever it does, the answer is an ending. */
export async function runHandler(
  command: Command,
  args: unknown,
  { context, scope }: { context: CommandContext; scope: Scope },
): Promise<Ending> {
  const { name, timeoutMs } = command.summary;
  const usual = timeoutMs ?? (context.mode === "hook" ? HOOK_LIMIT_MS : null);
  const limitMs = command.keepsTime === true ? null : usual;
  const expire = () => scope.cancel(fault("CommandTimeout", { name, limitMs: limitMs ?? 0 }));
  const timer = limitMs === null ? null : setTimeout(expire, Math.min(limitMs, LONGEST_TIMER_MS));
  try {
    const run = async () => command.run(args, context);
    const settled = await settle(run, scope.signal, command.graceMs ?? GRACE_MS);
    return judge(name, settled, scope.signal);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

function judge(name: string, settled: Settled, signal: AbortSignal): Ending {
  try {
    if (signal.aborted)
      return endWithFault(faultOf(name, signal.reason, signal), partialOf(name, settled));
    if (settled.kind === "threw") return endWithFault(faultOf(name, settled.error, signal));
    return endWithResult(checkResult(name, settled.kind === "returned" ? settled.value : null));
  } catch (error) {
    return endWithFault(faultOf(name, error, signal));
  }
}

function partialOf(
  name: string,
  settled: Settled,
): Pick<CommandResult, "output" | "metadata"> | null {
  if (settled.kind === "returned") return checkResult(name, settled.value);
  return settled.kind === "threw" && settled.error instanceof Fault ? settled.error.partial : null;
}

/** A handler that was told to stop has the grace to tidy up; then the dispatch goes on without it. */
function settle(
  run: () => Promise<unknown>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Settled> {
  return new Promise((resolve) => {
    let grace: NodeJS.Timeout | null = null;
    const end = (settled: Settled) => {
      signal.removeEventListener("abort", onAbort);
      if (grace !== null) clearTimeout(grace);
      resolve(settled);
    };
    const onAbort = () => {
      grace = setTimeout(() => end({ kind: "abandoned" }), graceMs);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    run().then(
      (value) => end({ kind: "returned", value }),
      (error: unknown) => end({ kind: "threw", error }),
    );
  });
}
