import { writeSync } from "node:fs";
import { systemCodeOf } from "../command/fault.ts";
import type { Output } from "../command/result.ts";
import type { Channel } from "../process/command-spec.ts";

const DESCRIPTORS: Readonly<Record<Channel, number>> = { stdout: 1, stderr: 2 };
const FULL_PIPE_PAUSE_MS = 5;

/** What was to be printed could not be: the disk of the file behind stdout is full, say. */
export class OutputLost extends Error {
  constructor(options: ErrorOptions) {
    super("stdout cannot be written", options);
  }
}

/**
 * Writes all of it before it returns. `process.stdout` would do the same on a pipe, a file or a terminal,
 * but costs a tenth of a start to set up.
 */
export function writeOut(chunk: Output, channel: Channel): "written" | "reader_gone" {
  let bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  try {
    while (bytes.length > 0) bytes = bytes.subarray(writeSome(bytes, DESCRIPTORS[channel]));
    return "written";
  } catch (error) {
    if (systemCodeOf(error) === "EPIPE") return "reader_gone";
    throw channel === "stdout" ? new OutputLost({ cause: error }) : error;
  }
}

function writeSome(bytes: Uint8Array, descriptor: number): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    // Somebody else made the pipe non-blocking; its reader is behind.
    if (systemCodeOf(error) !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS);
    return 0;
  }
}
