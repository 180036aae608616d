// A server of somebody else as a process of ours: in a group of its own, with the variables that it was given by name, ended
// with all that it started.
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { TextLines } from "../../../agents/run/output/lines.ts";
import type { CommandSpec } from "../../../core/process/command-spec.ts";
import { runProcess } from "../../../core/process/run.ts";

const MAX_MESSAGE_LENGTH = 10 << 20;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why its program could not be started; null where it could. */
  startProblem: string | null = null;
  readonly #spec: CommandSpec;
  readonly #onStderr: (text: string) => void;
  readonly #stop = new AbortController();
  readonly #waiting: string[] = [];
  #wake: (() => void) | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(spec: CommandSpec, onStderr: (text: string) => void) {
    this.#spec = spec;
    this.#onStderr = onStderr;
  }

  async start(): Promise<void> {
    const lines = new TextLines({
      limit: MAX_MESSAGE_LENGTH,
      onLine: (line) => this.#read(line),
      onTooLong: () => {
        this.#onStderr("adj: the server said more than 10 MB in one message and was ended\n");
        this.#stop.abort();
      },
    });
    this.#ended = runProcess(this.#spec, {
      stdin: this.#lines(),
      signal: this.#stop.signal,
      graceMs: 2_000,
      keepBytes: 0,
      onChunk: (channel, bytes) => {
        if (channel === "stdout") lines.push(bytes);
        else this.#onStderr(Buffer.from(bytes).toString());
      },
    }).then((ending) => {
      if (ending.kind === "not_started") {
        this.startProblem = ending.problem;
        this.onerror?.(new Error(`the server could not be started: ${ending.problem}`));
      }
      this.#stop.abort();
      this.#wake?.();
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#waiting.push(serializeMessage(message));
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#ended;
  }

  /** What is no message is the server's own affair; it need not end for it. */
  #read(line: string): void {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async *#lines(): AsyncGenerator<string> {
    while (!this.#stop.signal.aborted) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
