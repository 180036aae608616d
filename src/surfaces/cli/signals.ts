import { fault } from "../../command/fault.ts";
import { isTerminalLent } from "../../process/lent-terminal.ts";

export interface SignalWatch {
  readonly signal: AbortSignal;
  /** Cancels as a signal would. */
  cancel(): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The first signal cancels the dispatch, a second one ends the program on the spot. */
export function watchSignals(command: string, endNow: (exitCode: number) => void): SignalWatch {
  const controller = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    const signal = name === "SIGINT" ? "SIGINT" : "SIGTERM";
    process.on(name, () => {
      if (name === "SIGINT" && isTerminalLent()) return;
      if (controller.signal.aborted) endNow(exitCode);
      controller.abort(fault("Cancelled", { name: command, signal }));
    });
  }
  // Node leaves in silence when nothing can happen any more, however much is still awaited.
  process.once("beforeExit", () => controller.abort(fault("HandlerStuck", { name: command })));
  // Thrown where no promise leads back to the handler: in a timer, a listener.
  process.on("uncaughtException", (cause) => {
    const problem = cause instanceof Error ? cause.message : String(cause);
    controller.abort(fault("HandlerThrew", { name: command, problem }, { cause }));
  });
  return {
    signal: controller.signal,
    cancel: () => controller.abort(fault("Cancelled", { name: command })),
  };
}
