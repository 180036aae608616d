// The output of a child: read at the pace of its consumer, kept and limited by bytes.
import type { ChildProcess } from "node:child_process";
import type { Channel, RunOptions } from "./command-spec.ts";
import type { RawFilePair } from "./raw-output.ts";
import { type StopCause, settlesWithin } from "./stop.ts";

export interface CollectedOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly truncated: boolean;
  readonly isOverKillLimit: boolean;
  readonly problem: string | null;
  /** What `onChunk` threw. */
  readonly failure: { readonly error: unknown } | null;
}

interface OutputOptions {
  readonly run: RunOptions;
  readonly files: RawFilePair | null;
  readonly stop: (cause: StopCause) => void;
}

const DEFAULT_KEEP_BYTES = 10 * 1024 * 1024;

/** Reads both channels of a child, each at the pace of whoever takes its bytes. */
export class OutputCollection {
  /** Both channels have ended and everything was handed over; never rejects. */
  readonly finished: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #options: OutputOptions;
  readonly #limiter: OutputLimiter;
  readonly #kept: KeptOutput;
  #seenBytes = 0;
  #consuming = 0;
  #isCut = false;
  #problem: string | null = null;
  #failure: CollectedOutput["failure"] = null;

  constructor(child: ChildProcess, options: OutputOptions) {
    const { keepBytes = DEFAULT_KEEP_BYTES, keepOver = "both", outputLimit } = options.run;
    this.#child = child;
    this.#options = options;
    this.#limiter = createOutputLimiter(outputLimit);
    this.#kept = createKeptOutput(keepBytes, keepOver);
    this.finished = Promise.all([this.#pump("stdout"), this.#pump("stderr")]);
  }

  get seenBytes(): number {
    return this.#seenBytes;
  }

  /** Bytes were handed over and are being waited for. */
  get isConsuming(): boolean {
    return this.#consuming > 0;
  }

  /** Reads no further. */
  cut(): void {
    this.#isCut = true;
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  conclude(): CollectedOutput {
    const output = this.#kept.take();
    return {
      ...output,
      truncated: output.truncated || this.#limiter.isOver,
      isOverKillLimit: this.#limiter.isKilling,
      problem: this.#problem,
      failure: this.#failure,
    };
  }

  async #pump(channel: Channel): Promise<void> {
    try {
      for await (const bytes of this.#child[channel] ?? []) await this.#handOver(channel, bytes);
    } catch (error) {
      // Cutting a stream short ends its iteration with an error.
      if (!this.#isCut) this.#problem ??= `${channel} cannot be read: ${String(error)}`;
    }
  }

  async #handOver(channel: Channel, bytes: Uint8Array): Promise<void> {
    this.#seenBytes += bytes.length;
    this.#consuming += 1;
    try {
      await this.#accept(channel, bytes);
    } catch (error) {
      this.#failure ??= { error };
      this.#options.stop("consumer_failed");
    } finally {
      this.#consuming -= 1;
    }
  }

  #accept(channel: Channel, bytes: Uint8Array): Promise<unknown> | null {
    const { run, files, stop } = this.#options;
    const passed = this.#limiter.pass(channel, bytes);
    if (this.#limiter.isKilling) stop("output_limit");
    if (passed.length === 0 || this.#failure !== null) return null;
    this.#kept.keep(channel, passed);
    const saving = files?.[channel].write(passed);
    const consumption = run.onChunk?.(channel, passed);
    return saving || consumption ? Promise.all([saving, consumption]) : null;
  }
}

const TICK_MS = 20;
const MAX_IDLE_TICKS = 12;
/** No pipe holds this much: whoever brings more is a process that escaped. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;

interface DrainOptions {
  /** The run was ended by us: its consumer is not waited for. */
  readonly isStopped: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Takes in what the pipes still hold after the end of the process. They close once nobody has them
 * open; a process that could not be found may do so forever, and is not waited for.
 */
export async function drainOutput(output: OutputCollection, options: DrainOptions): Promise<void> {
  const most = output.seenBytes + MAX_BUFFERED_BYTES;
  let seen = output.seenBytes;
  let idleTicks = 0;
  while (!(await settlesWithin(output.finished, TICK_MS))) {
    const isHurried = options.isStopped || options.signal?.aborted === true;
    const isIdle = !output.isConsuming && output.seenBytes === seen;
    idleTicks = isHurried || isIdle ? idleTicks + 1 : 0;
    seen = output.seenBytes;
    if (idleTicks >= MAX_IDLE_TICKS || seen > most) return output.cut();
  }
}

interface OutputLimiter {
  /** What of these bytes lies under the channel's limit. */
  pass(channel: Channel, bytes: Uint8Array): Uint8Array;
  /** Something was held back. */
  readonly isOver: boolean;
  /** A limit that ends the run was passed. */
  readonly isKilling: boolean;
}

function createOutputLimiter(limits: RunOptions["outputLimit"] = {}): OutputLimiter {
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

interface KeptOutput {
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

/** Bytes that come in pieces, held in one block: a million pieces of one byte cost one megabyte. */
interface HeldBytes {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** What was held, as its own memory; afterwards nothing is held. */
  take(): Buffer;
}

const FIRST_CAPACITY = 4_096;

function createHeldBytes(): HeldBytes {
  let block = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      const needed = length + bytes.length;
      if (needed > block.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, block.length * 2, FIRST_CAPACITY));
        block.copy(larger, 0, 0, length);
        block = larger;
      }
      block.set(bytes, length);
      length = needed;
    },
    take() {
      const held = block.subarray(0, length);
      block = Buffer.alloc(0);
      length = 0;
      return held;
    },
  };
}
