// The program's own streams: writes that wait for slow readers, and a progress line that cleans up after itself.
import { once } from "node:events";
import type { Output } from "../../command/result.ts";

export interface Screen {
  write(chunk: Output, channel: "stdout" | "stderr"): Promise<void>;
  progress(step: number | string): void;
  clearProgress(): void;
  /** Whether anything was written to stdout. */
  readonly hasData: boolean;
}

export function createScreen(): Screen {
  let hasData = false;
  let hasProgress = false;

  const clearProgress = () => {
    if (hasProgress) process.stderr.write("\r\u001b[K");
    hasProgress = false;
  };

  return {
    get hasData() {
      return hasData;
    },
    write: async (chunk, channel) => {
      if (chunk.length === 0) return;
      clearProgress();
      if (channel === "stdout") hasData = true;
      const stream = process[channel];
      if (!stream.write(chunk)) await once(stream, "drain");
    },
    progress: (step) => {
      if (!process.stderr.isTTY) return;
      const text = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
      process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
      hasProgress = true;
    },
    clearProgress,
  };
}
