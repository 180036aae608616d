// Headless with resume, the way that every agent has: each prompt is a run of its own, and the agent's own id ties them
// together.
import { join } from "node:path";
import { reasonOfCode } from "../log/error-reasons.ts";
import { errorEvent, finalEvent, type LogEvent } from "../log/event.ts";
import { UsageTotals } from "../log/usage.ts";
import type { AgentAdapter, AgentExecutionResult, AgentRunPlan } from "./adapter.ts";
import { findFlag } from "./capabilities.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  StepHook,
  StepHookEntry,
  TurnEnding,
  TurnRequest,
} from "./conversation.ts";
import { executeAgent, withWrappedAgents } from "./execute.ts";
import { type AgentRunRequest, prepareRun, type Refusal, refuseTurn } from "./prepare-run.ts";

type MakeHooks = (hook: StepHook, logDir: string) => StepHookEntry;

/** Without hooks that can permit nobody is asked, and the agent runs in its strictest mode. */
export function resumeByRun(
  adapter: AgentAdapter,
  makeHooks: MakeHooks | null = null,
): ConversationProtocol {
  const canAsk = makeHooks !== null && adapter.resuming?.hooksOnlyRefuse !== true;
  return {
    asks: canAsk ? "everything" : "nothing",
    open: (context) => openResumed(adapter, context, makeHooks),
  };
}

async function openResumed(
  adapter: AgentAdapter,
  context: ConversationContext,
  makeHooks: MakeHooks | null,
): Promise<OpenedConversation> {
  const plan = { adapter, context, makeHooks };
  const prepared = await prepareRun(adapter, describeRun(plan, FIRST_LOOK));
  if (prepared.kind === "refused") return { kind: "refused", errors: prepared.errors };
  const errors = findTakenFlags(adapter, prepared.plan);
  if (errors.length > 0) return { kind: "refused", errors };
  return { kind: "open", conversation: new ResumedConversation(plan) };
}

/** Of a flag that counts once the last one counts: the user's would switch the hook of the run off. */
function findTakenFlags(adapter: AgentAdapter, { context, command }: AgentRunPlan): Refusal[] {
  const { flags } = adapter.capabilities(context.agentVersion ?? null);
  const namesIn = (words: readonly string[]) =>
    words.flatMap((word) => {
      const flag = findFlag(flags, word);
      return flag === undefined || flag.isRepeatable === true ? [] : [flag.name];
    });
  const written = namesIn(command.args);
  return namesIn(context.ownHooks?.args ?? [])
    .filter((name) => written.indexOf(name) !== written.lastIndexOf(name))
    .map((name) => ({
      reason: "INVALID_CONFIG",
      message: `\`${name}\` is taken by the hook by which the tools of a session are decided`,
      path: name.replace(/^-+/, "").replaceAll("-", "_"),
    }));
}

/** The settings are looked at before there is a prompt. */
const FIRST_LOOK = { prompt: "-", model: null, resume: null, number: 0 };

interface ResumedPlan {
  readonly adapter: AgentAdapter;
  readonly context: ConversationContext;
  readonly makeHooks: MakeHooks | null;
}

interface ResumedPrompt extends Pick<TurnRequest, "prompt" | "model"> {
  readonly resume: string | null;
  readonly number: number;
}

/** A run of the conversation. Its run id stays the same, so that all it starts can be found by it. */
function describeRun(
  { adapter, context, makeHooks }: ResumedPlan,
  { prompt, model, resume, number }: ResumedPrompt,
): AgentRunRequest {
  const { settings, stepHook, resume: _first, ...rest } = context;
  const logDir = join(context.logDir, `prompt-${number}`);
  const hooks = stepHook === null ? null : (makeHooks?.(stepHook, logDir) ?? null);
  const can = adapter.capabilities(context.agentVersion ?? null).settings;
  const isStrict = (settings.permission_mode ?? "ask") === "ask" && hooks === null;
  return {
    ...rest,
    ...(hooks === null ? {} : { ownHooks: hooks }),
    env: { ...context.env, ...(isStrict ? adapter.resuming?.strictEnv : {}) },
    config: {
      ...(can.permission_mode === undefined ? {} : { permission_mode: "ask" }),
      ...settings,
      ...(model === null ? {} : { model }),
      ...(resume === null ? {} : { resume }),
      prompt,
    },
    timeout: 0,
    logDir,
  };
}

class ResumedConversation implements Conversation {
  readonly #plan: ResumedPlan;
  readonly #closing = new AbortController();
  readonly #totals: UsageTotals | null;
  #running: Promise<TurnEnding> | null = null;
  #id: string | null;
  #prompts = 0;

  constructor(plan: ResumedPlan) {
    this.#plan = plan;
    this.#id = plan.context.resume;
    const countsOn = plan.adapter.resuming?.countsOn === true;
    this.#totals = countsOn ? new UsageTotals(plan.context.resume === null) : null;
  }

  get id(): string | null {
    return this.#id;
  }

  get isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  async send(turn: TurnRequest): Promise<TurnEnding> {
    this.#running = this.#run(turn);
    const ending = await this.#running;
    this.#running = null;
    return ending;
  }

  async steer(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(turn: TurnRequest): Promise<TurnEnding> {
    const { adapter, context } = this.#plan;
    const { wrap, secrets = [] } = context;
    if (!this.isOpen) return { kind: "lost", problem: "the conversation is closed" };
    const resume = this.#id;
    if (resume !== null && !mayBeKnown(adapter, resume)) return forget(adapter, resume);
    const { prompt, model } = turn;
    const asked = { prompt, model, resume, number: ++this.#prompts };
    const prepared = await prepareRun(adapter, describeRun(this.#plan, asked));
    if (prepared.kind === "refused") return refuseTurn(prepared.errors, turn.onEvent);
    const events = new TurnEvents((event) => this.#take(event, turn), resume !== null);
    const signal = AbortSignal.any([turn.signal, this.#closing.signal]);
    const execute = () =>
      executeAgent(adapter, prepared.plan, {
        signal,
        onEvent: (event) => events.take(event),
        secrets,
      });
    const result = await (wrap === undefined ? execute() : withWrappedAgents(wrap, execute));
    if (resume !== null && isUnknownConversation(adapter, result)) return forget(adapter, resume);
    const ending = describeTurn(result);
    events.conclude(ending.kind === "ended" ? result : null);
    return ending;
  }

  #take(event: LogEvent, turn: TurnRequest): void {
    if (event.kind === "init" && this.#plan.adapter.resuming !== undefined)
      this.#id = event.sessionId ?? this.#id;
    turn.onEvent(event.kind === "usage" ? (this.#totals?.take(event) ?? event) : event);
  }
}

const mayBeKnown = ({ resuming }: AgentAdapter, id: string): boolean =>
  resuming !== undefined && /^[\w.:-]{1,200}$/.test(id) && (resuming.id?.test(id) ?? true);

const forget = ({ name }: AgentAdapter, id: string): TurnEnding => ({
  kind: "forgotten",
  problem: `\`${name}\` knows no conversation \`${id}\``,
});

/** The agent says so before it has asked its model anything. */
function isUnknownConversation(
  { resuming }: Pick<AgentAdapter, "resuming">,
  { execution, output, collected }: AgentExecutionResult,
): boolean {
  const hasWorked =
    collected.toolCalls.length > 0 || collected.messages.some(({ role }) => role === "assistant");
  return execution.status === "failed" && !hasWorked && resuming?.unknown.test(output) === true;
}

function describeTurn({ execution, errors, collected }: AgentExecutionResult): TurnEnding {
  const { status } = execution;
  if (status === "cancelled") return { kind: "cancelled" };
  if (collected.final !== null || status === "success") return { kind: "ended" };
  return { kind: "lost", problem: errors.at(-1)?.message ?? "the agent ended without a word" };
}

const WORK: ReadonlySet<LogEvent["kind"]> = new Set<LogEvent["kind"]>([
  ...(["delta", "message", "tool_call", "retry"] as const),
]);

/** The events of one run. Of a resumed one none is handed on before it is clear that the conversation is known. */
class TurnEvents {
  readonly #sink: (event: LogEvent) => void;
  readonly #messages = new Set<string>();
  #held: LogEvent[] | null;

  constructor(sink: (event: LogEvent) => void, isHeld: boolean) {
    this.#sink = sink;
    this.#held = isHeld ? [] : null;
  }

  take(event: LogEvent): void {
    if (event.kind === "error") this.#messages.add(event.message);
    if (this.#held !== null && !WORK.has(event.kind)) this.#held.push(event);
    else {
      this.#release();
      this.#sink(event);
    }
  }

  /** Adds what only the end of the process made known, where the turn came to one. */
  conclude(result: AgentExecutionResult | null): void {
    this.#release();
    for (const { code, message } of result?.errors ?? [])
      if (!this.#messages.has(message)) this.#sink(errorEvent(reasonOfCode(code), message));
    // An agent that prints plain text has no last word.
    if (result !== null && result.collected.final === null)
      this.#sink(finalEvent({ isSuccess: true }));
  }

  #release(): void {
    for (const event of this.#held ?? []) this.#sink(event);
    this.#held = null;
  }
}
