// Which entry of the journal answers a request. Each answers at most one in an execution.
import type { EntryKey } from "../journal/journal.ts";

export interface CallKey {
  readonly path: string;
  readonly content: string;
}

export interface Recorded {
  readonly entry: EntryKey | null;
  /** Of the request among equal ones of its path. */
  readonly ordinal: number;
}

const isWanted = ({ requested }: EntryKey): boolean => requested === "retry";
const isDone = (entry: EntryKey): boolean => entry.status === "done" && !isWanted(entry);
const isSkipped = (entry: EntryKey): boolean => entry.status === "skipped" && !isWanted(entry);

/** It has a result, or somebody decided that it has none. */
export const isSettled = (entry: EntryKey): boolean => isDone(entry) || isSkipped(entry);

export class RecordedCalls {
  readonly #exact = new Map<string, EntryKey>();
  readonly #alike = new Map<string, EntryKey[]>();
  readonly #claimed = new Set<number>();
  readonly #all: readonly EntryKey[];
  readonly #asked = new Map<string, number>();

  constructor(entries: readonly EntryKey[]) {
    this.#all = entries;
    for (const entry of entries) {
      this.#exact.set(exactKey(entry, entry.ordinal), entry);
      const alike = this.#alike.get(entry.content);
      if (alike === undefined) this.#alike.set(entry.content, [entry]);
      else alike.push(entry);
    }
  }

  /** Claims what it gives; without an entry it is to be done for the first time. */
  find(key: CallKey): Recorded {
    const call = `${key.content} ${key.path}`;
    const ordinal = this.#asked.get(call) ?? 0;
    this.#asked.set(call, ordinal + 1);
    const entry = this.#choose(key, ordinal);
    if (entry !== null) this.#claimed.add(entry.number);
    return { entry, ordinal };
  }

  /** Nobody asked for them: an earlier version of the script did. */
  get unasked(): EntryKey[] {
    return this.#all.filter(({ number }) => !this.#claimed.has(number));
  }

  /** What is finished goes first, wherever it stood; then what was under way, so that it is taken up and not left. */
  #choose(key: CallKey, ordinal: number): EntryKey | null {
    const known = this.#exact.get(exactKey(key, ordinal));
    const exact = known === undefined || this.#claimed.has(known.number) ? null : known;
    if (exact !== null && (isSettled(exact) || isWanted(exact))) return exact;
    const alike = this.#unclaimed(key.content);
    return alike.find(isDone) ?? exact ?? alike.find(isSkipped) ?? alike[0] ?? null;
  }

  /** In recorded order. Those at the front that are claimed are dropped for good, as many equal ones come one after the other. */
  #unclaimed(content: string): EntryKey[] {
    const alike = this.#alike.get(content) ?? [];
    const rest = alike.filter(({ number }) => !this.#claimed.has(number));
    if (rest.length < alike.length) this.#alike.set(content, rest);
    return rest;
  }
}

const exactKey = ({ path, content }: CallKey, ordinal: number): string =>
  `${content} ${ordinal} ${path}`;
