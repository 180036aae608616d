import type { Channel, RunOptions } from "./run-options.ts";

export interface OutputGate {
  /** What of these bytes lies under the channel's limit. */
  pass(channel: Channel, bytes: Uint8Array): Uint8Array;
  /** Something was held back. */
  readonly isOver: boolean;
  /** A limit that ends the run was passed. */
  readonly isKilling: boolean;
}

export function createOutputGate(limits: RunOptions["outputLimit"] = {}): OutputGate {
  const passed = { stdout: 0, stderr: 0 };
  let isOver = false;
  let isKilling = false;
  return {
    pass(channel, bytes) {
      const limit = limits[channel];
      if (limit === undefined) return bytes;
      const part = bytes.subarray(0, limit.bytes - passed[channel]);
      passed[channel] += part.length;
      if (part.length < bytes.length) {
        isOver = true;
        isKilling ||= limit.action === "kill";
      }
      return part;
    },
    get isOver() {
      return isOver;
    },
    get isKilling() {
      return isKilling;
    },
  };
}
