// Answers hooks in a thread, so that nothing in a payload can make an answer late: whoever asks here keeps the clock,
// and ends the thread when it is over. Guards that then have no answer refuse.

import { Worker } from "node:worker_threads";
import { findHookAgent } from "../../agents/roster.ts";
import { findCompileCache } from "../../core/process/compile-cache.ts";
import {
  type AnswerHook,
  type HookCall,
  type HookReply,
  parsePayload,
  silentReply,
} from "../pipeline/hook-call.ts";
import { replyToFault } from "../pipeline/own-fault.ts";

/** A call as it goes to the thread. */
export type ThreadCall = Omit<HookCall, "signal" | "onLimit" | "onHeld">;

export type ToAnswerThread =
  | { readonly kind: "call"; readonly id: number; readonly call: ThreadCall }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "ping" };

export type FromAnswerThread =
  | { readonly kind: "limit" | "held"; readonly id: number; readonly limitMs: number }
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "settled"; readonly id: number }
  | { readonly kind: "pong" };

interface ThreadOptions {
  /** The file the thread runs. */
  readonly file: string;
  /** Whether it keeps open what the next call needs too; cold there is one call, and nobody else to ask. */
  readonly isWarm: boolean;
  /** Told when a thread had to be ended. */
  noteProblem(problem: string): void;
}

interface ThreadAnswerer {
  /** It rejects where the thread was lost for another call's sake: then the caller may ask elsewhere. */
  readonly answer: AnswerHook;
  warmUp(): void;
  close(): Promise<void>;
}

/** Until the step is known; what the pipeline has of an agent's usual minute. */
export const FIRST_LIMIT_MS = 58_000;
/** The pipeline itself ends at its deadline; only where it does not is it ended. */
const GRACE_MS = 500;
const LOOK_MS = 1_000;
/** A thread that is busy for longer at one stretch is not coming back: 64 MiB are read and scanned in less. */
const MAX_STALL_MS = 10_000;

type Ending = "late" | "lost";

interface Pending {
  readonly startedAt: number;
  limitMs: number;
  onHeld(limitMs: number): void;
  end(ending: Ending | HookReply): void;
  settle(): void;
}

export function createThreadAnswerer(options: ThreadOptions): ThreadAnswerer {
  let thread: AnswerThread | null = null;
  const current = (): AnswerThread => {
    if (thread === null || !thread.isAlive) thread = new AnswerThread(options);
    return thread;
  };
  return {
    answer: async (call) => {
      let isHeld = false;
      const onHeld = (limitMs: number) => {
        isHeld = true;
        call.onHeld?.(limitMs);
      };
      const ending = await current().ask({ ...call, onHeld });
      if (ending === "lost" && options.isWarm && !call.isHttp)
        throw new Error("the thread was ended");
      return typeof ending === "string" ? refuseLate(call, isHeld) : ending;
    },
    warmUp: () => void current(),
    close: async () => thread?.end("lost"),
  };
}

/** The payload is read once more, which takes no longer than it is long; nothing else is done with it. */
async function refuseLate(call: HookCall, isHeld: boolean): Promise<HookReply> {
  const agent = await findHookAgent(call.agent);
  if (agent === null) return silentReply("", `unknown agent \`${call.agent}\``);
  const problem =
    "the guards had no answer in time; try again, and if it happens again look with `adj doctor`";
  return await replyToFault({ call, agent, payload: parsePayload(call.payload), problem, isHeld });
}

class AnswerThread {
  isAlive = true;
  readonly #pending = new Map<number, Pending>();
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  #lastId = 0;
  #heardAt = performance.now();
  #watch: NodeJS.Timeout | null = null;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const workerData = { isWarm: options.isWarm, compileCache: findCompileCache() };
    this.#worker = new Worker(options.file, { workerData });
    this.#worker.unref();
    this.#worker.on("message", (message: FromAnswerThread) => this.#hear(message));
    // What it throws ends it, and `exit` follows.
    this.#worker.on("error", ({ message }) => options.noteProblem(`hook thread: ${message}`));
    this.#worker.once("exit", () => this.end("lost"));
  }

  ask({ signal, onLimit: _, onHeld, ...call }: HookCall): Promise<Ending | HookReply> {
    const id = ++this.#lastId;
    const asked = Promise.withResolvers<Ending | HookReply>();
    const settled = Promise.withResolvers<void>();
    const cancel = () => this.#say({ kind: "cancel", id });
    this.#pending.set(id, {
      startedAt: performance.now(),
      limitMs: FIRST_LIMIT_MS,
      onHeld: (limitMs) => onHeld?.(limitMs),
      end: (ending) => {
        signal.removeEventListener("abort", cancel);
        const reply = { background: settled.promise };
        asked.resolve(typeof ending === "string" ? ending : { ...ending, ...reply });
      },
      settle: settled.resolve,
    });
    if (this.#watch === null) {
      this.#heardAt = performance.now();
      this.#watch = setInterval(() => this.#look(), LOOK_MS);
    }
    signal.addEventListener("abort", cancel, { once: true });
    this.#say({ kind: "call", id, call });
    if (signal.aborted) cancel();
    return asked.promise;
  }

  /** All that wait are told how it ended. */
  async end(ending: Ending): Promise<void> {
    this.isAlive = false;
    this.#rest();
    for (const pending of this.#pending.values()) {
      pending.end(ending);
      pending.settle();
    }
    this.#pending.clear();
    await this.#worker.terminate();
  }

  #say(message: ToAnswerThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromAnswerThread): void {
    this.#heardAt = performance.now();
    if (message.kind === "pong") return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.kind === "limit" || message.kind === "held") pending.limitMs = message.limitMs;
    if (message.kind === "held") pending.onHeld(message.limitMs);
    if (message.kind === "reply") {
      const reply = silentReply(message.stdout, "");
      pending.limitMs = Number.POSITIVE_INFINITY;
      pending.end({ ...reply, stderr: message.stderr });
    }
    if (message.kind === "settled") {
      pending.settle();
      this.#pending.delete(message.id);
      if (this.#pending.size === 0) this.#rest();
    }
  }

  #look(): void {
    const now = performance.now();
    const isOver = [...this.#pending.values()].some(
      ({ startedAt, limitMs }) => now - startedAt > limitMs + GRACE_MS,
    );
    const isStalled = now - this.#heardAt > MAX_STALL_MS;
    if (!isOver && !isStalled) {
      this.#say({ kind: "ping" });
      return;
    }
    this.#options.noteProblem("a step kept the guards busy beyond its time; it was refused");
    // Which of several keeps it busy is not known: those who can ask elsewhere do.
    void this.end(this.#pending.size === 1 ? "late" : "lost");
  }

  #rest(): void {
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }
}
