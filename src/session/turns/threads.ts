// The open conversations of a host, one a session: which one a turn goes into, and with which of its earlier turns the
// agent is not familiar.
import { findAgent } from "../../agents/roster.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  StepHook,
  Via,
} from "../../agents/run/conversation.ts";
import { resumeByRun } from "../../agents/run/resumed-conversation.ts";
import type { TurnStore } from "../../core/store/turns.ts";
import type { ResolvedTurn } from "./resolve-turn.ts";

interface SessionThreadRequest {
  readonly sessionId: string;
  readonly resolved: ResolvedTurn;
  readonly via: Via;
  readonly cwd: string;
  /** Of the turn that opens it; its process carries it for life. */
  readonly runId: string;
  readonly logDir: string;
  readonly stepHook: StepHook | null;
}

export interface SessionThread {
  readonly conversation: Conversation;
  /** The last turn that the agent knows of; 0 where it knows of none. */
  readonly knownTurn: number;
  readonly asks: ConversationProtocol["asks"];
  /** Settings that are not taken account of. */
  readonly leavesOut: readonly string[];
}

type FoundThread =
  | { readonly kind: "open"; readonly thread: SessionThread }
  | Extract<OpenedConversation, { kind: "refused" }>;

interface KeptThread {
  /** All but the model, which goes with every prompt. */
  readonly key: string;
  readonly agent: string;
  readonly conversation: Conversation;
  readonly asks: ConversationProtocol["asks"];
  readonly leavesOut: readonly string[];
}

/** What the host knows of a session and nobody may read on the disk. */
interface SessionMemory {
  secrets: readonly string[];
  /** Agents of which the person was told that they ask nobody. */
  readonly silent: Set<string>;
}

const NONE: readonly string[] = [];
/** Sessions that are remembered without a process that stays, the last used ones. */
const MAX_SESSIONS = 200;
/** A token that is another with every turn must not make each further word slower to mask: so many values, the newest. */
const MAX_SECRETS = 500;

export class Threads {
  readonly #turns: TurnStore;
  readonly #kept = new Map<string, KeptThread>();
  readonly #memories = new Map<string, SessionMemory>();

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
    const opened = await way.open({
      ...describeContext(request, row?.conversation ?? null),
      secrets: () => this.secretsOf(sessionId),
    });
    if (opened.kind === "refused") return opened;
    const { conversation } = opened;
    const leavesOut = (way.leavesOut ?? []).filter(
      (setting) => resolved.settings[setting] !== undefined,
    );
    const thread = { key, agent: name, conversation, asks: way.asks, leavesOut };
    this.#kept.set(sessionId, thread);
    return { kind: "open", thread: { ...thread, knownTurn: row?.number ?? 0 } };
  }

  /**
   * What a turn brings with it that nothing on the disk may hold. The process that stays has what turns before brought, and
   * writes its raw output in later ones: both know all of it.
   */
  learnSecrets(sessionId: string, values: readonly string[]): void {
    const memory = this.#remember(sessionId);
    const brought = new Set(values);
    const others = memory.secrets.filter((value) => !brought.has(value));
    if (others.length + brought.size === memory.secrets.length) return;
    const room = Math.max(0, MAX_SECRETS - brought.size);
    memory.secrets = [...(room === 0 ? [] : others.slice(-room)), ...brought];
  }

  /** The same list as long as there is nothing new. */
  secretsOf(sessionId: string): readonly string[] {
    return this.#memories.get(sessionId)?.secrets ?? NONE;
  }

  /** Notes that the agent asks nobody before it uses a tool; true where that is news in this session. */
  noteSilence(sessionId: string, agent: string): boolean {
    const { silent } = this.#remember(sessionId);
    const isNews = !silent.has(agent);
    silent.add(agent);
    return isNews;
  }

  #remember(sessionId: string): SessionMemory {
    const memory = this.#memories.get(sessionId) ?? { secrets: NONE, silent: new Set() };
    this.#memories.delete(sessionId);
    for (const id of this.#memories.keys()) {
      if (this.#memories.size < MAX_SESSIONS) break;
      if (!this.#kept.has(id)) this.#memories.delete(id);
    }
    this.#memories.set(sessionId, memory);
    return memory;
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
}: SessionThreadRequest): Promise<ConversationProtocol> {
  const agent = findAgent(adapter.name);
  const { headlessOnly = [] } = adapter.capabilities(located.agentVersion ?? null);
  const canStay = headlessOnly.every((name) => settings[name] === undefined);
  if (via === "process" && canStay && agent?.conversation !== undefined)
    return agent.conversation();
  const stepHooks = await agent?.stepHooks?.();
  return resumeByRun(adapter, stepHooks);
}

function describeContext(
  { resolved, cwd, runId, logDir, stepHook }: SessionThreadRequest,
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
  };
}
