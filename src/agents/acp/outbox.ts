import type { RpcMessage } from "./messages.ts";

/** An agent that asks on and on without reading the answers is held back from here on. */
const CROWDED = 4 * 1024 * 1024;

/** What is to be sent, in order, to whoever reads it; closing it ends the reading. */
export class Outbox {
  #waiting: string[] = [];
  #length = 0;
  #isClosed = false;
  #wake: (() => void) | null = null;
  #room = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(message: RpcMessage): void {
    if (this.#isClosed) return;
    const text = `${JSON.stringify(message)}\n`;
    this.#waiting.push(text);
    this.#length += text.length;
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    this.#room.resolve();
  }

  /** Settles when there is room again, or no more to be sent. */
  async whenRoomy(): Promise<void> {
    if (this.#length > CROWDED && !this.#isClosed) await this.#room.promise;
  }

  async *texts(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield this.#release(next);
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #release(text: string): string {
    this.#length -= text.length;
    if (this.#length <= CROWDED) {
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
    return text;
  }
}
