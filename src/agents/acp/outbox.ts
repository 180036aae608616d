import type { RpcMessage } from "./messages.ts";

/** What is to be sent, in order, to whoever reads it; closing it ends the reading. */
export class Outbox {
  #waiting: string[] = [];
  #isClosed = false;
  #wake: (() => void) | null = null;

  send(message: RpcMessage): void {
    if (this.#isClosed) return;
    this.#waiting.push(`${JSON.stringify(message)}\n`);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
