// Reads both channels of a child, each at the pace of whoever takes its bytes.
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { createKeptOutput } from "./kept-output.ts";
import { createOutputGate } from "./output-gate.ts";
import type { RawFilePair } from "./raw-file-pair.ts";
import type { Channel, RunOptions } from "./run-options.ts";
import type { StopCause } from "./stop-request.ts";

export interface OutputCollection {
  /** Both channels have ended and everything was handed over; never rejects. */
  readonly finished: Promise<unknown>;
  readonly seenBytes: number;
  /** Bytes were handed over and are being waited for. */
  readonly isConsuming: boolean;
  /** Reads no further. */
  cut(): void;
  conclude(): CollectedOutput;
}

export interface CollectedOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly truncated: boolean;
  readonly isOverKillLimit: boolean;
  readonly problem: string | null;
  /** What `onChunk` threw. */
  readonly failure: { readonly error: unknown } | null;
}

export interface OutputPlan {
  readonly options: RunOptions;
  readonly files: RawFilePair | null;
  readonly stop: (cause: StopCause) => void;
}

const DEFAULT_KEEP_BYTES = 10 * 1024 * 1024;

export function collectOutput(child: ChildProcess, plan: OutputPlan): OutputCollection {
  const { options, files, stop } = plan;
  const gate = createOutputGate(options.outputLimit);
  const kept = createKeptOutput(
    options.keepBytes ?? DEFAULT_KEEP_BYTES,
    options.keepOver ?? "both",
  );
  let [seenBytes, consuming] = [0, 0];
  let failure: CollectedOutput["failure"] = null;
  let problem: string | null = null;
  let isCut = false;

  function accept(channel: Channel, bytes: Uint8Array): Promise<unknown> | null {
    seenBytes += bytes.length;
    const passed = gate.pass(channel, bytes);
    if (gate.isKilling) stop("output_limit");
    if (passed.length === 0 || failure !== null) return null;
    kept.keep(channel, passed);
    const saving = files?.[channel].write(passed);
    const consumption = options.onChunk?.(channel, passed);
    return saving || consumption ? Promise.all([saving, consumption]) : null;
  }

  async function handOver(channel: Channel, bytes: Uint8Array): Promise<void> {
    consuming += 1;
    try {
      await accept(channel, bytes);
    } catch (error) {
      failure ??= { error };
      stop("consumer_failed");
    } finally {
      consuming -= 1;
    }
  }

  async function pump(channel: Channel): Promise<void> {
    const stream: Readable | null = child[channel];
    try {
      for await (const bytes of stream ?? []) await handOver(channel, bytes);
    } catch (error) {
      // Cutting a stream short ends its iteration with an error.
      if (!isCut) problem ??= `${channel} cannot be read: ${String(error)}`;
    }
  }

  return {
    finished: Promise.all([pump("stdout"), pump("stderr")]),
    get seenBytes() {
      return seenBytes;
    },
    get isConsuming() {
      return consuming > 0;
    },
    cut() {
      isCut = true;
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    conclude() {
      const output = kept.take();
      const truncated = output.truncated || gate.isOver;
      return { ...output, truncated, isOverKillLimit: gate.isKilling, problem, failure };
    },
  };
}
