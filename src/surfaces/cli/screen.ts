// What the program shows: data, messages, and lines of progress that clean up after themselves.
import { isatty } from "node:tty";
import type { Output } from "../../command/output.ts";
import { cutText } from "../../command/text-columns.ts";
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
  let progressLines = 0;

  const clearProgress = () => {
    if (progressLines > 0)
      writeOut(`\r\u001b[K${"\u001b[A\u001b[K".repeat(progressLines - 1)}`, "stderr");
    progressLines = 0;
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
      const { columns = 80, rows = 24 } = process.stderr;
      const text = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
      // What has scrolled off the screen could not be taken back; the last line tells most.
      const lines = text.split("\n").slice(1 - rows);
      clearProgress();
      writeOut(lines.map((line) => cutText(line, columns - 1)).join("\n"), "stderr");
      progressLines = lines.length;
    },
    clearProgress,
  };
}
