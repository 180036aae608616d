import { setTimeout as wait } from "node:timers/promises";
import { parseDuration } from "../../command/duration.ts";
import type { AgentExecutionContext, ExecuteOptions } from "../adapter.ts";
import { LogCollector } from "../collect-log.ts";
import { decideEnding, type RunEnding } from "../decide-ending.ts";
import type { LogEvent } from "../log-event.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";
import { closeEvents, openEvent, playStep } from "./play-step.ts";

/** One playing of a cassette: its clock, its limits, and what came of it. */
export class Playing {
  readonly #context: AgentExecutionContext;
  readonly #options: ExecuteOptions;
  readonly #collector: LogCollector;
  readonly #stop: AbortSignal;
  readonly #startedAt = Date.now();
  readonly #clock = performance.now();
  readonly #said: string[] = [];
  #hasEnded = false;

  constructor(codePrefix: string, context: AgentExecutionContext, options: ExecuteOptions) {
    this.#context = context;
    this.#options = options;
    this.#collector = new LogCollector({ codePrefix, now: () => new Date().toISOString() });
    const limits = [
      ...(options.signal === undefined ? [] : [options.signal]),
      ...(context.timeout === 0 ? [] : [AbortSignal.timeout(context.timeout)]),
    ];
    this.#stop = AbortSignal.any(limits);
  }

  async play(cassette: Cassette): Promise<void> {
    this.#emit(openEvent(cassette));
    for (const [at, step] of cassette.steps.entries()) {
      await this.#pause(step);
      if (this.#stop.aborted) return;
      await this.#playStep(step, at + 1);
    }
    if (this.#stop.aborted) return;
    this.#hasEnded = true;
    for (const event of closeEvents(cassette)) this.#emit(event);
  }

  conclude() {
    const durationMs = performance.now() - this.#clock;
    const ending = this.#describeEnding();
    const { status, errors } = decideEnding({
      ending,
      collected: this.#collector.collect(),
      format: "structured",
      stderr: "",
      timeoutMs: this.#context.timeout,
    });
    for (const error of errors) this.#collector.addError({ ...error, at: null, context: null });
    const startedAt = new Date(this.#startedAt).toISOString();
    const completedAt = new Date(this.#startedAt + durationMs).toISOString();
    return {
      status,
      ending,
      times: { startedAt, completedAt, durationMs },
      output: this.#said.map((text) => `${text}\n`).join(""),
      collected: this.#collector.collect(),
    };
  }

  #emit(event: LogEvent): void {
    if (event.kind === "message") this.#said.push(event.content);
    this.#collector.add(event);
    this.#options.onEvent?.(event);
  }

  #playStep(step: CassetteStep, number: number): Promise<void> {
    const { workspaceDir: workspace, env, runId } = this.#context;
    const emit = (event: LogEvent) => this.#emit(event);
    return playStep(step, number, {
      workspace,
      env,
      runId: `${runId}-${number}`,
      signal: this.#stop,
      emit,
    });
  }

  /** In real time only; a playing that is stopped while it pauses ends at once. */
  async #pause({ after }: CassetteStep): Promise<void> {
    if (this.#context.config.own.pace !== "real" || after === undefined) return;
    await wait(parseDuration(after) ?? 0, undefined, { signal: this.#stop }).catch(() => undefined);
  }

  #describeEnding(): RunEnding {
    const isSuccess = this.#collector.collect().final?.isSuccess === true;
    if (this.#hasEnded) return { kind: "exited", exitCode: isSuccess ? 0 : 1, signal: null };
    const kind = this.#options.signal?.aborted === true ? "cancelled" : "timed_out";
    return { kind, exitCode: null, signal: null };
  }
}
