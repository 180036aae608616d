// A conversation by stream-json: one process for all prompts, its questions and the answers to them in-band.
import { settlesWithin } from "../../../core/process/stop.ts";
import { asName, type JsonRecord } from "../../log/json-fields.ts";
import type { AgentRunPlan } from "../../run/adapter.ts";
import type {
  Conversation,
  StepHookEntry,
  TurnEnding,
  TurnRequest,
} from "../../run/conversation.ts";
import { JsonLineProcess } from "./line-process.ts";
import {
  type ControlReply,
  controlRequest,
  promptMessage,
  readFailure,
  readMessage,
  refuseControlRequest,
  type ToolQuestion,
} from "./messages.ts";
import type { StreamJsonRules } from "./open.ts";
import { OpenQuestions } from "./questions.ts";
import { StreamJsonTurn, UsageTotals } from "./turn.ts";

/** So long it may take to be ready for a prompt; servers of the user's start with it. */
const START_MS = 60_000;
/** So long it may take to stop when it is asked to; then the process is ended. */
const STOP_MS = 2_000;
/** So long it may take to leave once its stdin is closed. */
const LEAVE_MS = 2_000;
/** So long a prompt waits for a turn that the agent began by itself. */
const IDLE_MS = 60_000;

const CANCELLED: TurnEnding = { kind: "cancelled" };
const ENDED: TurnEnding = { kind: "ended" };
const DONE: ControlReply = { kind: "done" };

interface RunningTurn {
  readonly request: TurnRequest;
  readonly reading: StreamJsonTurn;
  readonly over: PromiseWithResolvers<"over">;
  isPrompted: boolean;
}

export interface ConversationPlan extends AgentRunPlan {
  readonly hooks: StepHookEntry;
}

export class StreamJsonConversation implements Conversation {
  id: string | null;
  readonly #rules: StreamJsonRules;
  readonly #plan: ConversationPlan;
  readonly #resume: string | null;
  readonly #questions: OpenQuestions;
  readonly #totals: UsageTotals;
  readonly #replies = new Map<string, (reply: ControlReply) => void>();
  #process: JsonLineProcess | null = null;
  #isClosed = false;
  #ready: Promise<ControlReply> | null = null;
  #requests = 0;
  #turn: RunningTurn | null = null;
  /** What the next prompt would go to, and what one without a model goes to. */
  #model: string | null = null;
  #defaultModel: string | null;
  /** Fires when the turn that the agent began by itself is over. */
  #ownTurn: PromiseWithResolvers<void> | null = null;
  /** What it said went wrong before any prompt was answered. */
  #startProblem = "";
  #hasAnswered = false;

  constructor(rules: StreamJsonRules, plan: ConversationPlan) {
    const { resume, model } = plan.context.config.settings;
    this.#rules = rules;
    this.#plan = plan;
    this.#resume = asName(resume);
    this.id = this.#resume;
    this.#defaultModel = asName(model);
    this.#totals = new UsageTotals(this.#resume === null || !rules.countsPastTurns);
    const send = (message: object) => this.#process?.send(message);
    this.#questions = new OpenQuestions({ send, limitMs: rules.questionLimitMs });
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  async send(request: TurnRequest): Promise<TurnEnding> {
    if (this.#turn !== null) throw new Error("a conversation takes one prompt at a time");
    if (request.signal.aborted) return CANCELLED;
    if (this.#isClosed) return { kind: "lost", problem: "the conversation is closed" };
    const turn = this.#openTurn(request);
    this.#turn = turn;
    try {
      return await this.#converse(turn, this.#startOnce(turn));
    } finally {
      this.#questions.denyAll("the turn is over");
      this.#turn = null;
      turn.reading.end();
    }
  }

  /** A prompt that is sent into a turn waits for its end: there is no word for it. */
  async steer(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#turn !== null) this.#process?.end("the conversation was closed");
    await this.#process?.leave(LEAVE_MS);
  }

  #openTurn(request: TurnRequest): RunningTurn {
    const { adapter, isInnerResult } = this.#rules;
    const model = request.model ?? this.#defaultModel;
    const options = { onEvent: request.onEvent, model, totals: this.#totals, isInnerResult };
    const reading = new StreamJsonTurn({ dialect: adapter.createDialect(), ...options });
    return { request, reading, over: Promise.withResolvers(), isPrompted: false };
  }

  /** It starts with the model of its first prompt, so that nothing is to be switched then. */
  #startOnce({ request }: RunningTurn): JsonLineProcess {
    if (this.#process !== null) return this.#process;
    const { context, hooks } = this.#plan;
    const { config } = context;
    this.#model = request.model ?? this.#defaultModel;
    const model = this.#model === null ? {} : { model: this.#model };
    const settings = { ...config.settings, ...model };
    const command = this.#rules.adapter.buildCommand({
      ...context,
      config: { ...config, settings },
    });
    const started = new JsonLineProcess(
      {
        context,
        command: {
          ...command,
          args: [...command.args, ...this.#rules.words, ...hooks.args],
          env: { ...command.env, ...hooks.env },
          files: [...command.files, ...hooks.files],
        },
      },
      (record) => this.#receive(record),
    );
    this.#process = started;
    void started.gone.then(() => {
      this.#isClosed = true;
    });
    return started;
  }

  async #converse(turn: RunningTurn, agent: JsonLineProcess): Promise<TurnEnding> {
    const { request, reading, over } = turn;
    const ends = [whenAborted(request.signal), agent.gone.then(() => "gone" as const)] as const;
    const prepared = await Promise.race([this.#prepare(request, agent), ...ends]);
    if (prepared === "cancelled") return CANCELLED;
    if (prepared === "gone") return this.#describeLoss(agent);
    if (prepared.kind === "failed") {
      reading.refuse(prepared.problem);
      return ENDED;
    }
    turn.isPrompted = true;
    agent.send(promptMessage(request.prompt));
    const ending = await Promise.race([over.promise, ...ends]);
    if (ending === "cancelled") return this.#interrupt(turn, agent);
    if (ending === "gone" || this.#isForgotten()) return this.#describeLoss(agent);
    return ENDED;
  }

  /** Everything that comes before a prompt; a failure is the end of the turn. */
  async #prepare(request: TurnRequest, agent: JsonLineProcess): Promise<ControlReply> {
    this.#ready ??= this.#request({ subtype: "initialize", ...this.#rules.initialize });
    if (!(await settlesWithin(Promise.race([this.#ready, agent.gone]), START_MS)))
      agent.end(`the agent did not answer \`initialize\` within ${START_MS / 1000} s`);
    const ready = await this.#ready;
    if (ready.kind === "failed") agent.end(`the agent refused to begin: ${ready.problem}`);
    if (this.#ownTurn !== null)
      await settlesWithin(Promise.race([this.#ownTurn.promise, agent.gone]), IDLE_MS);
    // Somebody else's turn may have begun since.
    return request.signal.aborted ? DONE : this.#switchModel(request.model ?? this.#defaultModel);
  }

  async #switchModel(model: string | null): Promise<ControlReply> {
    if (model === null || model === this.#model) return DONE;
    // What is sent after it is read after it.
    this.#model = model;
    const reply = await this.#request({ subtype: "set_model", model });
    if (reply.kind === "done") return reply;
    this.#model = null;
    return { ...reply, problem: `the agent did not take the model \`${model}\`: ${reply.problem}` };
  }

  #request(request: object): Promise<ControlReply> {
    const id = `adjutant-${++this.#requests}`;
    const { promise, resolve } = Promise.withResolvers<ControlReply>();
    this.#replies.set(id, resolve);
    this.#process?.send(controlRequest(id, request));
    return promise;
  }

  async #interrupt({ reading, over }: RunningTurn, agent: JsonLineProcess): Promise<TurnEnding> {
    reading.cancel();
    void this.#request({ subtype: "interrupt" });
    this.#questions.denyAll("the turn was cancelled");
    if (!(await settlesWithin(Promise.race([over.promise, agent.gone]), STOP_MS))) {
      agent.end("the turn was cancelled and the agent did not stop");
      await agent.gone;
    }
    return CANCELLED;
  }

  async #describeLoss(agent: JsonLineProcess): Promise<TurnEnding> {
    const isForgotten = this.#isForgotten();
    if (isForgotten) agent.end(this.#startProblem);
    const why = await agent.gone;
    const problem = this.#startProblem === "" ? why : this.#startProblem;
    const isUnknown = isForgotten || this.#isUnknownId(why);
    return { kind: isUnknown ? "forgotten" : "lost", problem };
  }

  #isForgotten(): boolean {
    return this.#isUnknownId(this.#startProblem);
  }

  #isUnknownId(said: string): boolean {
    return this.#resume !== null && !this.#hasAnswered && this.#rules.unknownId.test(said);
  }

  #receive(record: JsonRecord): void {
    const message = readMessage(record);
    switch (message.kind) {
      case "reply":
        this.#replies.get(message.id)?.(message.reply);
        this.#replies.delete(message.id);
        return;
      case "question":
        void this.#ask(message.id, message.question);
        return;
      case "withdrawal":
        this.#questions.withdraw(message.id);
        return;
      case "request":
        this.#process?.send(refuseControlRequest(message.id, message.subtype));
        return;
      case "event":
        this.#readEvent(message.record);
    }
  }

  async #ask(id: string, question: ToolQuestion): Promise<void> {
    const turn = this.#turn;
    const isAsked = turn?.isPrompted === true && !turn.request.signal.aborted;
    const decide = isAsked ? turn.request.decideTool : denyBetweenTurns;
    const answer = await this.#questions.ask(id, question, decide);
    if (answer !== null && question.callId !== null)
      turn?.reading.notePermission(question.callId, answer.kind === "allow");
  }

  #readEvent(record: JsonRecord): void {
    const turn = this.#turn;
    this.id = asName(record.session_id) ?? this.id;
    if (record.type === "system" && record.subtype === "init")
      this.#defaultModel ??= asName(record.model);
    if (record.type === "result" && !this.#hasAnswered)
      this.#startProblem = readFailure(record) ?? "";
    if (turn?.isPrompted !== true) this.#noteOwnTurn(record);
    else if (this.#isForgotten() || turn.reading.read(record)) {
      turn.over.resolve("over");
      if (this.#isForgotten()) return;
      this.#hasAnswered = true;
      this.#startProblem = "";
    }
  }

  /** A task in the background may wake the agent between two prompts: it then takes a turn that nobody asked for. */
  #noteOwnTurn({ type, parent_tool_use_id }: JsonRecord): void {
    if (type === "result") {
      this.#ownTurn?.resolve();
      this.#ownTurn = null;
    } else if (this.#hasAnswered && SPEAKING.has(type) && asName(parent_tool_use_id) === null)
      this.#ownTurn ??= Promise.withResolvers();
  }
}

const SPEAKING: ReadonlySet<unknown> = new Set(["assistant", "stream_event"]);

const denyBetweenTurns = () =>
  Promise.resolve({
    kind: "deny",
    reason: "nobody is there to decide between two prompts",
  } as const);

const whenAborted = (signal: AbortSignal): Promise<"cancelled"> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("cancelled"), { once: true });
  });
