// The prompt of one turn on its way: into the conversation that fits, with what the agent does not know yet, recorded
// as it grows.

import { countOf } from "../../agents/log/figures.ts";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import { type TurnEnding, VIAS } from "../../agents/run/conversation.ts";
import { Fault } from "../../core/command/fault.ts";
import { depthOf, RUN_ID_NAME } from "../../core/process/environment.ts";
import type { ExactValues } from "../../core/secrets/mask.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { AgentConversation } from "../../core/store/turns.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import type { ResolvedTurn } from "./resolve-turn.ts";
import type { TurnInput, TurnPorts } from "./run-turn.ts";
import type { SessionThread } from "./threads.ts";
import { handOver } from "./transcript.ts";
import { TurnRecord } from "./turn-record.ts";

interface PromptSending {
  /** As it was started. */
  readonly turn: Turn;
  readonly input: TurnInput;
  readonly resolved: ResolvedTurn;
  readonly folder: { readonly runId: string; readonly logDir: string };
  readonly ports: TurnPorts;
}

export interface ConcludedPrompt {
  readonly log: RunLog;
  /** Where the session stands with the agent now; null where that did not change. */
  readonly thread: AgentConversation | null;
}

interface SentPrompt {
  readonly ending: TurnEnding;
  /** The agent's own id. */
  readonly conversation: string | null;
}

export async function sendPrompt(asked: PromptSending): Promise<ConcludedPrompt> {
  const { turn, resolved, ports, input } = asked;
  const broken = new AbortController();
  const signal = AbortSignal.any([input.signal, broken.signal]);
  const sending = { ...asked, input: { ...input, signal } };
  const record = openRecord(sending, () => broken.abort());
  const first = await sendOnce(sending, record, false);
  if (first.ending.kind !== "forgotten") return conclude(first, record, sending);
  const { name } = resolved.adapter;
  ports.showNotice(
    turn,
    `${name} no longer knows this conversation; it goes on with what was said so far`,
  );
  return conclude(await sendOnce(sending, record, true), record, sending);
}

function conclude(
  { ending, conversation }: SentPrompt,
  record: TurnRecord,
  { turn, resolved, ports }: PromptSending,
): ConcludedPrompt {
  const log = record.conclude(ending);
  if (log.execution.status === "success" && answerText(log).trim() === "")
    ports.showNotice(turn, `${resolved.adapter.name} ended the turn without a word`);
  if (conversation === null || ending.kind === "forgotten") return { log, thread: null };
  const { options, number } = turn;
  const agent = resolved.adapter.name;
  return { log, thread: { agent, conversation, cwd: options.cwd, number } };
}

function openRecord(
  { turn, input, resolved, folder, ports }: PromptSending,
  onBroken: () => void,
): TurnRecord {
  const { adapter, located, model } = resolved;
  return new TurnRecord({
    adapter,
    agentVersion: located.agentVersion ?? null,
    ...folder,
    workspaceDir: turn.options.cwd,
    prompt: input.text,
    model,
    secrets: secretsIn(turn, ports),
    show: (offset, event) => ports.showProgress(turn, folder.runId, offset, event),
    onBroken,
  });
}

/** Values that nothing on the disk may hold: words that are put into the turn may bring more. */
const secretsIn =
  ({ sessionId }: Turn, { threads }: TurnPorts): ExactValues =>
  () =>
    threads.secretsOf(sessionId);

async function sendOnce(
  sending: PromptSending,
  record: TurnRecord,
  isFresh: boolean,
): Promise<SentPrompt> {
  const { turn, input, resolved, ports } = sending;
  const found = await ports.threads.find(describeThread(sending), { isFresh });
  if (found.kind === "refused") {
    for (const { reason, message } of found.errors) record.noteError(reason, message);
    return { ending: { kind: "ended" }, conversation: null };
  }
  const { conversation, asks, leavesOut } = found.thread;
  const { name } = resolved.adapter;
  if (asks === "nothing" && ports.threads.noteSilence(turn.sessionId, name))
    ports.showNotice(
      turn,
      `${name} cannot ask in this way whether a tool may run: it does only what it may do unasked`,
    );
  for (const setting of leavesOut)
    ports.showNotice(
      turn,
      `left out: \`${setting}\` does not count in a turn of ${name}; \`adj mode\` says what passes unasked`,
    );
  const running = describeRunning(sending, conversation.id);
  const leave = ports.enter(running);
  const note = noteConversation(sending);
  const ending = await conversation
    .send({
      prompt: describePrompt(sending, found.thread),
      model: resolved.model,
      signal: input.signal,
      onEvent: (event) => {
        record.add(event);
        if (event.kind === "init" && event.sessionId !== null) note(event.sessionId);
      },
      decideTool: (request) => ports.decideTool(request, running),
    })
    .finally(leave);
  const id = conversation.id ?? record.conversation;
  if (id !== null && ending.kind !== "forgotten") note(id);
  return { ending, conversation: id };
}

/** Written as soon as it is known: after a host was killed, its turn can be gone on with in the same thread. */
function noteConversation({ turn, resolved, ports }: PromptSending): (id: string) => void {
  const { turns } = ports.store;
  let noted: string | null = null;
  return (conversation) => {
    if (noted === conversation) return;
    noted = conversation;
    const { sessionId, number, options } = turn;
    const row = { conversation, cwd: options.cwd, number };
    try {
      turns.writeConversation(sessionId, resolved.adapter.name, row);
      turns.noteConversation(turn.id, conversation);
      ports.showTurn(turn.id);
    } catch (error) {
      // The end of the turn writes it again, as soon as it can be written.
      if (!(error instanceof Fault)) throw error;
    }
  };
}

function describeRunning(
  { turn, input, resolved, folder, ports }: PromptSending,
  conversation: string | null,
): GateTurn {
  const { id, sessionId, options } = turn;
  return {
    runId: folder.runId,
    turnId: id,
    sessionId,
    agent: resolved.adapter.name,
    conversation,
    root: options.root,
    cwd: options.cwd,
    env: resolved.env,
    secrets: secretsIn(turn, ports),
    correlationId: id,
    signal: input.signal,
  };
}

function describeThread({ turn, resolved, folder, ports }: PromptSending) {
  const { sessionId, options } = turn;
  const stepHook = ports.stepHook(resolved.adapter.name);
  const env = {
    ...resolved.env,
    [RUN_ID_NAME]: ports.hostRunId,
    ADJ_SESSION_ID: sessionId,
    ADJ_DEPTH: String(depthOf(resolved.env) + 1),
    ADJ_TURN_ID: turn.id,
    ...stepHook?.env,
  };
  return {
    sessionId,
    resolved: { ...resolved, env },
    via: VIAS.find((via) => via === options.via) ?? "process",
    cwd: options.cwd,
    ...folder,
    stepHook,
  };
}

/** More turns than that are not looked at: they would not fit. */
const MAX_TOLD_TURNS = 200;

/** The prompt, with the turns that this agent was not part of. */
function describePrompt(sending: PromptSending, { knownTurn }: SessionThread): string {
  const { turn, input, resolved, ports } = sending;
  const missed = turn.number - 1 - knownTurn;
  if (missed <= 0) return input.text;
  const last = Math.min(missed, MAX_TOLD_TURNS) + 1;
  const earlier = ports.store.turns
    .list(turn.sessionId, last)
    .filter(({ number }) => number > knownTurn && number < turn.number);
  const { prompt, included, leftOut } = handOver(input.text, earlier);
  const left = leftOut + (missed - earlier.length);
  const rest = left > 0 ? `, ${left} left out` : "";
  if (included > 0)
    ports.showNotice(
      turn,
      `${resolved.adapter.name} was told of ${countOf(included, "earlier turn")}${rest}`,
    );
  return prompt;
}
