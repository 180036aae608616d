// Who watches a host: everything that happens goes to everybody it concerns, in order. A watcher that does not read is
// let go, so that nobody's memory fills up with what nobody reads.
import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../core/command/fault.ts";
import { isClientSession } from "../../core/store/sessions.ts";
import type { AuditStore } from "../../core/store/stores.ts";
import type { FollowRequest, HostEvent } from "./session-host.ts";

/** What a watcher may leave unread. */
const MAX_UNREAD = 20_000;
/** Events of other processes are seen by looking; within 100 ms they must be there. */
const LOOK_MS = 50;

class Follower {
  readonly #unread: HostEvent[] = [];
  #wake: (() => void) | null = null;
  isEnded = false;

  push(event: HostEvent): void {
    if (this.isEnded) return;
    this.#unread.push(event);
    if (this.#unread.length > MAX_UNREAD) this.end();
    this.#wake?.();
  }

  end(): void {
    this.isEnded = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<HostEvent> {
    for (;;) {
      for (let next = this.#unread.shift(); next !== undefined; next = this.#unread.shift())
        yield next;
      if (this.isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}

export class Followers {
  readonly #audit: AuditStore;
  readonly #followers = new Map<Follower, string | undefined>();
  #seq = -1;
  #isLooking = false;

  constructor(audit: AuditStore) {
    this.#audit = audit;
  }

  get count(): number {
    return this.#followers.size;
  }

  /** Shows what is not part of the record: progress, rows that changed. */
  show(event: HostEvent): void {
    // What led here comes first.
    this.lookAtRecord();
    this.#hand(event);
  }

  /** The same without a look at the record, which may be what fails. */
  tell(event: HostEvent): void {
    this.#hand(event);
  }

  /** `begin` gives what comes before all that is new. */
  async *follow(
    { sessionId, sinceSeq, signal, onOpen }: FollowRequest,
    begin: () => readonly HostEvent[] = () => [],
  ): AsyncGenerator<HostEvent> {
    const follower = new Follower();
    if (this.#seq < 0 || this.#followers.size === 0) this.#seq = this.#lastSeq();
    const missed = sinceSeq === undefined ? [] : this.#readRecord(sinceSeq);
    for (const event of [...missed, ...begin()])
      if (concerns(event, sessionId)) follower.push(event);
    this.#followers.set(follower, sessionId);
    onOpen?.();
    // At once, and not when it reads on: it may never, and the record may be closed by then.
    const leave = () => {
      follower.end();
      this.#followers.delete(follower);
    };
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
    void this.#keepLooking();
    try {
      yield* follower.read();
    } finally {
      signal.removeEventListener("abort", leave);
      this.#followers.delete(follower);
    }
  }

  endAll(): void {
    for (const follower of this.#followers.keys()) follower.end();
    this.#followers.clear();
  }

  /** Hands on what is new in the record, whoever wrote it. */
  lookAtRecord(): void {
    if (this.#followers.size === 0) return;
    try {
      for (const event of this.#readRecord(this.#seq)) this.#hand(event);
    } catch (error) {
      // A record that cannot be read now is read at the next look.
      if (!(error instanceof Fault)) throw error;
    }
  }

  #hand(event: HostEvent): void {
    for (const [follower, sessionId] of this.#followers)
      if (concerns(event, sessionId)) follower.push(event);
  }

  #readRecord(sinceSeq: number): HostEvent[] {
    const events = [...this.#audit.read({ sinceSeq })];
    this.#seq = Math.max(this.#seq, events.at(-1)?.seq ?? 0);
    return events.map((event) => ({ kind: "event", event }));
  }

  #lastSeq(): number {
    const [last] = [...this.#audit.read({ last: 1 })];
    return last?.seq ?? 0;
  }

  /** One look after the other, as long as somebody watches. */
  async #keepLooking(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#followers.size > 0) {
        this.lookAtRecord();
        await pause(LOOK_MS, undefined, { ref: false });
      }
    } finally {
      this.#isLooking = false;
    }
  }
}

function concerns(event: HostEvent, sessionId: string | undefined): boolean {
  if (sessionId === undefined) return true;
  switch (event.kind) {
    case "event":
      return event.event.sessionId === sessionId;
    case "turn":
      return event.turn.sessionId === sessionId;
    case "question":
      return event.question.sessionId === sessionId || isClientSession(event.question.sessionId);
    case "progress":
    case "notice":
    case "extension":
      return event.sessionId === sessionId;
  }
}
