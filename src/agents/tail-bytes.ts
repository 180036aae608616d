/** The last so many bytes of a stream, and no more. */
export class TailBytes {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(bytes: Uint8Array): void {
    this.#pieces.push(Buffer.from(bytes));
    this.#length += bytes.length;
    // Twice the limit before it is cut down: each byte is copied a bounded number of times.
    if (this.#length > 2 * this.#limit) this.#trim();
  }

  text(): string {
    this.#trim();
    return Buffer.concat(this.#pieces).toString("utf8");
  }

  #trim(): void {
    const tail = Buffer.concat(this.#pieces).subarray(-this.#limit);
    this.#pieces = [Buffer.from(tail)];
    this.#length = tail.length;
  }
}
