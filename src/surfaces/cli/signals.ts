import { fault } from "../../command/fault.ts";
import { isTerminalLent } from "../../process/lent-terminal.ts";

export interface SignalWatch {
  readonly signal: AbortSignal;
  close(): void;
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The first signal cancels the dispatch, a second one of the same kind ends the program on the spot. */
export function watchSignals(command: string, endNow: (exitCode: number) => void): SignalWatch {
  const controller = new AbortController();
  const handlers = Object.entries(EXIT_CODES).map(([name, exitCode]) => {
    const signal = name === "SIGINT" ? "SIGINT" : "SIGTERM";
    const onSignal = () => {
      if (name === "SIGINT" && isTerminalLent()) return;
      if (controller.signal.aborted) endNow(exitCode);
      controller.abort(fault("Cancelled", { name: command, signal }));
    };
    process.on(name, onSignal);
    return () => process.off(name, onSignal);
  });
  // A reader that went away (`adj log | head`) wants nothing more.
  const onPipeError = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    endNow(141);
  };
  process.stdout.on("error", onPipeError);
  return {
    signal: controller.signal,
    close: () => {
      for (const remove of handlers) remove();
    },
  };
}
