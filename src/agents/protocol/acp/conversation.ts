// A conversation with an agent that speaks the protocol: its process stays, and every prompt is a turn of one session.

import type { JsonRecord } from "../../../core/project/json-value.ts";
import { errorEvent, finalEvent, initEvent } from "../../log/event.ts";
import { asName } from "../../log/json-fields.ts";
import type { AgentAdapter, AgentRunPlan } from "../../run/adapter.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  StepHook,
  TurnEnding,
  TurnRequest,
} from "../../run/conversation.ts";
import { prepareRun } from "../../run/prepare-run.ts";
import { FileService, isFileMethod, offerFiles } from "./client-requests.ts";
import { AcpConnection } from "./connection.ts";
import { answerPermission, type Failure, type MessageId, refuseRequest } from "./messages.ts";
import {
  type IntroducedAgent,
  type Introduction,
  introduce,
  type OpenSession,
  openSession,
} from "./open-session.ts";
import { readCost, SessionMeter } from "./prompt-reader.ts";
import { readModel, switchModel } from "./session-settings.ts";
import type { AcpTraits } from "./traits.ts";
import { AcpTurn, CANCELLED } from "./turn.ts";

/** How an agent is spoken with. */
export interface AcpSpeaker {
  /** Its `buildCommand` gives the words by which it speaks the protocol. */
  readonly adapter: AgentAdapter;
  /** By the name that it gives itself. */
  readonly traitsOf: (agent: string | null) => AcpTraits;
  /** The modes in which it asks before it acts, the best first, by the last word of their ids. */
  readonly askingModes: readonly string[];
  /** Options of its sessions without which it would not ask. */
  readonly askingOptions: Readonly<Record<string, string>>;
  /** It takes models that it does not list. */
  readonly takesAnyModel: boolean;
  /** Settles when a session can be taken up again without harm. */
  readonly beforeResume?: (id: string, env: Readonly<Record<string, string>>) => Promise<void>;
}

/** We decide what is allowed: nothing may let the agent decide by itself. */
const DECIDED_BY_US = ["allowed_tools"];

export const acpProtocol = (
  speakerOf: (stepHook: StepHook | null) => AcpSpeaker,
): ConversationProtocol => ({
  asks: "permissions",
  leavesOut: DECIDED_BY_US,
  open: (context) => openAcpConversation(speakerOf(context.stepHook), context),
});

async function openAcpConversation(
  speaker: AcpSpeaker,
  { settings, resume, stepHook: _, ...rest }: ConversationContext,
): Promise<OpenedConversation> {
  const isPlan = settings.permission_mode === "plan";
  const isKept = ([name]: [string, unknown]) =>
    name !== "permission_mode" && !DECIDED_BY_US.includes(name);
  const kept = Object.fromEntries(Object.entries(settings).filter(isKept));
  const config = { ...kept, ...(isPlan ? { permission_mode: "plan" } : {}), prompt: "-" };
  const prepared = await prepareRun(speaker.adapter, { ...rest, config, timeout: 0 });
  if (prepared.kind === "refused") return { kind: "refused", errors: prepared.errors };
  const askingModes = isPlan ? ["plan"] : speaker.askingModes;
  const plan = { speaker: { ...speaker, askingModes }, run: prepared.plan, resume };
  return { kind: "open", conversation: new AcpConversation(plan) };
}

interface ConversationPlan {
  readonly speaker: AcpSpeaker;
  readonly run: AgentRunPlan;
  readonly resume: string | null;
}

/** Nothing is written for the agent: whether it may write is decided when it asks. */
const FILE_POLICY = { mode: "ask", allowed: [] };

type Readiness =
  | { readonly kind: "ready"; readonly agent: IntroducedAgent; readonly session: OpenSession }
  | { readonly kind: "failed"; readonly error: Failure }
  | Extract<TurnEnding, { kind: "forgotten" | "lost" }>;

class AcpConversation implements Conversation {
  readonly #plan: ConversationPlan;
  readonly #meter: SessionMeter;
  #connection: AcpConnection | null = null;
  #introduced: Promise<Introduction> | null = null;
  #readiness: Promise<Readiness> | null = null;
  #turn: AcpTurn | null = null;
  #files: FileService | null = null;
  #id: string | null;
  /** The one that was chosen last. */
  #model: string | null = null;
  #isClosed = false;

  constructor(plan: ConversationPlan) {
    this.#plan = plan;
    this.#id = plan.resume;
    this.#meter = new SessionMeter(plan.resume === null);
  }

  get id(): string | null {
    return this.#id;
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#connection?.isOver !== true;
  }

  async send(turn: TurnRequest): Promise<TurnEnding> {
    const ending = await this.#send(turn);
    // A process that nobody understands is of no use to anybody.
    if (ending.kind === "lost") await this.#connection?.close();
    return ending;
  }

  /** The protocol has no word for it, and two of the agents take a second prompt for a cancel. */
  async steer(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
  }

  async #send(turn: TurnRequest): Promise<TurnEnding> {
    if (turn.signal.aborted) return CANCELLED;
    if (!this.isOpen) return this.#lost();
    const ready = await unlessAborted(this.#getReady(), turn.signal);
    if (ready === null) return CANCELLED;
    if (ready.kind === "failed") return endFailed(turn, ready.error);
    if (ready.kind !== "ready") return ready;
    const model = turn.model ?? asName(this.#plan.run.context.config.settings.model);
    const choice = await unlessAborted(this.#chooseModel(ready.session, model), turn.signal);
    if (choice === null) return CANCELLED;
    if (choice === "lost") return this.#lost();
    if (choice !== "chosen") return endFailed(turn, choice);
    return this.#runTurn(turn, ready);
  }

  #lost(): TurnEnding {
    return { kind: "lost", problem: this.#connection?.problem ?? "the conversation was closed" };
  }

  async #runTurn(
    request: TurnRequest,
    { agent, session }: Extract<Readiness, { kind: "ready" }>,
  ): Promise<TurnEnding> {
    const { traits, version: agentVersion } = agent;
    const connection = this.#connect();
    const turn = new AcpTurn(request, { id: session.id, connection, traits, meter: this.#meter });
    this.#turn = turn;
    const model = this.#model ?? readModel(session.record);
    turn.emit([initEvent({ sessionId: session.id, model, agentVersion })]);
    const ending = await turn.run();
    this.#turn = null;
    return ending;
  }

  /** Started at the first prompt; what fails before there is a session is tried again at the next. */
  async #getReady(): Promise<Readiness> {
    this.#readiness ??= this.#open();
    const readiness = await this.#readiness;
    if (readiness.kind !== "ready") this.#readiness = null;
    return readiness;
  }

  async #open(): Promise<Readiness> {
    const connection = this.#connect();
    const { run, speaker, resume } = this.#plan;
    this.#introduced ??= introduce(connection, {
      traitsOf: speaker.traitsOf,
      files: offerFiles(run.context.config.own.offer_files === true, FILE_POLICY),
    });
    const agent = await this.#introduced;
    if (agent.kind === "lost") return agent;
    const { workspaceDir: cwd, env } = run.context;
    if (resume !== null) await speaker.beforeResume?.(resume, env);
    const { askingModes, askingOptions } = speaker;
    const opened = await openSession(connection, {
      ...{ agent, cwd, resume },
      ...{ askingModes, askingOptions },
    });
    if (opened.kind !== "opened") return opened;
    this.#id = opened.session.id;
    return { kind: "ready", agent, session: opened.session };
  }

  /** Passed with every prompt: an agent may have another one in mind by now. */
  async #chooseModel(
    { id: sessionId, record }: OpenSession,
    model: string | null,
  ): Promise<"chosen" | "lost" | Failure> {
    if (model === null) return "chosen";
    const takesAny = this.#plan.speaker.takesAnyModel;
    const choice = switchModel(record, { sessionId, model, takesAny });
    if (choice.kind === "unknown") return { reason: "INVALID_CONFIG", message: choice.problem };
    const answer = await this.#connect().request(choice.request);
    if (answer.kind === "gone") return "lost";
    if (answer.kind === "error") return answer.error;
    this.#model = model;
    return "chosen";
  }

  #connect(): AcpConnection {
    if (this.#connection !== null) return this.#connection;
    const { run } = this.#plan;
    const connection = new AcpConnection(run, {
      onUpdate: (update) => this.#readUpdate(update),
      onRequest: (id, method, params) => this.#answer(id, method, params),
      onNoise: (events) => this.#turn?.emit(events),
      hold: async () => this.#files?.whenServed(),
    });
    const context = { cwd: run.context.workspaceDir, policy: FILE_POLICY };
    this.#files = new FileService(context, connection.outbox);
    this.#connection = connection;
    return connection;
  }

  /** What is said outside of a turn is the past of a session, or news that nobody waits for. */
  #readUpdate(update: JsonRecord): void {
    const costUsd = readCost(update);
    if (this.#turn !== null) this.#turn.readUpdate(update);
    else if (costUsd !== null) this.#meter.noteCost(costUsd);
  }

  #answer(id: MessageId, method: string, params: JsonRecord): void {
    const { outbox } = this.#connect();
    if (method === "session/request_permission") {
      if (this.#turn === null) outbox.push(answerPermission(id, null));
      else void this.#turn.decide(id, params);
    } else if (method === "initialize") {
      // Only a program that repeats its input asks a client for this.
      this.#connect().end("the program does not speak ACP");
    } else if (isFileMethod(method)) this.#files?.serve({ id, method, params });
    else outbox.push(refuseRequest(id, method));
  }
}

function endFailed({ onEvent }: TurnRequest, { reason, message }: Failure): TurnEnding {
  onEvent(errorEvent(reason, message));
  onEvent(finalEvent({ isSuccess: false }));
  return { kind: "ended" };
}

/** Null once the signal has fired. What was begun goes on. */
async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const abort = () => resolve(null);
  signal.addEventListener("abort", abort, { once: true });
  const value = await Promise.race([work, promise]);
  signal.removeEventListener("abort", abort);
  return signal.aborted ? null : value;
}
