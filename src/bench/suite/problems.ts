// Everything that is wrong with a suite, and not only the first of it. Whoever shows one line has the first as a fault;
// whoever shows all asks for the others.
import { Fault } from "../../core/command/fault.ts";

const further = new WeakMap<Fault, readonly Fault[]>();

/** The fault itself, then what was found beside it. */
export const listProblems = (first: Fault): readonly Fault[] => [
  first,
  ...(further.get(first) ?? []),
];

/** Goes on after a fault, and keeps it. */
export class ProblemList {
  readonly #problems: Fault[] = [];

  /** What `read` gives; null where it is at fault. */
  attempt<Result>(read: () => Result): Result | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      for (const problem of listProblems(error)) this.add(problem);
      return null;
    }
  }

  /** Several entries may come from one place, with the same mistake. */
  add(problem: Fault): void {
    if (!this.#problems.some(({ message }) => message === problem.message))
      this.#problems.push(problem);
  }

  get hasAny(): boolean {
    return this.#problems.length > 0;
  }

  throwFirst(): void {
    const [first, ...others] = this.#problems;
    if (first === undefined) return;
    further.set(first, others);
    throw first;
  }
}
