import type { ChildProcess } from "node:child_process";
import { createKeptOutput, type KeptOutput } from "./kept-output.ts";
import { createOutputGate, type OutputGate } from "./output-gate.ts";
import type { RawFilePair } from "./raw-file-pair.ts";
import type { Channel, RunOptions } from "./run-options.ts";
import type { StopCause } from "./stop-request.ts";

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

/** Reads both channels of a child, each at the pace of whoever takes its bytes. */
export class OutputCollection {
  /** Both channels have ended and everything was handed over; never rejects. */
  readonly finished: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #plan: OutputPlan;
  readonly #gate: OutputGate;
  readonly #kept: KeptOutput;
  #seenBytes = 0;
  #consuming = 0;
  #isCut = false;
  #problem: string | null = null;
  #failure: CollectedOutput["failure"] = null;

  constructor(child: ChildProcess, plan: OutputPlan) {
    const { keepBytes = DEFAULT_KEEP_BYTES, keepOver = "both", outputLimit } = plan.options;
    this.#child = child;
    this.#plan = plan;
    this.#gate = createOutputGate(outputLimit);
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
      truncated: output.truncated || this.#gate.isOver,
      isOverKillLimit: this.#gate.isKilling,
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
      this.#plan.stop("consumer_failed");
    } finally {
      this.#consuming -= 1;
    }
  }

  #accept(channel: Channel, bytes: Uint8Array): Promise<unknown> | null {
    const { options, files, stop } = this.#plan;
    const passed = this.#gate.pass(channel, bytes);
    if (this.#gate.isKilling) stop("output_limit");
    if (passed.length === 0 || this.#failure !== null) return null;
    this.#kept.keep(channel, passed);
    const saving = files?.[channel].write(passed);
    const consumption = options.onChunk?.(channel, passed);
    return saving || consumption ? Promise.all([saving, consumption]) : null;
  }
}
