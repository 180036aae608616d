// The program's own streams: writes that wait for slow readers, and a progress line that cleans up after itself.
import { once } from "node:events";
import type { Output } from "../../command/result.ts";
import type { Channel } from "../../process/run-options.ts";

export interface Screen {
  write(chunk: Output, channel: Channel): Promise<void>;
  /** Writes live output of a command and remembers the channel. */
  stream(chunk: Output, channel: Channel): Promise<void>;
  readonly streamed: ReadonlySet<Channel>;
  progress(step: number | string): void;
  clearProgress(): void;
}

export function createScreen(): Screen {
  const streamed = new Set<Channel>();
  let hasProgress = false;

  const clearProgress = () => {
    if (hasProgress) process.stderr.write("\r\u001b[K");
    hasProgress = false;
  };
  const write = async (chunk: Output, channel: Channel) => {
    if (chunk.length === 0) return;
    clearProgress();
    const stream = process[channel];
    if (!stream.write(chunk)) await once(stream, "drain");
  };

  return {
    write,
    stream: (chunk, channel) => {
      if (chunk.length > 0) streamed.add(channel);
      return write(chunk, channel);
    },
    streamed,
    progress: (step) => {
      if (!process.stderr.isTTY) return;
      const text = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
      process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
      hasProgress = true;
    },
    clearProgress,
  };
}
