import type { Scope } from "../command/cancellation.ts";
import type { CommandContext } from "../command/context.ts";
import type { Command } from "../command/definition.ts";
import { Fault, fault } from "../command/fault.ts";
import { type CommandResult, checkResult } from "../command/result.ts";
import { monotonicMs } from "../command/time.ts";
import { type DispatchEnding, endWithFault, endWithResult, faultOf } from "./ending.ts";

const GRACE_MS = 1_000;
const HOOK_LIMIT_MS = 30_000;
/** A timer set for longer fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Settled =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "abandoned" };

interface RunnableCommand {
  readonly command: Command;
  readonly args: unknown;
  readonly scope: Scope;
}

/** Runs the user's code; whatever it does, the answer is an ending. */
export async function runCommandCode(
  { command, args, scope }: RunnableCommand,
  context: CommandContext,
): Promise<DispatchEnding> {
  const { name, timeoutMs } = command.summary;
  const usual = timeoutMs ?? (context.mode === "hook" ? HOOK_LIMIT_MS : null);
  const limitMs = command.keepsTime === true ? null : usual;
  const expire = () => scope.cancel(fault("CommandTimeout", { name, limitMs: limitMs ?? 0 }));
  const timer = limitMs === null ? null : setTimeout(expire, Math.min(limitMs, MAX_TIMER_MS));
  try {
    const run = async () => command.run(args, context);
    const settled = await settle(run, scope.signal, command.graceMs ?? GRACE_MS);
    return judge(name, settled, scope.signal);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

function judge(name: string, settled: Settled, signal: AbortSignal): DispatchEnding {
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

const TICK_MS = 100;
const BLOCKED_MS = 1_000;

export interface LoopWatch {
  /** Begins to watch; the returned function ends it and reports a block that is still unseen. */
  enter(): () => void;
}

/** Tells when a handler kept the event loop to itself for more than a second. */
export function createLoopWatch(onBlocked: (blockedMs: number) => void): LoopWatch {
  let watching = 0;
  let lastTick = 0;
  let timer: NodeJS.Timeout | null = null;

  const look = () => {
    const late = monotonicMs() - lastTick - TICK_MS;
    lastTick = monotonicMs();
    if (late > BLOCKED_MS) onBlocked(Math.round(late));
  };
  const leave = () => {
    look();
    watching -= 1;
    if (watching > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    enter: () => {
      if (watching === 0) {
        lastTick = monotonicMs();
        timer = setInterval(look, TICK_MS);
        timer.unref();
      }
      watching += 1;
      return leave;
    },
  };
}
