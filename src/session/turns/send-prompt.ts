// The prompt of one turn on its way: into the conversation that fits, with what the agent does not know yet, recorded
// as it grows.
import type { RunLog } from "../../agents/log/run-log.ts";
import { depthOf } from "../../agents/run/command-run.ts";
import { type TurnEnding, VIAS } from "../../agents/run/conversation.ts";
import { RUN_ID_NAME } from "../../core/process/environment.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import type { GateTurn } from "../approvals/call-in-gate.ts";
import type { ResolvedTurn } from "./resolve-turn.ts";
import type { TurnInput, TurnPorts } from "./run-turn.ts";
import type { SessionThread } from "./threads.ts";
import { handOver } from "./transcript.ts";
import { TurnRecord } from "./turn-record.ts";

export interface PromptSending {
  /** As it was started. */
  readonly turn: Turn;
  readonly input: TurnInput;
  readonly resolved: ResolvedTurn;
  readonly folder: { readonly runId: string; readonly logDir: string };
  readonly ports: TurnPorts;
}

export async function sendPrompt(sending: PromptSending): Promise<RunLog> {
  const { turn, resolved, ports } = sending;
  const record = openRecord(sending);
  const first = await sendOnce(sending, record, false);
  if (first.kind !== "forgotten") return record.conclude(first);
  const { name } = resolved.adapter;
  ports.showNotice(
    turn,
    `${name} no longer knows this conversation; it goes on with what was said so far`,
  );
  return record.conclude(await sendOnce(sending, record, true));
}

const secretsOf = ({ env }: TurnInput, { secrets }: ResolvedTurn): string[] => [
  ...secretValues(env),
  ...secrets,
];

function openRecord({ turn, input, resolved, folder, ports }: PromptSending): TurnRecord {
  const { adapter, located, model } = resolved;
  return new TurnRecord({
    adapter,
    agentVersion: located.agentVersion ?? null,
    ...folder,
    workspaceDir: turn.wishes.cwd,
    prompt: input.text,
    model,
    secrets: secretsOf(input, resolved),
    show: (offset, event) => ports.showProgress(turn, folder.runId, offset, event),
  });
}

async function sendOnce(
  sending: PromptSending,
  record: TurnRecord,
  isFresh: boolean,
): Promise<TurnEnding> {
  const { turn, input, resolved, ports } = sending;
  const found = await ports.threads.find(describeThread(sending), { isFresh });
  if (found.kind === "refused") {
    for (const { reason, message } of found.errors) record.noteError(reason, message);
    return { kind: "ended" };
  }
  const { conversation, asks } = found.thread;
  const { name } = resolved.adapter;
  if (asks === "nothing" && ports.threads.noteSilence(turn.sessionId, name))
    ports.showNotice(
      turn,
      `${name} cannot ask in this way whether a tool may run: it does only what it may do unasked`,
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
  return ending;
}

/** Written as soon as it is known: after a host was killed, its turn can be gone on with in the same thread. */
function noteConversation({ turn, resolved, ports }: PromptSending): (id: string) => void {
  const { turns } = ports.store;
  let noted: string | null = null;
  return (conversation) => {
    if (noted === conversation) return;
    noted = conversation;
    const { sessionId, number, wishes } = turn;
    const row = { conversation, cwd: wishes.cwd, number };
    turns.writeConversation(sessionId, resolved.adapter.name, row);
    turns.noteConversation(turn.id, conversation);
    ports.showTurn(turn.id);
  };
}

function describeRunning(
  { turn, input, resolved, folder }: PromptSending,
  conversation: string | null,
): GateTurn {
  const { id, sessionId, wishes } = turn;
  return {
    runId: folder.runId,
    turnId: id,
    sessionId,
    agent: resolved.adapter.name,
    conversation,
    root: wishes.root,
    cwd: wishes.cwd,
    env: resolved.env,
    correlationId: id,
    signal: input.signal,
  };
}

function describeThread({ turn, input, resolved, folder, ports }: PromptSending) {
  const { sessionId, wishes } = turn;
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
    via: VIAS.find((via) => via === wishes.via) ?? "process",
    cwd: wishes.cwd,
    ...folder,
    secrets: secretsOf(input, resolved),
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
  const { prompt, told, leftOut } = handOver(input.text, earlier);
  const left = leftOut + (missed - earlier.length);
  const rest = left > 0 ? `, ${left} left out` : "";
  if (told > 0)
    ports.showNotice(turn, `${resolved.adapter.name} was told of ${told} earlier turns${rest}`);
  return prompt;
}
