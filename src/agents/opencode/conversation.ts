// A conversation with opencode by its own server: every question of it is decided by us, and a refusal's words reach the
// model with the refusal.
import { realpathSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { unlessAborted } from "../../core/command/cancellation.ts";
import { asRecord, type JsonRecord } from "../../core/project/json-value.ts";
import type { LogEvent } from "../log/event.ts";
import { asList, asName } from "../log/json-fields.ts";
import type { AgentExecutionContext } from "../run/adapter.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  TurnEnding,
  TurnRequest,
} from "../run/conversation.ts";
import { prepareRun, type Refusal, refuseTurn } from "../run/prepare-run.ts";
import { PermissionQuestions, sessionRules } from "./permissions.ts";
import { buildServeCommand, opencodeAdapter } from "./run.ts";
import { OpencodeServer } from "./serve.ts";
import { ServeTurn } from "./serve-turn.ts";

export const opencodeConversation: ConversationProtocol = { asks: "everything", open: openServed };

async function openServed(context: ConversationContext): Promise<OpenedConversation> {
  const prepared = await prepare(context, { prompt: "-", model: null });
  if (prepared.kind === "refused") return { kind: "refused", errors: prepared.errors };
  const run = prepared.plan.context;
  const errors = findForeignArguments(run.config.extraArgs);
  if (errors.length > 0) return { kind: "refused", errors };
  return { kind: "open", conversation: new ServedConversation(context, run) };
}

const SERVE_FLAGS = /^(?:--print-logs|--pure|--log-level(?:=.*)?)$/;

/** Most flags of `run` are none of `serve`, which would print its usage and end. */
function findForeignArguments(words: readonly string[]): Refusal[] {
  const foreign = words.filter((word) => word.startsWith("-") && !SERVE_FLAGS.test(word));
  return foreign.map((word) => ({
    reason: "INVALID_CONFIG",
    message: `\`extra_args\` \`${word}\` is no flag of \`opencode serve\`, by which conversations are held`,
    path: "extra_args",
  }));
}

function prepare(context: ConversationContext, { prompt, model }: PromptFields) {
  const { settings, stepHook: _hook, resume: _resume, ...rest } = context;
  const config = { ...settings, prompt, ...(model === null ? {} : { model }) };
  return prepareRun(opencodeAdapter, { ...rest, config, timeout: 0 });
}

type PromptFields = Pick<TurnRequest, "prompt" | "model">;

/** How often it is asked to stop before it is ended, and how long it has each time. */
const STOP_TRIES = 4;
const STOP_PATIENCE_MS = 1_000;
/** A failure that is told before the turn begins is taken for the turn's own after this. */
const EARLY_ERROR_MS = 2_000;

interface RunningTurn {
  readonly request: TurnRequest;
  readonly turn: ServeTurn;
  readonly questions: PermissionQuestions;
  readonly ended: PromiseWithResolvers<"ended">;
}

class ServedConversation implements Conversation {
  readonly #context: ConversationContext;
  readonly #run: AgentExecutionContext;
  readonly #closing = new AbortController();
  #server: OpencodeServer | null = null;
  #running: RunningTurn | null = null;
  #sending: Promise<TurnEnding> | null = null;
  #earlier: ReadonlySet<string> = new Set();
  #id: string | null = null;

  constructor(context: ConversationContext, run: AgentExecutionContext) {
    this.#context = context;
    this.#run = run;
  }

  get id(): string | null {
    return this.#id ?? this.#context.resume;
  }

  get isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  async send(request: TurnRequest): Promise<TurnEnding> {
    this.#sending = this.#send(request).catch((error: Error) => this.#lose(error.message));
    const ending = await this.#sending;
    this.#sending = null;
    return ending;
  }

  async steer(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    await this.#end();
    await this.#sending;
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    await this.#server?.close();
  }

  async #lose(problem: string): Promise<TurnEnding> {
    await this.#end();
    return { kind: "lost", problem };
  }

  async #send(request: TurnRequest): Promise<TurnEnding> {
    if (!this.isOpen) return { kind: "lost", problem: "the conversation is closed" };
    const { prompt, model } = request;
    const prepared = await prepare(this.#context, { prompt, model });
    if (prepared.kind === "refused") return refuseTurn(prepared.errors, request.onEvent);
    const { resume } = this.#context;
    if (resume !== null && !/^ses_\w{1,100}$/.test(resume)) return forget(resume);
    const signal = AbortSignal.any([request.signal, this.#closing.signal]);
    const problem = await this.#start(signal);
    if (signal.aborted) return { kind: "cancelled" };
    if (problem !== null || this.#server === null) return this.#lose(problem ?? "no server");
    if (this.#id === null) this.#id = await this.#openSession(this.#server);
    if (this.#id === null) {
      await this.#end();
      return forget(resume ?? "");
    }
    return this.#play(this.#server, this.#id, { ...request, signal });
  }

  async #start(signal: AbortSignal): Promise<string | null> {
    if (this.#server !== null) return null;
    const { runId, logDir, wrap, secrets = [] } = this.#context;
    const onEvent = (event: JsonRecord) => this.#take(event);
    const command = buildServeCommand(this.#run);
    const plan = { command, wrap, runId, logDir, secrets, onEvent };
    const started = await OpencodeServer.start(plan, signal);
    if (!(started instanceof OpencodeServer)) return started.problem;
    this.#server = started;
    return null;
  }

  /** Null where the session to go on with is none of this folder: it would take prompts and tell nothing. */
  async #openSession(server: OpencodeServer): Promise<string | null> {
    const { resume, workspaceDir } = this.#context;
    const permission = sessionRules({ isPlan: this.#isPlan });
    if (resume === null) {
      const { body } = await server.request("POST", "/session", { permission });
      const id = asName(body.id);
      if (id === null) throw new Error("`opencode serve` opened no session");
      return id;
    }
    const { status, body } = await server.request("GET", `/session/${resume}`);
    if (status !== 200 || body.directory !== realpathSync(workspaceDir)) return null;
    // It adds rules to those that it has.
    const last = asList(body.permission).slice(-permission.length);
    if (!isDeepStrictEqual(last, permission))
      await server.request("PATCH", `/session/${resume}`, { permission });
    return resume;
  }

  get #isPlan(): boolean {
    return this.#run.config.settings.permission_mode === "plan";
  }

  async #play(server: OpencodeServer, id: string, request: TurnRequest): Promise<TurnEnding> {
    const turn = new ServeTurn(id, this.#earlier);
    const ended = Promise.withResolvers<"ended">();
    const questions = new PermissionQuestions(server, request, turn);
    this.#running = { request, turn, questions, ended };
    const answer = await server.request("POST", `/session/${id}/prompt_async`, this.#body(request));
    if (answer.status >= 300)
      this.#emit(turn.fail(describeRefusal(answer.status, answer.body)), this.#running);
    const ending = await this.#waitForEnd(server, this.#running);
    for (const event of turn.cut()) request.onEvent(event);
    this.#earlier = turn.messages;
    this.#running = null;
    return ending;
  }

  #body({ prompt, model }: TurnRequest): object {
    const { settings } = this.#run.config;
    const [, providerID, modelID] =
      /^([^/]+)\/(.+)$/.exec(model ?? asName(settings.model) ?? "") ?? [];
    const agent = this.#isPlan ? "plan" : asName(settings.agent_name);
    const variant = asName(settings.effort);
    return {
      ...(modelID === undefined ? {} : { model: { providerID, modelID } }),
      ...(agent === null ? {} : { agent }),
      ...(variant === null ? {} : { variant }),
      parts: [{ type: "text", text: prompt }],
    };
  }

  async #waitForEnd(server: OpencodeServer, { request, ended }: RunningTurn): Promise<TurnEnding> {
    const { signal } = request;
    const lost = server.lost.then((problem) => ({ problem }));
    const first = await unlessAborted(Promise.race([ended.promise, lost]), signal, null);
    if (first === "ended") return { kind: "ended" };
    if (first !== null) return this.#lose(first.problem);
    if (this.isOpen && !(await this.#stopTurn(server, ended.promise))) await this.#end();
    return { kind: "cancelled" };
  }

  /** A prompt that has not begun yet is not stopped by the first word. */
  async #stopTurn(server: OpencodeServer, ended: Promise<"ended">): Promise<boolean> {
    for (let tries = 0; tries < STOP_TRIES && this.isOpen; tries++) {
      // A request that fails stops nothing, which is seen below, as is a server that is gone.
      await server.request("POST", `/session/${this.#id}/abort`).catch(() => null);
      const first = await Promise.race([ended, server.lost, wait(STOP_PATIENCE_MS, null)]);
      if (first === "ended") return true;
    }
    return false;
  }

  #take(event: JsonRecord): void {
    const running = this.#running;
    if (running === null) return;
    const { turn, questions } = running;
    if (event.type === "permission.asked") void questions.ask(asRecord(event.properties));
    this.#emit(turn.read(event), running);
    if (turn.earlyError !== null && event.type === "session.error") this.#expectBeginning(running);
  }

  #expectBeginning(running: RunningTurn): void {
    const { turn } = running;
    const expire = () => {
      const problem = turn.earlyError;
      if (problem !== null && !turn.hasEnded) this.#emit(turn.fail(problem), running);
    };
    setTimeout(expire, EARLY_ERROR_MS).unref();
  }

  /** A turn that is cancelled has no final word, and its end is no failure. */
  #emit(events: readonly LogEvent[], { request, turn, ended }: RunningTurn): void {
    const isCancelled = request.signal.aborted;
    for (const event of events)
      if (!isCancelled || (event.kind !== "final" && event.kind !== "error"))
        request.onEvent(event);
    if (turn.hasEnded) ended.resolve("ended");
  }
}

const forget = (id: string): TurnEnding => ({
  kind: "forgotten",
  problem: `\`opencode\` knows no conversation \`${id}\` of this folder`,
});

const describeRefusal = (status: number, body: JsonRecord): string =>
  asName(asRecord(body.data).message) ?? `\`opencode serve\` answered ${status}`;
