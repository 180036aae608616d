// What goes between a hook and the process that runs a command for it. Both are this program.
import type { Streams } from "../../hooks/virtual/replay-line.ts";
import type { VirtualJob } from "../../hooks/virtual/virtual-desk.ts";

export interface JobMessage {
  readonly job: VirtualJob;
  /** Where the result is to be written. */
  readonly file: string;
}

export const readJob = (text: string): JobMessage => JSON.parse(text);

export const printStreams = ({ stdout, stderr, exitCode }: Streams): string =>
  JSON.stringify({
    stdout: Buffer.from(stdout).toString("base64"),
    stderr: Buffer.from(stderr).toString("base64"),
    exitCode,
  });

export function readStreams(text: string): Streams {
  const { stdout, stderr, exitCode } = JSON.parse(text);
  return {
    stdout: Buffer.from(stdout, "base64"),
    stderr: Buffer.from(stderr, "base64"),
    exitCode,
  };
}
