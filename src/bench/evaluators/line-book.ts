// Every line gets a number, equal lines the same one. A line is remembered by 53 bits of hash, in a few bytes.

export class LineBook {
  #size = 0;
  #hashes = new Float64Array(512);
  /** Open addressing; a number is kept one higher, 0 is free. At most half is taken. */
  #slots = new Int32Array(1_024);

  /** How many different lines there are. */
  get size(): number {
    return this.#size;
  }

  numberOf(hash: number): number {
    const slot = this.#findSlot(hash);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) return known - 1;
    if (this.#size === this.#hashes.length) {
      this.#grow();
      return this.numberOf(hash);
    }
    this.#hashes[this.#size] = hash;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return this.#size - 1;
  }

  #findSlot(hash: number): number {
    const last = this.#slots.length - 1;
    let slot = hash & last;
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#hashes[known - 1] === hash) return slot;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const hashes = new Float64Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let at = 0; at < this.#size; at++) this.#slots[this.#findSlot(hashes[at] ?? 0)] = at + 1;
  }
}
