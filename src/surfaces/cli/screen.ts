// What the program shows: data, messages, and a progress line that cleans up after itself.
import { isatty } from "node:tty";
import type { Output } from "../../command/output.ts";
import type { Channel } from "../../process/run-options.ts";
import { writeOut } from "./write-out.ts";

export interface Screen {
  write(chunk: Output, channel: Channel): void;
  /** Writes live output of a command and remembers the channel. */
  stream(chunk: Output, channel: Channel): void;
  readonly streamed: ReadonlySet<Channel>;
  /** Whoever read stdout (`adj log | head`) has seen enough. */
  readonly isReaderGone: boolean;
  progress(step: number | string): void;
  clearProgress(): void;
}

export function createScreen(onReaderGone: () => void): Screen {
  const streamed = new Set<Channel>();
  let isReaderGone = false;
  let hasProgress = false;

  const clearProgress = () => {
    if (hasProgress) writeOut("\r\u001b[K", "stderr");
    hasProgress = false;
  };
  const write = (chunk: Output, channel: Channel) => {
    if (chunk.length === 0) return;
    clearProgress();
    if (writeOut(chunk, channel) === "written" || channel === "stderr" || isReaderGone) return;
    isReaderGone = true;
    onReaderGone();
  };

  return {
    write,
    stream: (chunk, channel) => {
      if (chunk.length > 0) streamed.add(channel);
      write(chunk, channel);
    },
    streamed,
    get isReaderGone() {
      return isReaderGone;
    },
    progress: (step) => {
      if (!isatty(2)) return;
      const text = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
      writeOut(`\r\u001b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`, "stderr");
      hasProgress = true;
    },
    clearProgress,
  };
}
