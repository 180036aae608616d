// A conversation without an agent: each prompt plays the next part of a cassette, and where there is none, or no more
// of it, the demo partner answers. All happens in this process.

import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate as yieldTurn } from "node:timers/promises";
import { unlessAborted, waitUnlessAborted } from "../../core/command/cancellation.ts";
import { parseDuration } from "../../core/command/time.ts";
import { asRecord, parseJson } from "../../core/project/json-value.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { answerDelta, assistantMessage, finalEvent, initEvent } from "../log/event.ts";
import { asCount, asName, asText } from "../log/json-fields.ts";
import type {
  Conversation,
  ConversationContext,
  ConversationProtocol,
  OpenedConversation,
  TurnEnding,
  TurnRequest,
} from "../run/conversation.ts";
import {
  type Cassette,
  type CassetteStep,
  choosePart,
  isLastPart,
  loadCassette,
} from "./cassette.ts";
import { answerAsPartner } from "./partner.ts";
import { closeEvents, type PlayContext, playCall, playStep } from "./play-step.ts";
import { replayAdapter } from "./run.ts";

export const replayConversation: ConversationProtocol = { asks: "everything", open: openReplay };

async function openReplay(context: ConversationContext): Promise<OpenedConversation> {
  const config = { ...context.settings, prompt: "-" };
  const configContext = { agentVersion: null, isRoot: false, env: context.env };
  const check = replayAdapter.checkConfig(config, configContext);
  if (check.kind === "invalid") return refuse(check.problems);
  const named = asName(context.settings.cassette);
  const loaded = named === null ? null : await loadCassette(resolve(context.workspaceDir, named));
  if (loaded?.kind === "refused") return refuse([{ path: "cassette", message: loaded.problem }]);
  const pauseMs = check.config.own.pace === "real" ? WORD_MS : 0;
  const plan = { context, cassette: loaded?.cassette ?? null, pauseMs };
  return { kind: "open", conversation: new ReplayConversation(plan) };
}

const refuse = (problems: readonly { path: string; message: string }[]): OpenedConversation => ({
  kind: "refused",
  errors: problems.map(({ path, message }) => ({ reason: "INVALID_CONFIG", message, path })),
});

interface ReplayPlan {
  readonly context: ConversationContext;
  readonly cassette: Cassette | null;
  /** Between two words. */
  readonly pauseMs: number;
}

const WORD_MS = 25;

class ReplayConversation implements Conversation {
  readonly #plan: ReplayPlan;
  readonly #closing = new AbortController();
  readonly #id: string;
  #running: Promise<TurnEnding> | null = null;
  #added: string[] = [];

  constructor(plan: ReplayPlan) {
    this.#plan = plan;
    this.#id = plan.context.resume ?? makeId(plan.context);
  }

  get id(): string {
    return this.#id;
  }

  get isOpen(): boolean {
    return !this.#closing.signal.aborted;
  }

  async send(turn: TurnRequest): Promise<TurnEnding> {
    // A disk that is full or may not be written to.
    const lose = ({ message }: Error) => ({ kind: "lost", problem: message }) as const;
    this.#running = this.#run(turn).catch(lose);
    const ending = await this.#running;
    this.#running = null;
    return ending;
  }

  async steer(text: string): Promise<boolean> {
    if (this.#running === null) return false;
    this.#added.push(text);
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(turn: TurnRequest): Promise<TurnEnding> {
    if (!this.isOpen) return { kind: "lost", problem: "the conversation is closed" };
    const { context } = this.#plan;
    const memory = await recall(context, this.#id);
    if (memory === null && context.resume !== null)
      return { kind: "forgotten", problem: `\`replay\` knows no conversation \`${this.#id}\`` };
    const { first = turn.prompt, prompts = 0 } = memory ?? {};
    // A prompt counts from its beginning: one that is cut short has been sent as well.
    await remember(context, this.#id, { first, prompts: prompts + 1 });
    const signal = AbortSignal.any([turn.signal, this.#closing.signal]);
    await this.#play({ ...turn, signal }, { first, prompts });
    this.#added = [];
    return signal.aborted ? { kind: "cancelled" } : { kind: "ended" };
  }

  async #play(turn: TurnRequest, { first, prompts }: Memory): Promise<void> {
    const { context, cassette } = this.#plan;
    const model = turn.model ?? asName(context.settings.model);
    turn.onEvent(initEvent({ sessionId: this.#id, model, workingDirectory: context.workspaceDir }));
    const { prompt } = turn;
    const part = cassette === null ? undefined : choosePart(cassette, { prompt, earlier: prompts });
    const playing = this.#describePlaying(turn);
    if (part === undefined) {
      const script = answerAsPartner({ prompt: turn.prompt, model, earlier: prompts, first });
      await playScript(script, playing);
    } else await this.#playPart(part, playing);
    for (const text of this.#added) await playing.say(`You added “${text}”.`);
    if (turn.signal.aborted) return;
    const isLast = cassette !== null && part !== undefined && isLastPart(cassette, part);
    const end = finalEvent({ isSuccess: true, stopReason: "end_turn" });
    const events = isLast ? closeEvents(cassette) : [end];
    for (const event of events) turn.onEvent(event);
  }

  async #playPart(part: readonly CassetteStep[], playing: PlayContext): Promise<void> {
    const { signal } = playing;
    for (const [at, step] of part.entries()) {
      const pauseMs = this.#plan.pauseMs === 0 ? 0 : (parseDuration(step.after ?? "") ?? 0);
      if (pauseMs > 0) await waitUnlessAborted(pauseMs, signal);
      if (signal.aborted) return;
      await playStep(step, at + 1, playing);
    }
  }

  #describePlaying(turn: TurnRequest): PlayContext {
    const { context, pauseMs } = this.#plan;
    const { signal, onEvent: emit } = turn;
    return {
      workspace: context.workspaceDir,
      env: context.env,
      runId: context.runId,
      wrap: context.wrap,
      signal,
      emit,
      say: (text) => sayByWords(text, { turn, pauseMs, ...context }),
      decide: ({ id: callId, tool, args }) =>
        unlessAborted(turn.decideTool({ callId, tool, args, signal }), signal, CANCELLED),
    };
  }
}

/** A question that is still open when the turn is cancelled counts as refused. */
const CANCELLED = { kind: "deny", reason: "the turn was cancelled" } as const;

async function playScript(
  script: ReturnType<typeof answerAsPartner>,
  playing: PlayContext,
): Promise<void> {
  let calls = 0;
  let next = script.next(null);
  while (next.done !== true && !playing.signal.aborted) {
    const step = next.value;
    if (step.kind === "say") await playing.say(step.text);
    const outcome =
      step.kind === "say" ? null : await playCall(step.call, { id: `call-${++calls}` }, playing);
    next = script.next(outcome);
  }
}

interface AnswerContext
  extends Pick<ReplayPlan, "pauseMs">,
    Pick<ConversationContext, "logDir" | "secrets"> {
  readonly turn: Pick<TurnRequest, "signal" | "onEvent">;
}

/** As a model would, a word at a time; what was said before a cancel has been said. */
async function sayByWords(
  text: string,
  { turn, pauseMs, logDir, secrets }: AnswerContext,
): Promise<void> {
  const { signal, onEvent } = turn;
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (signal.aborted) return;
    onEvent(answerDelta(word));
    if (pauseMs === 0) await yieldTurn();
    else await waitUnlessAborted(pauseMs, signal);
  }
  onEvent({ ...assistantMessage(text), isStreamed: true });
  await appendFile(join(logDir, "stdout"), `${maskSecrets(text, secrets)}\n`, { mode: 0o600 });
}

// What a conversation remembers lies in the folder of the log with which it was begun, beside those of later ones. Its id
// names that folder.

interface Memory {
  readonly first: string;
  readonly prompts: number;
}

const makeId = ({ logDir }: ConversationContext): string =>
  `${basename(logDir)}:${randomUUID().slice(0, 8)}`;

const ID = /^([^/\0]+):([\da-f]{8})$/;

function memoryFile({ logDir }: ConversationContext, id: string): string | null {
  const [, folder = "..", name] = ID.exec(id) ?? [];
  return folder === ".." ? null : join(dirname(logDir), folder, `replay-${name}.json`);
}

async function recall(context: ConversationContext, id: string): Promise<Memory | null> {
  const file = memoryFile(context, id);
  const text = file === null ? null : await readFile(file, "utf8").catch(() => null);
  if (text === null) return null;
  const { first, prompts } = asRecord(parseJson(text));
  return { first: asText(first) ?? "", prompts: asCount(prompts) ?? 0 };
}

async function remember(context: ConversationContext, id: string, memory: Memory): Promise<void> {
  await mkdir(context.logDir, { recursive: true });
  const file = memoryFile(context, id);
  if (file === null) return;
  const kept = { ...memory, first: maskSecrets(memory.first, context.secrets) };
  await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
