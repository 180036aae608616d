// A conversation with Codex by its app server: one process, one thread, a turn for each prompt (0.166).

import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import { initEvent, type LogEvent } from "../log/event.ts";
import { asName } from "../log/json-fields.ts";
import { AgentProcess } from "../protocol/agent-process.ts";
import { JsonRpcPeer } from "../protocol/json-rpc-peer.ts";
import type { AgentRunPlan } from "../run/adapter.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  TurnEnding,
  TurnRequest,
} from "../run/conversation.ts";
import { DeltaJoiner } from "../run/output/parser.ts";
import { prepareRun } from "../run/prepare-run.ts";
import { TurnReader } from "./app-server-turn.ts";
import { AppServerQuestions } from "./questions.ts";
import { codexServer } from "./run.ts";
import {
  ASKING,
  describeForgotten,
  isThreadId,
  type OpenedThread,
  openThread,
  type Thread,
} from "./thread.ts";

/** So long it may take to open a thread. */
const OPEN_MS = 60_000;
/** So long it may take to stop when it is asked to; then the process is ended. */
const STOP_MS = 3_000;

export const codexConversation: ConversationProtocol = {
  // Not all: what a person's own rules allow, tools of MCP servers that say that they only read, and a look at an image.
  asks: "permissions",
  open: openConversation,
};

async function openConversation(context: ConversationContext): Promise<OpenedConversation> {
  const { settings, resume, stepHook: _, ...rest } = context;
  const config = { ...settings, prompt: "-" };
  const prepared = await prepareRun(codexServer, { ...rest, config, timeout: 0 });
  return prepared.kind === "refused"
    ? { kind: "refused", errors: prepared.errors }
    : { kind: "open", conversation: new CodexConversation(prepared.plan, resume) };
}

/** A turn that runs, from its prompt to its final word. */
interface RunningTurn {
  readonly request: TurnRequest;
  readonly reader: TurnReader;
  readonly joiner: DeltaJoiner;
  readonly ended: PromiseWithResolvers<TurnEnding>;
  id: string | null;
}

class CodexConversation implements Conversation {
  readonly #plan: AgentRunPlan;
  readonly #resume: string | null;
  readonly #peer = new JsonRpcPeer({
    onRequest: (id, method, params) => this.#questions.ask(id, method, asRecord(params)),
    onNotification: (method, params) => this.#take(method, asRecord(params)),
  });
  readonly #questions = new AppServerQuestions({
    peer: this.#peer,
    cwd: () => this.#thread?.cwd ?? this.#plan.context.workspaceDir,
  });
  #process: AgentProcess | null = null;
  #opening: Promise<OpenedThread> | null = null;
  #thread: Thread | null = null;
  #turn: RunningTurn | null = null;
  #usedSoFar: unknown = null;
  #isOver = false;

  constructor(plan: AgentRunPlan, resume: string | null) {
    this.#plan = plan;
    this.#resume = resume;
  }

  get id(): string | null {
    return this.#thread?.id ?? this.#resume;
  }

  get isOpen(): boolean {
    return !this.#isOver;
  }

  async send(request: TurnRequest): Promise<TurnEnding> {
    if (this.#isOver) return { kind: "lost", problem: "the conversation is over" };
    if (this.#turn !== null) return { kind: "lost", problem: "another prompt is being answered" };
    if (request.signal.aborted) return { kind: "cancelled" };
    if (this.#resume !== null && !isThreadId(this.#resume)) {
      this.#isOver = true;
      return { kind: "forgotten", problem: describeForgotten(this.#resume) };
    }
    const turn = startTurn(request, this.#usedSoFar);
    this.#turn = turn;
    const cancel = this.#cancelOn(request.signal, turn);
    this.#process ??= this.#start();
    void this.#process.ended.then((problem) => this.#finish(turn, { kind: "lost", problem }));
    void this.#prompt(turn);
    const ending = await turn.ended.promise;
    cancel.close();
    return ending;
  }

  async steer(text: string): Promise<boolean> {
    const turnId = this.#turn?.id ?? null;
    if (this.#thread === null || turnId === null) return false;
    const reply = await this.#peer.request("turn/steer", {
      threadId: this.#thread.id,
      expectedTurnId: turnId,
      input: writeInput(text),
    });
    return reply.kind === "result";
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#peer.close();
    await this.#process?.leave();
  }

  #start(): AgentProcess {
    const agent = new AgentProcess(this.#plan, {
      stdin: this.#peer.lines(),
      onRecord: (record) => this.#peer.read(record),
      hold: () => this.#peer.whenRoomy(),
    });
    void agent.ended.then(() => {
      this.#isOver = true;
      this.#peer.close();
    });
    return agent;
  }

  /** Begins a turn; its end comes as a notification. */
  async #prompt(turn: RunningTurn): Promise<void> {
    const opened = await this.#open();
    const { request } = turn;
    if (opened.kind !== "thread") {
      await this.#giveUp(turn, opened);
      return;
    }
    if (request.signal.aborted) return;
    const model = request.model ?? opened.model;
    this.#questions.begin(request.decideTool);
    this.#tell(turn, [describeThread(opened, model)]);
    const prompt = {
      ...ASKING,
      threadId: opened.id,
      input: writeInput(request.prompt),
      ...(model === null ? {} : { model }),
      ...readOutputSchema(this.#plan.context.config.settings.output_schema),
    };
    const reply = await this.#peer.request("turn/start", prompt, (result) => {
      turn.id = asName(asRecord(asRecord(result).turn).id);
    });
    if (reply.kind === "error") this.#fail(turn, reply.message);
    if (request.signal.aborted) this.#interrupt(turn);
  }

  #open(): Promise<OpenedThread> {
    this.#opening ??= this.#openThread();
    return this.#opening;
  }

  async #openThread(): Promise<OpenedThread> {
    const { workspaceDir: cwd, config } = this.#plan.context;
    const limit = setTimeout(
      () => void this.#process?.kill(`the agent opened no thread within ${OPEN_MS} ms`),
      OPEN_MS,
    );
    const model = asName(config.settings.model);
    const opened = await openThread(this.#peer, { cwd, model, resume: this.#resume });
    clearTimeout(limit);
    if (opened.kind === "thread") this.#thread = opened;
    return opened;
  }

  async #giveUp(turn: RunningTurn, ending: Exclude<OpenedThread, Thread>): Promise<void> {
    this.#isOver = true;
    this.#peer.close();
    this.#finish(turn, ending);
    await this.#process?.kill(ending.problem);
  }

  /** Tells it to stop, and ends it where it does not. */
  #cancelOn(signal: AbortSignal, turn: RunningTurn): { close: () => void } {
    let patience: NodeJS.Timeout | null = null;
    const cancel = () => {
      this.#questions.end();
      // Nothing was asked of it yet; the thread that is being opened serves the next prompt.
      if (this.#thread === null) {
        this.#finish(turn, { kind: "cancelled" });
        return;
      }
      this.#interrupt(turn);
      patience = setTimeout(() => {
        this.#isOver = true;
        this.#finish(turn, { kind: "cancelled" });
        void this.#process?.kill("the agent did not stop when it was told to");
      }, STOP_MS);
    };
    signal.addEventListener("abort", cancel, { once: true });
    const close = () => {
      signal.removeEventListener("abort", cancel);
      if (patience !== null) clearTimeout(patience);
    };
    return { close };
  }

  #interrupt({ id }: RunningTurn): void {
    if (this.#thread === null || id === null) return;
    void this.#peer.request("turn/interrupt", { threadId: this.#thread.id, turnId: id });
  }

  #take(method: string, params: JsonRecord): void {
    this.#questions.note(method, params);
    const turn = this.#turn;
    if (turn === null || params.threadId !== this.#thread?.id) return;
    const turnId = asName(params.turnId) ?? asName(asRecord(params.turn).id);
    if (turn.id === null || turnId !== turn.id) return;
    this.#tell(turn, turn.reader.read(method, params));
    if (method !== "turn/completed") return;
    const isStopped = asRecord(params.turn).status === "interrupted";
    const isCancelled = isStopped && turn.request.signal.aborted;
    this.#finish(turn, { kind: isCancelled ? "cancelled" : "ended" });
  }

  /** The server took no turn: that is its final word on the prompt. */
  #fail(turn: RunningTurn, message: string): void {
    const failed = { status: "failed", error: { message } };
    this.#tell(turn, turn.reader.read("turn/completed", { turn: failed }));
    this.#finish(turn, { kind: "ended" });
  }

  /** The first ending counts, and nothing is told of a turn after it. */
  #finish(turn: RunningTurn, ending: TurnEnding): void {
    if (this.#turn !== turn) return;
    this.#turn = null;
    this.#questions.end();
    turn.joiner.end();
    this.#usedSoFar = turn.reader.usedSoFar;
    turn.ended.resolve(ending);
  }

  #tell(turn: RunningTurn, events: readonly LogEvent[]): void {
    if (this.#turn !== turn) return;
    for (const event of events)
      turn.joiner.push(
        event.kind === "tool_result" && event.permission === null
          ? { ...event, permission: this.#questions.isAllowed(event.id) ? "allowed" : null }
          : event,
      );
  }
}

function startTurn(request: TurnRequest, usedBefore: unknown): RunningTurn {
  return {
    request,
    reader: new TurnReader(usedBefore),
    joiner: new DeltaJoiner(request.onEvent),
    ended: Promise.withResolvers<TurnEnding>(),
    id: null,
  };
}

const writeInput = (text: string) => [{ type: "text", text, text_elements: [] }];

const describeThread = ({ id, provider, version, cwd }: Thread, model: string | null): LogEvent =>
  initEvent({ sessionId: id, model, provider, agentVersion: version, workingDirectory: cwd });

/** A map, or the text of one. */
function readOutputSchema(setting: unknown): { readonly outputSchema?: unknown } {
  if (setting === undefined) return {};
  return { outputSchema: typeof setting === "string" ? JSON.parse(setting) : setting };
}
