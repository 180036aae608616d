// What is to be sent to a program that stays and reads when it likes: JSON, one message a line, in order.

/** An end that asks on and on without reading the answers is held back from here on. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024;

export class MessageQueue {
  readonly #waiting: string[] = [];
  #length = 0;
  #isClosed = false;
  #wake: (() => void) | null = null;
  #room = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The characters that wait. */
  get length(): number {
    return this.#length;
  }

  push(message: object): void {
    if (this.#isClosed) return;
    const line = `${JSON.stringify(message)}\n`;
    this.#waiting.push(line);
    this.#length += line.length;
    this.#wake?.();
  }

  /** No more is taken, and the reading ends behind what waits. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    this.#room.resolve();
  }

  /** Settles when there is room again, or no more to be sent. */
  async whenRoomy(): Promise<void> {
    if (this.#length > MAX_WAITING_LENGTH && !this.#isClosed) await this.#room.promise;
  }

  /** The lines for the other end, until it is closed. */
  async *lines(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield this.#release(next);
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #release(line: string): string {
    this.#length -= line.length;
    if (this.#length <= MAX_WAITING_LENGTH) {
      this.#room.resolve();
      this.#room = Promise.withResolvers();
    }
    return line;
  }
}
