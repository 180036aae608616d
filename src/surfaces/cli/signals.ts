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
  return {
    signal: controller.signal,
    cancel: () => controller.abort(fault("Cancelled", { name: command })),
  };
}
