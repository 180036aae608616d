// Sessions as the library has them: a window without a screen, a client of the host like any other.
import type { Via } from "../agents/run/conversation.ts";
import type { JsonValue } from "../core/command/context.ts";
import type { Program } from "../core/commands/bundled.ts";
import type { Adjutant } from "../core/dispatch/adjutant.ts";
import { sessionOfRoot } from "../core/dispatch/session.ts";
import { freezeDeep } from "../core/project/json-value.ts";
import type { Question } from "../core/store/questions.ts";
import type { Turn } from "../core/store/turn-row.ts";
import { type ConnectedHost, connectHost } from "./host/connect.ts";
import { type HostEvent, reviveFault } from "./host/session-host.ts";
import { sendWatched } from "./host/watch-turn.ts";

export interface SendOptions {
  /** For this turn alone, over what the session and the settings say. */
  readonly agent?: string;
  readonly model?: string;
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** How the agent keeps the thread: a process that stays, or one for each prompt. */
  readonly via?: Via;
  /** Cancels the turn, queued or running; it then ends as `cancelled`. */
  readonly signal?: AbortSignal;
  /** What concerns this turn, as it happens and in order. */
  readonly onEvent?: (event: HostEvent) => void;
}

export interface Session {
  readonly id: string;
  /**
   * Sends a prompt and waits for the end of its turn: `done` with an answer, `failed` with a problem, or `cancelled`.
   *
   * @example
   * const turn = await session.send("explain this repository", { agent: "replay" });
   * console.log(turn.status, turn.answer);
   */
  send(text: string, options?: SendOptions): Promise<Turn>;
  /** Puts words into the turn that runs; false where its agent has no word for that, or none runs. */
  steer(text: string): Promise<boolean>;
  /** Queued or running; false where it has ended already. */
  cancel(turnId: string): Promise<boolean>;
  /** The last ones, oldest first. */
  turns(last?: number): Promise<readonly Turn[]>;
  /** What waits for a person in this session; refused below an agent, as `adj questions` is. */
  questions(): Promise<readonly Question[]>;
  /** In the words of `adj answer`: `yes`, `session`, `no`, or words; refused below an agent. */
  answer(questionId: string, words: string): Promise<void>;
  /** Everything of this session from now on, whoever sent it; ends with the signal, or when the host leaves. */
  follow(options: { readonly signal: AbortSignal }): AsyncIterable<HostEvent>;
}

export interface LibrarySessions {
  /**
   * Opens the session of this id, the project's own without one; nothing is started before it is needed.
   *
   * @example
   * const session = await adjutant.sessions.open();
   */
  open(id?: string): Promise<Session>;
}

interface SessionsContext {
  readonly program: Program;
  readonly cwd: string;
  /** The caller's whole environment: an agent's keys are in it. */
  readonly env: Readonly<Record<string, string>>;
  readonly dispatch: Adjutant["dispatch"];
  /** Nothing is closed before the work has ended. */
  track<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A host outside may leave and another come; one inside this process is kept until the end. */
export class SessionWindow {
  readonly #context: SessionsContext;
  readonly #closing = new AbortController();
  #connected: Promise<ConnectedHost | null> = Promise.resolve(null);

  constructor(context: SessionsContext) {
    this.#context = context;
  }

  open(id?: string): Session {
    const { program, env, track } = this.#context;
    const sessionId = id ?? (env.ADJ_SESSION_ID || sessionOfRoot(program.root));
    return {
      id: sessionId,
      send: (text, options = {}) => track(() => this.#send(sessionId, text, options)),
      steer: (text) => track(async () => (await this.#connect()).steer(sessionId, text, env)),
      cancel: (turnId) => track(async () => (await this.#connect()).cancel(turnId)),
      turns: (last = 50) => track(async () => (await this.#connect()).turns(sessionId, last)),
      questions: () => track(() => this.#listQuestions(sessionId)),
      answer: (questionId, words) =>
        this.#dispatch(sessionId, "answer", { question: questionId, words: splitFirst(words) }),
      follow: ({ signal }) => this.#follow(sessionId, signal),
    };
  }

  /** Turns of a host inside are cancelled; those of one outside go on. */
  async close(): Promise<void> {
    this.#closing.abort();
    // Where none was reached there is none to close; whoever wanted it was told.
    const host = await this.#connected.catch(() => null);
    await host?.close();
  }

  #connect(): Promise<ConnectedHost> {
    const { program, env } = this.#context;
    const { signal } = this.#closing;
    const connected = this.#connected
      .catch(() => null)
      .then((kept) =>
        kept?.isInside === true ? kept : connectHost({ program, env, signal, surface: "library" }),
      );
    this.#connected = connected;
    return connected;
  }

  async #send(sessionId: string, text: string, given: SendOptions): Promise<Turn> {
    const { program, cwd, env } = this.#context;
    const { agent = null, model = null, params = {}, via = null, signal, onEvent } = given;
    signal?.throwIfAborted();
    const host = await this.#connect();
    const options = { cwd, root: program.root, agent, model, params, via };
    const watched = await sendWatched(host, { sessionId, text, env, options });
    const cancel = () => void host.cancel(watched.turn.id);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      return freezeDeep(await watched.untilEnded((event) => onEvent?.(freezeCopy(event))));
    } finally {
      signal?.removeEventListener("abort", cancel);
      await watched.leave();
    }
  }

  async *#follow(sessionId: string, ended: AbortSignal): AsyncGenerator<HostEvent> {
    const host = await this.#connect();
    const signal = AbortSignal.any([ended, this.#closing.signal]);
    for await (const event of host.follow({ sessionId, signal })) yield freezeCopy(event);
  }

  async #listQuestions(sessionId: string): Promise<readonly Question[]> {
    await this.#dispatch(sessionId, "questions", {});
    const open = this.#context.program.sessions().questions.listOpen();
    return open.filter((question) => question.sessionId === sessionId);
  }

  /** What is for a person is dispatched: refused below an agent and on record, as from a shell. */
  async #dispatch(sessionId: string, name: string, args: Readonly<Record<string, unknown>>) {
    const { error, result } = await this.#context.dispatch({ name, args, sessionId });
    if (error !== undefined) throw reviveFault(error, result.exitCode);
  }
}

/** `no` and the words for the model after it. */
const splitFirst = (words: string): string[] =>
  words
    .trim()
    .split(/\s+([\s\S]+)/, 2)
    .filter(Boolean);

/** The host inside this process shows all its windows the same object. */
const freezeCopy = <Value>(value: Value): Value => freezeDeep(structuredClone(value));
