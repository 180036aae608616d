import { createHeldBytes } from "./held-bytes.ts";
import type { Channel } from "./run-options.ts";

export interface KeptOutput {
  keep(channel: Channel, bytes: Uint8Array): void;
  take(): { stdout: Uint8Array; stderr: Uint8Array; truncated: boolean };
}

/** Keeps the beginning of the output, exactly to the byte. */
export function createKeptOutput(limitBytes: number, over: "both" | "each"): KeptOutput {
  const held = { stdout: createHeldBytes(), stderr: createHeldBytes() };
  let truncated = false;
  const usedBy = (channel: Channel) =>
    over === "each" ? held[channel].length : held.stdout.length + held.stderr.length;
  return {
    keep(channel, bytes) {
      const part = bytes.subarray(0, limitBytes - usedBy(channel));
      if (part.length < bytes.length) truncated = true;
      held[channel].append(part);
    },
    take: () => ({ stdout: held.stdout.take(), stderr: held.stderr.take(), truncated }),
  };
}
