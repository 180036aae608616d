// The queue of turns of every session: one at a time each, in order over all windows, gone on with where a host has died.
import { setTimeout as pause } from "node:timers/promises";
import type { JsonValue } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { TurnOrder } from "../../core/commands/host-extension.ts";
import { identifySelf, isAlive, type ProcessIdentity } from "../../core/process/identity.ts";
import { maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { TurnStore } from "../../core/store/turns.ts";
import type { TurnInput } from "../turns/run-turn.ts";
import { killHostLeftovers } from "./address.ts";
import type { TurnEndings } from "./turn-endings.ts";

interface TurnQueuePorts {
  readonly turns: TurnStore;
  readonly endings: TurnEndings;
  /** Between a turn and an `exclusive` command of the same session one waits for the other. */
  acquireBetweenTurns(sessionId: string, signal: AbortSignal): Promise<{ release(): void }>;
  /** Values that turns of the session brought with them, of whatever window. */
  secretsOf(sessionId: string): readonly string[];
  /** For turns that another host left in the queue. */
  readonly env: Readonly<Record<string, string>>;
  run(turn: Turn, input: TurnInput): Promise<void>;
  publish(type: EventType, turn: Turn, data: Readonly<Record<string, JsonValue>>): void;
  /** The session cannot go on, by a fault. */
  fail(sessionId: string, error: Fault): void;
}

/** How often a turn of another host is looked at. */
const LOOK_MS = 100;

type PendingTurn = Pick<TurnInput, "text" | "env">;

export class TurnQueue {
  readonly #ports: TurnQueuePorts;
  readonly #pending = new Map<string, PendingTurn>();
  readonly #cancels = new Map<string, AbortController>();
  readonly #loops = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(ports: TurnQueuePorts) {
    this.#ports = ports;
  }

  /** Sessions whose turns are worked off. */
  get busy(): number {
    return this.#loops.size;
  }

  /** A row behind all others of its session; `pump` starts what is next. */
  add({ sessionId, text, options, env }: TurnOrder): Turn {
    const id = newId();
    this.#pending.set(id, { text, env });
    const masked = maskSecrets(text, [...secretValues(env), ...this.#ports.secretsOf(sessionId)]);
    const turn = this.#ports.turns.add(id, sessionId, masked, options);
    this.#ports.publish("TurnQueued", turn, { number: turn.number });
    return turn;
  }

  /** One loop a session works its queue off, in order. */
  pump(sessionId: string): void {
    if (this.#loops.has(sessionId) || this.#closing.signal.aborted) return;
    const loop = this.#workOff(sessionId)
      .catch((error: unknown) => this.#fail(sessionId, error))
      .finally(() => this.#loops.delete(sessionId));
    this.#loops.set(sessionId, loop);
  }

  /** A store that fails costs this session its turn, and no other session anything. */
  #fail(sessionId: string, error: unknown): void {
    if (error === this.#closing.signal.reason) return;
    if (!(error instanceof Fault)) throw error;
    this.#ports.fail(sessionId, error);
    void this.#goOnWhenMended();
  }

  /** Nobody may come for long, and a turn that has ended must not seem to run. */
  async #goOnWhenMended(): Promise<void> {
    if (await this.#ports.endings.untilWritten(this.#closing.signal)) await this.takeOver();
  }

  /** Queued or running; false where it has ended already. */
  cancel(turnId: string): boolean {
    const running = this.#cancels.get(turnId);
    if (running !== undefined) {
      running.abort();
      return true;
    }
    const problem = { class: "Cancelled", code: "Cancelled", message: "cancelled in the queue" };
    const end = { status: "cancelled", answer: null, conversation: null, problem } as const;
    const { turns, publish } = this.#ports;
    if (!turns.end(turnId, end)) return false;
    this.#pending.delete(turnId);
    const turn = turns.read(turnId);
    if (turn !== null) publish("TurnEnded", turn, { status: "cancelled", code: "Cancelled" });
    return true;
  }

  /** Its words were taken by somebody else: that is all that becomes of it. */
  endTaken(turn: Turn): void {
    const { turns, publish } = this.#ports;
    this.#pending.delete(turn.id);
    turns.end(turn.id, { status: "done", answer: "", conversation: null, problem: null });
    publish("TurnEnded", turns.read(turn.id) ?? turn, { status: "done", code: null });
  }

  /** Ends what dead hosts left under way and goes on with what they left in the queue. */
  async takeOver(): Promise<void> {
    await this.#endLost();
    for (const { sessionId } of this.#ports.turns.listUnfinished()) this.pump(sessionId);
  }

  /** Another process that has a turn of this session under way. */
  findOtherHost(sessionId: string): ProcessIdentity | null {
    const self = identifySelf();
    const other = this.#ports.turns
      .listUnfinished()
      .find((turn) => turn.sessionId === sessionId && turn.owner !== null);
    const owner = other?.owner ?? null;
    return owner === null || owner.pid === self.pid ? null : owner;
  }

  /** Begins no further turn; those under way are cancelled, what was queued stays for the next host. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const cancel of this.#cancels.values()) cancel.abort();
    await Promise.all(this.#loops.values());
  }

  /** Begins no further turn and waits for those under way. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#loops.values());
  }

  async #endLost(): Promise<void> {
    const { turns, publish, endings } = this.#ports;
    endings.writeAll();
    const message = "the process that ran it has ended";
    for (const turn of turns.endLost({ class: "Internal", code: "ProcessLost", message })) {
      if (turn.owner !== null) await killHostLeftovers(turn.owner);
      publish("TurnEnded", turn, { status: turn.status, code: "ProcessLost" });
    }
  }

  async #workOff(sessionId: string): Promise<void> {
    for (;;) {
      const next = this.#findNext(sessionId);
      if (next === null) return;
      if (next.status !== "queued" || isOfAnother(next)) await this.#outwait(next);
      else await this.#runNext(sessionId);
    }
  }

  /** Begins what is first when no `exclusive` command runs: it may have changed the session and its queue. */
  async #runNext(sessionId: string): Promise<void> {
    const entry = await this.#ports.acquireBetweenTurns(sessionId, this.#closing.signal);
    try {
      const next = this.#findNext(sessionId);
      if (next?.status === "queued") await this.#run(next, () => entry.release());
    } finally {
      entry.release();
    }
  }

  async #run(next: Turn, onBegun: () => void): Promise<void> {
    const cancel = new AbortController();
    const { signal } = cancel;
    const { text, env } = this.#pending.get(next.id) ?? {
      text: next.prompt,
      env: this.#ports.env,
    };
    this.#pending.delete(next.id);
    this.#cancels.set(next.id, cancel);
    try {
      await this.#ports.run(next, { text, env, signal, onBegun });
    } finally {
      this.#cancels.delete(next.id);
    }
  }

  #findNext(sessionId: string): Turn | null {
    if (this.#closing.signal.aborted) return null;
    const unfinished = this.#ports.turns.listUnfinished();
    return unfinished.find((turn) => turn.sessionId === sessionId) ?? null;
  }

  /** A turn of a host that is about to leave, or that another process waits for: it ends there, or with it. */
  async #outwait(turn: Turn): Promise<void> {
    await pause(LOOK_MS);
    const owner = turn.owner ?? turn.options.asker;
    if (owner !== undefined && isAlive(owner) === false) await this.#endLost();
  }
}

/** Another process of this moment waits for it, and runs it. */
function isOfAnother({ options: { asker } }: Turn): boolean {
  return asker !== undefined && asker.pid !== identifySelf().pid;
}
