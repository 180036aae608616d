// The open conversations of a host, one a session: which one a turn goes into, and with which of its earlier turns the
// agent is not familiar.
import { findAgent } from "../../agents/roster.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationWay,
  OpenedConversation,
  StepHook,
  Via,
} from "../../agents/run/conversation.ts";
import { resumeByRun } from "../../agents/run/resumed-conversation.ts";
import type { TurnStore } from "../../core/store/turns.ts";
import type { ResolvedTurn } from "./resolve-turn.ts";

export interface SessionThreadRequest {
  readonly sessionId: string;
  readonly resolved: ResolvedTurn;
  readonly via: Via;
  readonly cwd: string;
  /** Of the turn that opens it; its process carries it for life. */
  readonly runId: string;
  readonly logDir: string;
  readonly stepHook: StepHook | null;
  readonly secrets: readonly string[];
}

export interface SessionThread {
  readonly conversation: Conversation;
  /** The last turn that the agent knows of; 0 where it knows of none. */
  readonly knownTurn: number;
  readonly asks: ConversationWay["asks"];
}

export type FoundThread =
  | { readonly kind: "open"; readonly thread: SessionThread }
  | Extract<OpenedConversation, { kind: "refused" }>;

interface KeptThread {
  /** All but the model, which goes with every prompt. */
  readonly key: string;
  readonly agent: string;
  readonly conversation: Conversation;
  readonly asks: ConversationWay["asks"];
}

export class Threads {
  readonly #turns: TurnStore;
  readonly #kept = new Map<string, KeptThread>();
  readonly #silent = new Set<string>();

  constructor(turns: TurnStore) {
    this.#turns = turns;
  }

  /** The conversation that is open already where it fits; else one that goes on by the agent's own id, or a new one. */
  async find(
    request: SessionThreadRequest,
    { isFresh }: { readonly isFresh: boolean },
  ): Promise<FoundThread> {
    const { sessionId, resolved, cwd } = request;
    const { name } = resolved.adapter;
    const row = isFresh ? null : this.#turns.readConversation(sessionId, name);
    const key = JSON.stringify([name, request.via, cwd, resolved.settings]);
    const kept = this.#kept.get(sessionId);
    if (!isFresh && kept?.key === key && kept.conversation.isOpen)
      return { kind: "open", thread: { ...kept, knownTurn: row?.number ?? 0 } };
    await this.close(sessionId);
    const way = await findWay(request);
    const opened = await way.open(describeContext(request, row?.conversation ?? null));
    if (opened.kind === "refused") return opened;
    const { conversation } = opened;
    this.#kept.set(sessionId, { key, agent: name, conversation, asks: way.asks });
    return {
      kind: "open",
      thread: { conversation, knownTurn: row?.number ?? 0, asks: way.asks },
    };
  }

  /** Notes that the agent asks nobody before it uses a tool; true where that is news in this session. */
  noteSilence(sessionId: string, agent: string): boolean {
    const key = JSON.stringify([sessionId, agent]);
    const isNews = !this.#silent.has(key);
    this.#silent.add(key);
    return isNews;
  }

  steer(sessionId: string, text: string): Promise<boolean> {
    return this.#kept.get(sessionId)?.conversation.steer(text) ?? Promise.resolve(false);
  }

  async close(sessionId: string): Promise<void> {
    const kept = this.#kept.get(sessionId);
    this.#kept.delete(sessionId);
    await kept?.conversation.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((sessionId) => this.close(sessionId)));
  }
}

/** An agent without a way to stay is run anew for each prompt. */
async function findWay({
  resolved: { adapter, settings, located },
  via,
}: SessionThreadRequest): Promise<ConversationWay> {
  const agent = findAgent(adapter.name);
  const { headlessOnly = [] } = adapter.capabilities(located.agentVersion ?? null);
  const canStay = headlessOnly.every((name) => settings[name] === undefined);
  if (via === "process" && canStay && agent?.conversation !== undefined)
    return agent.conversation();
  const stepHooks = await agent?.stepHooks?.();
  return resumeByRun(adapter, stepHooks);
}

function describeContext(
  { resolved, cwd, runId, logDir, stepHook, secrets }: SessionThreadRequest,
  resume: string | null,
): ConversationContext {
  const { settings, model, env, located } = resolved;
  return {
    ...located,
    workspaceDir: cwd,
    env,
    runId,
    logDir,
    settings: model === null ? settings : { ...settings, model },
    resume,
    stepHook,
    secrets,
  };
}
