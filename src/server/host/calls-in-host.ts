// The calls of a host: started, waited for, cancelled. Questions of theirs go to the inbox, which only a person answers.
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { waitUnlessAborted } from "../../core/command/cancellation.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { Fault, fault, reportFault } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Interactor } from "../../core/command/request.ts";
import type { HostExtension, HostServices } from "../../core/commands/host-extension.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import type { NewQuestion } from "../../core/store/questions.ts";
import {
  CALL_ORDER,
  type CallOrder,
  type CallView,
  describeCallOutcome,
  keepCall,
  markCallLost,
  readKeptCall,
} from "../calls/command-call.ts";

const HANDLE = z.strictObject({ id: z.string(), root: z.string() });
const WAIT = z.extend(HANDLE, { ms: z.number(), afterStep: z.optional(z.number()) });
type Handle = z.infer<typeof HANDLE>;

/** A person has so long; after it the answer is no. */
const PATIENCE_MS = 10 * 60 * 1_000;
/** So many ended ones are kept in memory; all others are read from their files. */
const MAX_KEPT = 100;
/** So many run or wait for a person at once; an agent that begins more is told to wait. */
const MAX_LIVE = 200;

type Environment = Readonly<Record<string, string>>;

interface LiveCall {
  view: CallView;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** Resolved and made anew with each step that the command tells of. */
  stepped: PromiseWithResolvers<void>;
}

export function openCommandCalls(services: HostServices): HostExtension {
  return new CallsInHost(services);
}

class CallsInHost implements HostExtension {
  readonly name = "mcp";
  readonly #services: HostServices;
  readonly #live = new Map<string, LiveCall>();
  readonly #ended = new Map<string, CallView>();
  #fetch: Promise<(request: Request) => Promise<Response>> | null = null;

  constructor(services: HostServices) {
    this.#services = services;
  }

  get busy(): number {
    return this.#live.size;
  }

  async call(method: string, body: JsonValue, env: Environment): Promise<JsonValue> {
    switch (method) {
      case "start":
        return toJson(this.#start(parse(CALL_ORDER, body), env));
      case "wait": {
        return toJson(await this.#wait(parse(WAIT, body)));
      }
      case "cancel":
        return this.#cancel(parse(HANDLE, body));
      default:
        throw fault("InputInvalid", { what: "a call of the host", problem: `no \`${method}\`` });
    }
  }

  /** `/mcp`; what speaks the protocol is loaded with its first client. */
  async fetch(request: Request): Promise<Response> {
    this.#fetch ??= import("../mcp/serve-http.ts").then(({ createMcpFetch }) =>
      createMcpFetch(this.#services, {
        callExtension: (_, method, body, env) => this.call(method, body, env),
      }),
    );
    return (await this.#fetch)(request);
  }

  async takePrompt(): Promise<boolean> {
    return false;
  }

  async takeOver(): Promise<void> {}

  async drain(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ ended }) => ended));
  }

  async close(): Promise<void> {
    for (const { stop } of this.#live.values()) stop.abort();
    await this.drain();
  }

  #start(order: CallOrder, env: Environment): CallView {
    if (this.#live.size >= MAX_LIVE) {
      const problem = `${MAX_LIVE} commands run for agents already; \`${order.name}\` was not begun`;
      throw fault("SessionBusy", { problem }, { hint: "wait for some of them, or cancel them" });
    }
    // Whoever has it can wait, cancel and read: it must not be guessed.
    const id = `c${randomBytes(6).toString("hex")}`;
    const view: CallView = {
      ...{ id, name: order.name, root: order.root, status: "running" },
      ...{ question: null, progress: null, steps: 0, outcome: null },
    };
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const live: LiveCall = { view, stop, ended, stepped: Promise.withResolvers() };
    this.#live.set(id, live);
    // Kept before it runs: if this host is killed, the next one knows that it was begun.
    this.#keep(live);
    void this.#run(live, order, env)
      .catch((error: unknown) => this.#refuse(live, error))
      .finally(resolve);
    return view;
  }

  /** A folder that is gone, a store that fails: the call ends so, and the host goes on. */
  #refuse(live: LiveCall, error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    const { code, message, hint } = reportFault(error);
    const facts = { output: "", errorOutput: "", metadata: null, error: { code, message, hint } };
    const outcome = { kind: "rejected", exitCode: error.exitCode, ...facts } as const;
    this.#end(live, { ...live.view, status: "done", outcome, question: null });
  }

  async #run(live: LiveCall, order: CallOrder, env: Environment): Promise<void> {
    const { program } = this.#services;
    const { name, args, cwd, root, sessionId, client } = order;
    const adjutant = await program.open({ cwd, root, env, surface: "mcp", agent: client });
    try {
      program.sessions().ensure(sessionId, root);
      const interactors = [this.#makeInbox(live, order)];
      const onProgress = (step: number | string) => {
        const progress = typeof step === "number" ? `${Math.round(step * 100)} %` : step;
        live.view = { ...live.view, progress, steps: live.view.steps + 1 };
        live.stepped.resolve();
        live.stepped = Promise.withResolvers();
      };
      const request = { name, args, sessionId, signal: live.stop.signal };
      const outcome = await adjutant.dispatch(request, { interactors, onProgress });
      const ended = {
        status: "done",
        outcome: describeCallOutcome(outcome),
        question: null,
      } as const;
      this.#end(live, { ...live.view, ...ended });
    } finally {
      await adjutant.close();
    }
  }

  #keep({ view }: LiveCall): void {
    keepCall(this.#services.program.stateDir, view);
  }

  #end(live: LiveCall, view: CallView): void {
    live.view = view;
    this.#keep(live);
    this.#live.delete(view.id);
    this.#ended.set(view.id, view);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_KEPT && oldest !== undefined) this.#ended.delete(oldest);
  }

  /** How it stands, at the latest after so long; at once where it is further than the caller knows. */
  async #wait({ id, root, ms, afterStep }: z.infer<typeof WAIT>): Promise<CallView> {
    const live = this.#findLive({ id, root });
    if (live === null) return this.#findEnded({ id, root });
    if (afterStep !== undefined && live.view.steps > afterStep) return live.view;
    const enough = new AbortController();
    await Promise.race([
      live.ended,
      ...(afterStep === undefined ? [] : [live.stepped.promise]),
      waitUnlessAborted(ms, enough.signal),
    ]);
    enough.abort();
    return live.view;
  }

  /** A handle counts in the project that it was given in. */
  #findLive({ id, root }: Handle): LiveCall | null {
    const live = this.#live.get(id);
    return live?.view.root === root ? live : null;
  }

  #findEnded({ id, root }: Handle): CallView {
    const kept = this.#ended.get(id) ?? readKeptCall(this.#services.program.stateDir, id);
    if (kept !== null && (kept.root === undefined || kept.root === root))
      return kept.outcome === null ? markCallLost(kept) : kept;
    throw fault(
      "InputInvalid",
      { what: "a run handle", problem: `there is no run \`${id}\` here` },
      { hint: "call the command again" },
    );
  }

  #cancel(handle: Handle): boolean {
    const live = this.#findLive(handle);
    live?.stop.abort();
    return live !== null;
  }

  #makeInbox(live: LiveCall, order: CallOrder): Interactor {
    const put = async (
      asked: Pick<NewQuestion, "kind" | "text" | "choices" | "fallback">,
    ): Promise<JsonValue | null> => {
      const id = `q${newId().replaceAll("-", "").slice(-6)}`;
      const text = maskSecrets(`${order.client} called \`${order.name}\`: ${asked.text}`);
      live.view = { ...live.view, status: "waiting", question: { id, text } };
      this.#keep(live);
      const answer = await this.#services.ask(
        {
          ...asked,
          ...{ id, text, sessionId: order.sessionId, turnId: null },
          details: { client: order.client, command: order.name, root: order.root },
          deadlineAt: new Date(Date.now() + PATIENCE_MS).toISOString(),
        },
        live.stop.signal,
      );
      live.view = { ...live.view, status: "running", question: null };
      this.#keep(live);
      return answer;
    };
    const nobody = () => fault("Required", { name: order.name }, { hint: "nobody answered" });
    return {
      name: "inbox",
      isInbox: true,
      confirm: async (text) =>
        (await put({ kind: "confirm", text, choices: ["yes", "no"], fallback: false })) === true,
      select: async (text, choices) => {
        const answer = await put({ kind: "select", text, choices, fallback: null });
        if (typeof answer === "string") return answer;
        throw nobody();
      },
      input: async (text) => {
        const answer = await put({ kind: "input", text, choices: [], fallback: null });
        if (typeof answer === "string") return answer;
        throw nobody();
      },
    };
  }
}

function parse<Value>(schema: z.ZodMiniType<Value>, body: JsonValue): Value {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw fault("InputInvalid", { what: "a call of the host", problem: "the body is not its kind" });
}

const toJson = (view: CallView): JsonValue => JSON.parse(JSON.stringify(view));
