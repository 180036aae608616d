// The host itself: the queue of turns, the conversations behind them, who watches, and what features keep in it. It
// lives in `adj serve`, or inside the one client that has none.
import { maskTexts } from "../../agents/log/json-fields.ts";
import type { JsonValue, Surface } from "../../core/command/context.ts";
import type { EventType } from "../../core/command/event.ts";
import { formatFault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { TurnOrder } from "../../core/commands/host-extension.ts";
import { identifySelf } from "../../core/process/identity.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { StateStore } from "../../core/store/stores.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { HookCall, HookReply } from "../../hooks/pipeline/hook-call.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import type { ToolGate } from "../approvals/tool-gate.ts";
import { runTurn, type TurnPorts } from "../turns/run-turn.ts";
import { Threads } from "../turns/threads.ts";
import { hostRunId } from "./address.ts";
import { HostExtensions } from "./extensions.ts";
import { Followers } from "./followers.ts";
import { openGate, refuseHook } from "./gate.ts";
import { Questioner } from "./questioner.ts";
import type {
  AnswerOutcome,
  FollowRequest,
  HostEvent,
  SendRequest,
  SendResult,
  SessionHost,
} from "./session-host.ts";
import { ShownTurns } from "./shown-turns.ts";
import { TurnEndings, WaitingTurns } from "./turn-endings.ts";
import { TurnQueue } from "./turn-queue.ts";

interface HostOptions {
  readonly program: Program;
  readonly surface: Surface;
  /** For turns that another host left in the queue: the person's variables as far as they are known. */
  readonly env: Readonly<Record<string, string>>;
  readonly stepHook: TurnPorts["stepHook"];
  /** Another host may still work off turns of a session: they are waited for, else a new one is refused. */
  readonly waitsForOthers: boolean;
  /** Somebody came who may not; on record. */
  readonly refuse: (problem: string) => void;
}

export class Host implements SessionHost {
  readonly #options: HostOptions;
  readonly #store: StateStore;
  readonly #threads: Threads;
  readonly #followers: Followers;
  readonly #queue: TurnQueue;
  /** Turns that run, by session: hooks of their agents ask on their behalf. */
  readonly #running = new Map<string, GateTurn>();
  readonly #waiting = new WaitingTurns();
  readonly #gate: ToolGate;
  readonly #questioner: Questioner;
  readonly #endings: TurnEndings;
  readonly #shown = new ShownTurns();
  readonly extensions: HostExtensions;

  constructor(options: HostOptions) {
    const { program, env } = options;
    this.#options = options;
    this.#store = program.sessions();
    this.#threads = new Threads(this.#store.turns);
    this.#followers = new Followers(program.audit);
    this.#questioner = new Questioner(this.#store, (event) => this.#show(event));
    const ask = this.#questioner.ask.bind(this.#questioner);
    this.#gate = openGate(program, ask);
    const publish: TurnPorts["publish"] = (type, turn, data) => this.#publish(type, turn, data);
    this.#endings = new TurnEndings(this.#store.turns, publish);
    this.#queue = this.#openQueue();
    this.extensions = new HostExtensions({
      program,
      env,
      runTurn: (order, signal, onTurn) => this.#runTurn(order, signal, onTurn),
      closeThread: (sessionId) => this.#threads.close(sessionId),
      ask,
      tell: (sessionId, data) => this.#followers.show({ kind: "extension", sessionId, data }),
      refuse: options.refuse,
    });
  }

  /** Ends what dead hosts left under way and goes on with what they left in the queue. */
  async takeOver(): Promise<void> {
    await this.#queue.takeOver();
    this.#store.questions.closeLost(new Date().toISOString());
  }

  /** Turns under way, windows that watch, and what extensions do. */
  get busy(): number {
    return this.#queue.busy + this.#followers.count + this.extensions.busy;
  }

  async send(request: SendRequest): Promise<SendResult> {
    const { sessionId, options } = request;
    this.#store.ensure(sessionId, options.root);
    await this.takeOver();
    const other = this.#queue.findOtherHost(sessionId);
    if (other !== null && !this.#options.waitsForOthers) {
      const problem = `process ${other.pid} runs a turn of this session`;
      return { kind: "refused", code: "SessionBusy", problem };
    }
    const taker = await this.#offerToStage(request);
    const turn = this.#queue.add(request);
    // Whoever sent it begins to wait with the answer to this.
    if (taker !== null) setImmediate(() => this.#endTaken(turn, taker));
    else this.#queue.pump(sessionId);
    return { kind: "queued", turn };
  }

  /** A workflow's stage that waits for the person's prompt takes it; null where none does. */
  async #offerToStage(request: SendRequest): Promise<StageRow | null> {
    const stage = this.#store.stages.read(request.sessionId);
    if (stage === null) return null;
    return (await this.extensions.takePrompt(request)) ? stage : null;
  }

  #endTaken(turn: Turn, { stage, workflow, runId }: StageRow): void {
    const { sessionId, id: turnId } = turn;
    const text = `stage \`${stage}\` of \`${workflow}\` goes on with it; watch it by \`adj workflow resume ${runId}\``;
    this.#followers.show({ kind: "notice", sessionId, turnId, text });
    this.#queue.endTaken(turn);
  }

  async #runTurn(
    order: TurnOrder,
    signal: AbortSignal,
    onTurn: (turn: Turn) => void = () => undefined,
  ): Promise<Turn> {
    const { sessionId, options } = order;
    this.#store.ensure(sessionId, options.root);
    await this.takeOver();
    signal.throwIfAborted();
    const turn = this.#queue.add({ ...order, options: { ...options, asker: identifySelf() } });
    const ended = this.#waiting.untilEnded(turn, onTurn);
    const cancel = () => void this.#queue.cancel(turn.id);
    signal.addEventListener("abort", cancel);
    this.#queue.pump(sessionId);
    return ended.finally(() => signal.removeEventListener("abort", cancel));
  }

  callExtension(...call: Parameters<SessionHost["callExtension"]>): Promise<JsonValue> {
    return this.extensions.call(...call);
  }

  steer(sessionId: string, text: string, env: Readonly<Record<string, string>>): Promise<boolean> {
    this.#threads.learnSecrets(sessionId, secretValues(env));
    return this.#threads.steer(sessionId, text);
  }

  async cancel(turnId: string): Promise<boolean> {
    return this.#queue.cancel(turnId);
  }

  async turns(sessionId: string, last: number): Promise<readonly Turn[]> {
    return this.#store.turns.list(sessionId, last);
  }

  async questions() {
    this.#store.questions.closeLost(new Date().toISOString());
    return this.#store.questions.listOpen();
  }

  async answer(
    questionId: string,
    answer: JsonValue,
    by: string,
    kept: JsonValue = maskTexts(answer, []),
  ): Promise<AnswerOutcome> {
    if (this.#store.questions.read(questionId) === null) return "unknown";
    return this.#questioner.answer(questionId, answer, { by, kept }) ? "accepted" : "too-late";
  }

  /** A hook of an agent in a turn. Whoever is in none of ours is refused. */
  async answerHook(call: HookCall): Promise<HookReply> {
    const turn = this.#running.get(call.env.ADJ_SESSION_ID ?? "");
    return turn === undefined ? refuseHook(call) : this.#gate.answerHook(call, turn);
  }

  follow(request: FollowRequest): AsyncIterable<HostEvent> {
    const begin = () => (request.fromStart === true ? this.#shown.list() : []);
    return this.#followers.follow(request, begin);
  }

  /** Turns under way are cancelled; what was queued stays for the next host. */
  async close(): Promise<void> {
    await this.extensions.close();
    await this.#queue.close();
    await this.#threads.closeAll();
    this.#followers.endAll();
  }

  /** Begins nothing further and waits for what is under way. */
  async drain(): Promise<void> {
    await this.extensions.drain();
    await this.#queue.drain();
  }

  #openQueue(): TurnQueue {
    const ports = this.#makePorts();
    return new TurnQueue({
      turns: this.#store.turns,
      endings: this.#endings,
      secretsOf: (sessionId) => this.#threads.secretsOf(sessionId),
      acquireBetweenTurns: (sessionId, signal) =>
        this.#store.acquireBetweenTurns(sessionId, signal),
      env: this.#options.env,
      run: (turn, input) => runTurn(turn, input, ports),
      publish: (type, turn, data) => this.#publish(type, turn, data),
      fail: (sessionId, error) => {
        this.#waiting.fail(sessionId, error);
        this.#followers.tell({ kind: "notice", sessionId, turnId: "", text: formatFault(error) });
      },
    });
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
      showTurn: (id) => this.#showTurn(id),
      showProgress: (turn, runId, offset, event) =>
        this.#followers.show(this.#shown.add(turn, { runId, offset }, event)),
      showNotice: ({ sessionId, id: turnId }, text) =>
        this.#followers.show({ kind: "notice", sessionId, turnId, text }),
    };
  }

  #show(event: HostEvent): void {
    if (event.kind === "turn") this.#showChange(event.turn);
    else this.#followers.show(event);
  }

  #showTurn(id: string): void {
    const turn = this.#store.turns.read(id);
    if (turn !== null) this.#showChange(turn);
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
    this.#showChange(turn);
  }

  #showChange(turn: Turn): void {
    this.#shown.note(turn);
    this.#followers.show({ kind: "turn", turn });
    this.#waiting.tell(turn);
  }
}
