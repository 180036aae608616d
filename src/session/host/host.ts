// The host itself: the queue of turns of every session, the conversations behind them, and who watches. It lives in
// `adj serve`, or inside the one client that has none.
import { setTimeout as pause } from "node:timers/promises";
import { findHookAgent } from "../../agents/roster.ts";
import type { JsonValue, Surface } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { identifySelf, isAlive, type ProcessIdentity } from "../../core/process/identity.ts";
import { maskSecrets, secretValues } from "../../core/secrets/mask.ts";
import type { StateStore } from "../../core/store/stores.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { type HookCall, type HookReply, silentReply } from "../../hooks/pipeline/hook-call.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import type { ToolGate } from "../approvals/tool-gate.ts";
import { runTurn, type TurnPorts } from "../turns/run-turn.ts";
import { Threads } from "../turns/threads.ts";
import { hostRunId, killLeftByHost } from "./address.ts";
import { Followers } from "./followers.ts";
import { openGate } from "./gate.ts";
import { Questioner } from "./questioner.ts";
import type {
  AnswerOutcome,
  FollowRequest,
  HostEvent,
  SendRequest,
  SendResult,
  SessionHost,
} from "./session-host.ts";
import { TurnEndings } from "./turn-endings.ts";

export interface HostOptions {
  readonly program: Program;
  readonly surface: Surface;
  /** For turns that another host left in the queue: the person's variables as far as they are known. */
  readonly env: Readonly<Record<string, string>>;
  readonly stepHook: TurnPorts["stepHook"];
  /** Another host may still work off turns of a session: they are waited for, else a new one is refused. */
  readonly waitsForOthers: boolean;
}

/** How often a turn of another host is looked at. */
const LOOK_MS = 100;

interface PendingTurn {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

export class Host implements SessionHost {
  readonly #options: HostOptions;
  readonly #store: StateStore;
  readonly #threads: Threads;
  readonly #followers: Followers;
  readonly #endings: TurnEndings;
  readonly #ports: TurnPorts;
  readonly #pending = new Map<string, PendingTurn>();
  readonly #cancels = new Map<string, AbortController>();
  readonly #loops = new Map<string, Promise<void>>();
  /** Turns that run, by session: hooks of their agents ask on their behalf. */
  readonly #running = new Map<string, GateTurn>();
  readonly #gate: ToolGate;
  readonly #closing = new AbortController();

  constructor(options: HostOptions) {
    this.#options = options;
    this.#store = options.program.sessions();
    this.#threads = new Threads(this.#store.turns);
    this.#followers = new Followers(options.program.audit);
    const publish: TurnPorts["publish"] = (type, turn, data) => this.#publish(type, turn, data);
    this.#endings = new TurnEndings(this.#store.turns, publish);
    const show = (event: HostEvent) => this.#followers.show(event);
    const questioner = new Questioner(this.#store, show);
    this.#gate = openGate(options.program, (question, signal) => questioner.ask(question, signal));
    this.#ports = this.#makePorts();
  }

  /** Ends what dead hosts left under way and goes on with what they left in the queue. */
  async takeOver(): Promise<void> {
    await this.#endLost();
    for (const { sessionId } of this.#store.turns.listUnfinished()) this.#pump(sessionId);
  }

  async #endLost(): Promise<void> {
    const { questions, turns } = this.#store;
    this.#endings.writeAll();
    const message = "the process that ran it has ended";
    for (const turn of turns.endLost({ class: "Internal", code: "ProcessLost", message })) {
      if (turn.owner !== null) await killLeftByHost(turn.owner);
      this.#publish("TurnEnded", turn, { status: turn.status, code: "ProcessLost" });
    }
    questions.closeLost(new Date().toISOString());
  }

  /** Turns under way and windows that watch. */
  get busy(): number {
    return this.#loops.size + this.#followers.count;
  }

  async send({ sessionId, text, wishes, env }: SendRequest): Promise<SendResult> {
    this.#store.ensure(sessionId, wishes.root);
    await this.takeOver();
    const other = this.#findOtherHost(sessionId);
    if (other !== null && !this.#options.waitsForOthers) {
      const problem = `process ${other.pid} runs a turn of this session`;
      return { kind: "refused", code: "SessionBusy", problem };
    }
    const id = newId();
    this.#pending.set(id, { text, env });
    const masked = maskSecrets(text, secretValues(env));
    const turn = this.#store.turns.add(id, sessionId, masked, wishes);
    this.#publish("TurnQueued", turn, { number: turn.number });
    this.#pump(sessionId);
    return { kind: "queued", turn };
  }

  steer(sessionId: string, text: string): Promise<boolean> {
    return this.#threads.steer(sessionId, text);
  }

  async cancel(turnId: string): Promise<boolean> {
    const running = this.#cancels.get(turnId);
    if (running !== undefined) {
      running.abort();
      return true;
    }
    const problem = { class: "Cancelled", code: "Cancelled", message: "cancelled in the queue" };
    const end = { status: "cancelled", answer: null, conversation: null, problem } as const;
    if (!this.#store.turns.end(turnId, end)) return false;
    this.#pending.delete(turnId);
    const turn = this.#store.turns.read(turnId);
    if (turn !== null) this.#publish("TurnEnded", turn, { status: "cancelled", code: "Cancelled" });
    return true;
  }

  async turns(sessionId: string, last: number): Promise<readonly Turn[]> {
    return this.#store.turns.list(sessionId, last);
  }

  async questions() {
    this.#store.questions.closeLost(new Date().toISOString());
    return this.#store.questions.listOpen();
  }

  async answer(questionId: string, answer: JsonValue, by: string): Promise<AnswerOutcome> {
    const { questions } = this.#store;
    if (questions.read(questionId) === null) return "unknown";
    return questions.answer(questionId, answer, by) ? "accepted" : "too-late";
  }

  /** A hook of an agent in a turn. Whoever is in none of ours is refused. */
  async answerHook(call: HookCall): Promise<HookReply> {
    const turn = this.#running.get(call.env.ADJ_SESSION_ID ?? "");
    if (turn !== undefined) return this.#gate.answerHook(call, turn);
    const agent = await findHookAgent(call.agent);
    const problem = "no turn of this session runs";
    if (agent === null) return silentReply("", problem);
    const { replyToFault } = await import("../../hooks/pipeline/own-fault.ts");
    return replyToFault({ call, agent, payload: null, problem });
  }

  follow(request: FollowRequest): AsyncIterable<HostEvent> {
    return this.#followers.follow(request);
  }

  /** Turns under way are cancelled; what was queued stays for the next host. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const cancel of this.#cancels.values()) cancel.abort();
    await Promise.all(this.#loops.values());
    await this.#threads.closeAll();
    this.#followers.endAll();
  }

  /** Begins no further turn and waits for those under way. */
  async drain(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#loops.values());
  }

  #findOtherHost(sessionId: string): ProcessIdentity | null {
    const self = identifySelf();
    const other = this.#store.turns
      .listUnfinished()
      .find((turn) => turn.sessionId === sessionId && turn.owner !== null);
    const owner = other?.owner ?? null;
    return owner === null || owner.pid === self.pid ? null : owner;
  }

  /** One loop a session works its queue off, in order. */
  #pump(sessionId: string): void {
    if (this.#loops.has(sessionId) || this.#closing.signal.aborted) return;
    const loop = this.#workOff(sessionId)
      .catch((error: unknown) => this.#tellFailure(sessionId, error))
      .finally(() => this.#loops.delete(sessionId));
    this.#loops.set(sessionId, loop);
  }

  /** A store that fails costs this session its turn, and no other session anything. */
  #tellFailure(sessionId: string, error: unknown): void {
    if (error === this.#closing.signal.reason) return;
    if (!(error instanceof Fault)) throw error;
    this.#followers.tell({ kind: "notice", sessionId, turnId: "", text: formatFault(error) });
    void this.#goOnWhenMended();
  }

  /** Nobody may come for long, and a turn that has ended must not seem to run. */
  async #goOnWhenMended(): Promise<void> {
    if (await this.#endings.untilWritten(this.#closing.signal)) await this.takeOver();
  }

  async #workOff(sessionId: string): Promise<void> {
    for (;;) {
      const next = this.#findNext(sessionId);
      if (next === null) return;
      if (next.status !== "queued") await this.#outwait(next);
      else await this.#runNext(sessionId);
    }
  }

  /** Begins what is first when no `exclusive` command runs: it may have changed the session and its queue. */
  async #runNext(sessionId: string): Promise<void> {
    const entry = await this.#store.acquireBetweenTurns(sessionId, this.#closing.signal);
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
      env: this.#options.env,
    };
    this.#pending.delete(next.id);
    this.#cancels.set(next.id, cancel);
    try {
      await runTurn(next, { text, env, signal, onBegun }, this.#ports);
    } finally {
      this.#cancels.delete(next.id);
    }
  }

  #findNext(sessionId: string): Turn | null {
    if (this.#closing.signal.aborted) return null;
    const unfinished = this.#store.turns.listUnfinished();
    return unfinished.find((turn) => turn.sessionId === sessionId) ?? null;
  }

  /** A turn of a host that is about to leave: it ends there, or with it. */
  async #outwait(turn: Turn): Promise<void> {
    await pause(LOOK_MS);
    if (turn.owner !== null && isAlive(turn.owner) === false) await this.#endLost();
  }

  #makePorts(): TurnPorts {
    const { program } = this.#options;
    return {
      program,
      store: this.#store,
      threads: this.#threads,
      hostRunId: hostRunId(identifySelf()),
      stepHook: (agent) => this.#options.stepHook(agent),
      enter: (turn) => {
        this.#running.set(turn.sessionId, turn);
        return () => {
          this.#running.delete(turn.sessionId);
          this.#gate.endTurn(turn.runId);
        };
      },
      end: (turn, end, concluded) => this.#endings.write(turn, end, concluded),
      decideTool: (request, turn) => this.#gate.decide(request, turn),
      publish: (type, turn, data) => this.#publish(type, turn, data),
      showProgress: ({ sessionId, id: turnId }, runId, offset, event) =>
        this.#followers.show({ kind: "progress", sessionId, turnId, runId, offset, event }),
      showNotice: ({ sessionId, id: turnId }, text) =>
        this.#followers.show({ kind: "notice", sessionId, turnId, text }),
    };
  }

  #publish(type: EventType, turn: Turn, data: Readonly<Record<string, JsonValue>>): void {
    this.#options.program.audit.append({
      time: new Date().toISOString(),
      type,
      correlationId: turn.id,
      sessionId: turn.sessionId,
      origin: { surface: this.#options.surface },
      data: { turnId: turn.id, number: turn.number, ...data },
    });
    this.#followers.show({ kind: "turn", turn });
  }
}
