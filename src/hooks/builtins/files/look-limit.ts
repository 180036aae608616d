// How much of the disk one decision may look at. Whoever needs more cannot say what a step touches: that is unsure.

/** Thrown where the limit is reached; the message continues "it cannot be said …: ". */
export class TooMuchToLookAt extends Error {}

const MAX_ENTRIES = 20_000;
const MAX_QUESTIONS = 8;

/** Counts the names of files that are looked at, over all globs and folders of a step. */
export class LookLimit {
  #left = MAX_ENTRIES;
  #questions = MAX_QUESTIONS;

  take(count: number, what: string): void {
    this.#left -= count;
    if (this.#left < 0) throw new TooMuchToLookAt(`${what} stands for too many files`);
  }

  /** Before another program is asked, which takes far longer than a look. */
  takeQuestion(): void {
    this.#questions--;
    if (this.#questions < 0) throw new TooMuchToLookAt("git would have to be asked too often");
  }
}
