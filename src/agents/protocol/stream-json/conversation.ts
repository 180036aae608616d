// A conversation by stream-json: one process for all prompts, its questions and the answers to them in-band.
import { unlessAborted } from "../../../core/command/cancellation.ts";
import type { JsonRecord } from "../../../core/project/json-value.ts";
import { asName } from "../../log/json-fields.ts";
import { UsageTotals } from "../../log/usage.ts";
import type { AgentRunPlan } from "../../run/adapter.ts";
import type {
  Conversation,
  StepHookEntry,
  ToolAnswer,
  ToolRequest,
  TurnEnding,
  TurnRequest,
} from "../../run/conversation.ts";
import { StreamJsonChannel } from "./channel.ts";
import { type ControlReply, readFailure } from "./messages.ts";
import type { StreamJsonRules } from "./open.ts";
import { StreamJsonTurn } from "./turn.ts";

/** So long it may take to stop when it is asked to; then the process is ended. */
const STOP_MS = 2_000;
/** So long a prompt waits for a turn that the agent began by itself. */
const IDLE_MS = 60_000;

const CANCELLED: TurnEnding = { kind: "cancelled" };
const ENDED: TurnEnding = { kind: "ended" };
const DONE: ControlReply = { kind: "done" };

interface RunningTurn {
  readonly request: TurnRequest;
  readonly reading: StreamJsonTurn;
  readonly over: PromiseWithResolvers<"over">;
  /** From its prompt to the agent's final word. */
  isListening: boolean;
}

export interface ConversationPlan extends AgentRunPlan {
  readonly hooks: StepHookEntry;
}

export class StreamJsonConversation implements Conversation {
  /** The agent's own name of the conversation. */
  id: string | null;
  readonly #rules: StreamJsonRules;
  readonly #plan: ConversationPlan;
  readonly #resume: string | null;
  readonly #totals: UsageTotals;
  #channel: StreamJsonChannel | null = null;
  #isClosed = false;
  #turn: RunningTurn | null = null;
  /** What the next prompt would go to, and what one without a model goes to. */
  #model: string | null = null;
  #defaultModel: string | null;
  /** Settles when the turn that the agent began by itself is over. */
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
    const { countsOn = false } = rules.adapter.resuming ?? {};
    this.#totals = new UsageTotals(this.#resume === null || !countsOn);
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
    this.#channel ??= this.#start(request);
    try {
      return await this.#converse(turn, this.#channel);
    } finally {
      this.#channel.denyQuestions("the turn is over");
      this.#turn = null;
      turn.reading.end();
    }
  }

  /** There is no word for it: a prompt that is sent into a turn waits for its end. */
  async steer(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#turn !== null) this.#channel?.end("the conversation was closed");
    await this.#channel?.leave();
  }

  #openTurn(request: TurnRequest): RunningTurn {
    const { adapter, isInnerResult } = this.#rules;
    const model = request.model ?? this.#defaultModel;
    const options = { onEvent: request.onEvent, model, totals: this.#totals, isInnerResult };
    const reading = new StreamJsonTurn({ dialect: adapter.createDialect(), ...options });
    return { request, reading, over: Promise.withResolvers(), isListening: false };
  }

  #start({ model }: TurnRequest): StreamJsonChannel {
    const { initialize, questionLimitMs } = this.#rules;
    this.#model = model ?? this.#defaultModel;
    const channel = new StreamJsonChannel({
      plan: this.#planProcess(),
      initialize,
      questionLimitMs,
      decide: (request) => this.#decide(request),
      onAnswer: ({ callId }, { kind }) => {
        if (callId !== null) this.#turn?.reading.notePermission(callId, kind === "allow");
      },
      onEvent: (record) => this.#readEvent(record),
    });
    void channel.gone.then(() => {
      this.#isClosed = true;
    });
    return channel;
  }

  /** It starts with the model of its first prompt, so that nothing is to be switched then. */
  #planProcess(): AgentRunPlan {
    const { context, hooks } = this.#plan;
    const model = this.#model === null ? {} : { model: this.#model };
    const config = { ...context.config, settings: { ...context.config.settings, ...model } };
    const command = this.#rules.adapter.buildCommand({ ...context, config });
    const args = [...command.args, ...this.#rules.words, ...hooks.args];
    const env = { ...command.env, ...hooks.env };
    return {
      context,
      command: { ...command, args, env, files: [...command.files, ...hooks.files] },
    };
  }

  async #converse(turn: RunningTurn, channel: StreamJsonChannel): Promise<TurnEnding> {
    const { request, reading, over } = turn;
    const { signal } = request;
    const gone = channel.gone.then(() => "gone" as const);
    const preparing = Promise.race([this.#prepare(request, channel), gone]);
    const prepared = await unlessAborted(preparing, signal, "cancelled" as const);
    if (prepared === "cancelled") return CANCELLED;
    if (prepared === "gone") return this.#describeLoss(channel);
    if (prepared.kind === "failed") {
      reading.refuse(prepared.problem);
      return ENDED;
    }
    turn.isListening = true;
    channel.prompt(request.prompt);
    const ended = Promise.race([over.promise, gone]);
    const ending = await unlessAborted(ended, signal, "cancelled" as const);
    if (ending === "cancelled") return this.#interrupt(turn, channel);
    if (ending === "gone" || this.#isForgotten()) return this.#describeLoss(channel);
    return ENDED;
  }

  /** Everything that comes before a prompt; a failure is the end of the turn. */
  async #prepare(request: TurnRequest, channel: StreamJsonChannel): Promise<ControlReply> {
    await channel.whenReady();
    if (this.#ownTurn !== null) await channel.settlesWithin(this.#ownTurn.promise, IDLE_MS);
    const model = request.model ?? this.#defaultModel;
    // A turn that was cancelled meanwhile has no say in the next one's model.
    if (request.signal.aborted || model === null || model === this.#model) return DONE;
    // What is sent after it is read after it.
    this.#model = model;
    const reply = await channel.request({ subtype: "set_model", model });
    if (reply.kind === "done") return reply;
    this.#model = null;
    return { ...reply, problem: `the agent did not take the model \`${model}\`: ${reply.problem}` };
  }

  async #interrupt(
    { reading, over }: RunningTurn,
    channel: StreamJsonChannel,
  ): Promise<TurnEnding> {
    reading.cancel();
    void channel.request({ subtype: "interrupt" });
    channel.denyQuestions("the turn was cancelled");
    if (!(await channel.settlesWithin(over.promise, STOP_MS))) {
      channel.end("the turn was cancelled and the agent did not stop");
      await channel.gone;
    }
    return CANCELLED;
  }

  async #describeLoss(channel: StreamJsonChannel): Promise<TurnEnding> {
    if (this.#isForgotten()) channel.end(this.#startProblem);
    const why = await channel.gone;
    const isForgotten = this.#isForgotten() || this.#isUnknownId(why);
    return { kind: isForgotten ? "forgotten" : "lost", problem: this.#startProblem || why };
  }

  #isForgotten(): boolean {
    return this.#isUnknownId(this.#startProblem);
  }

  #isUnknownId(message: string): boolean {
    return this.#resume !== null && !this.#hasAnswered && this.#rules.unknownId.test(message);
  }

  #decide(request: ToolRequest): Promise<ToolAnswer> {
    const turn = this.#turn;
    if (turn?.isListening === true && !turn.request.signal.aborted)
      return turn.request.decideTool(request);
    return Promise.resolve({
      kind: "deny",
      reason: "nobody is there to decide between two prompts",
    });
  }

  #readEvent(record: JsonRecord): void {
    const turn = this.#turn;
    this.id = asName(record.session_id) ?? this.id;
    // A prompt such as `/clear` does that.
    if (record.type === "conversation_reset") this.#totals.reset();
    if (record.type === "system" && record.subtype === "init")
      this.#defaultModel ??= asName(record.model);
    if (record.type === "result" && !this.#hasAnswered)
      this.#startProblem = readFailure(record) ?? "";
    if (turn?.isListening !== true) this.#noteOwnTurn(record);
    else if (this.#isForgotten() || turn.reading.read(record)) {
      turn.isListening = false;
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
