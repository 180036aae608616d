// The process of a conversation, with the requests that go to it and those that come from it.
import { settlesWithin } from "../../../core/process/stop.ts";
import type { JsonRecord } from "../../../core/project/json-value.ts";
import type { AgentRunPlan } from "../../run/adapter.ts";
import type { ToolAnswer, ToolRequest } from "../../run/conversation.ts";
import { JsonLineProcess } from "./line-process.ts";
import {
  answerQuestion,
  type ControlReply,
  controlRequest,
  promptMessage,
  readMessage,
  refuseControlRequest,
  type ToolQuestion,
} from "./messages.ts";

/** So long it may take to be ready for a prompt; servers of the user's start with it. */
const START_MS = 60_000;
/** So long it may take to leave once its stdin is closed. */
const LEAVE_MS = 2_000;

interface ChannelOptions {
  readonly plan: AgentRunPlan;
  /** What is told with `initialize`. */
  readonly initialize: JsonRecord;
  readonly questionLimitMs: number | null;
  readonly decide: (request: ToolRequest) => Promise<ToolAnswer>;
  /** An answer has gone to the agent. */
  readonly onAnswer: (question: ToolQuestion, answer: ToolAnswer) => void;
  readonly onEvent: (record: JsonRecord) => void;
}

export class StreamJsonChannel {
  readonly #options: ChannelOptions;
  readonly #process: JsonLineProcess;
  readonly #questions: OpenQuestions;
  readonly #replies = new Map<string, (reply: ControlReply) => void>();
  readonly #ready: Promise<ControlReply>;
  #requests = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#process = new JsonLineProcess(options.plan, (record) => this.#receive(record));
    const send = (message: object) => this.#process.send(message);
    this.#questions = new OpenQuestions({ send, limitMs: options.questionLimitMs });
    this.#ready = this.request({ subtype: "initialize", ...options.initialize });
  }

  /** Settles with why the process is gone; it never rejects. */
  get gone(): Promise<string> {
    return this.#process.gone;
  }

  /** Settles when prompts can be sent; never where the process ends before. */
  async whenReady(): Promise<void> {
    if (!(await this.settlesWithin(this.#ready, START_MS)))
      this.end(`the agent did not answer \`initialize\` within ${START_MS / 1000} s`);
    const ready = await this.#ready;
    if (ready.kind === "done") return;
    this.end(`the agent refused to begin: ${ready.problem}`);
    await new Promise(() => undefined);
  }

  /** Whether it comes about in this time, or can no longer come about. */
  settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
    return settlesWithin(Promise.race([promise, this.gone]), limitMs);
  }

  prompt(text: string): void {
    this.#process.send(promptMessage(text));
  }

  request(request: object): Promise<ControlReply> {
    const id = `adjutant-${++this.#requests}`;
    const { promise, resolve } = Promise.withResolvers<ControlReply>();
    this.#replies.set(id, resolve);
    this.#process.send(controlRequest(id, request));
    return promise;
  }

  /** Answers all questions that are open, because nobody will decide any more. */
  denyQuestions(reason: string): void {
    this.#questions.denyAll(reason);
  }

  /** Ends the process and all that it started. */
  end(problem: string): void {
    this.#process.end(problem);
  }

  leave(): Promise<void> {
    return this.#process.leave(LEAVE_MS);
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
        this.#process.send(refuseControlRequest(message.id, message.subtype));
        return;
      case "event":
        this.#options.onEvent(message.record);
    }
  }

  async #ask(id: string, question: ToolQuestion): Promise<void> {
    const answer = await this.#questions.ask(id, question, this.#options.decide);
    if (answer !== null) this.#options.onAnswer(question, answer);
  }
}

// What the agent has asked about and is waiting to hear.

interface OpenQuestion {
  readonly question: ToolQuestion;
  readonly stop: AbortController;
  readonly timer: NodeJS.Timeout | null;
}

interface QuestionOptions {
  readonly send: (message: object) => void;
  /** So long the agent waits for an answer; then it denies by itself and says nothing. Null: without limit. */
  readonly limitMs: number | null;
}

class OpenQuestions {
  readonly #options: QuestionOptions;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(options: QuestionOptions) {
    this.#options = options;
  }

  /** Asks whoever decides, and tells the agent if it still wants to know; null where it does not. */
  async ask(
    id: string,
    question: ToolQuestion,
    decide: (request: ToolRequest) => Promise<ToolAnswer>,
  ): Promise<ToolAnswer | null> {
    const { limitMs } = this.#options;
    const stop = new AbortController();
    const timer = limitMs === null ? null : setTimeout(() => this.withdraw(id), limitMs);
    timer?.unref();
    this.#open.set(id, { question, stop, timer });
    const answer = await decide({ ...question, signal: stop.signal });
    return this.#close(id) ? this.#send(id, question, answer) : null;
  }

  withdraw(id: string): void {
    const open = this.#open.get(id);
    this.#close(id);
    open?.stop.abort();
  }

  /** Answers everything that is open, because nobody will decide any more. */
  denyAll(reason: string): void {
    for (const [id, { question, stop }] of [...this.#open]) {
      this.#close(id);
      stop.abort();
      this.#send(id, question, { kind: "deny", reason });
    }
  }

  #send(id: string, question: ToolQuestion, answer: ToolAnswer): ToolAnswer {
    this.#options.send(answerQuestion(id, question, answer));
    return answer;
  }

  #close(id: string): boolean {
    const timer = this.#open.get(id)?.timer;
    if (timer) clearTimeout(timer);
    return this.#open.delete(id);
  }
}
