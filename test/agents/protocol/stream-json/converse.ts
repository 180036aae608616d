import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { LogEvent } from "../../../../src/agents/log/event.ts";
import { AGENTS } from "../../../../src/agents/roster.ts";
import type {
  Conversation,
  OpenedConversation,
  StepHook,
  ToolAnswer,
  ToolRequest,
  TurnEnding,
  TurnRequest,
} from "../../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../../src/core/process/process-tree.ts";
import { makePlace, makeProgram, type Place } from "../../run/scripted-agent.ts";

const PROGRAM = join(import.meta.dirname, "fixtures", "stream-json-agent.ts");

export interface OpenChanges {
  readonly agent?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly resume?: string;
  readonly stepHook?: StepHook;
  readonly program?: string;
  readonly agentVersion?: string;
}

export interface Opened {
  readonly place: Place;
  readonly runId: string;
  readonly opened: OpenedConversation;
}

export async function tryOpen(changes: OpenChanges = {}): Promise<Opened> {
  const place = makePlace();
  const agent = AGENTS.find(({ name }) => name === (changes.agent ?? "claude-code"));
  const way = await agent?.conversation?.();
  if (way === undefined) throw new Error("no such agent, or it has no conversations");
  const runId = crypto.randomUUID();
  const opened = await way.open({
    workspaceDir: place.workspace,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: place.home,
      ANTHROPIC_API_KEY: "x",
      OPENAI_API_KEY: "x",
    },
    runId,
    logDir: join(place.folder, "log"),
    program: changes.program ?? makeProgram(place, `exec '${process.execPath}' '${PROGRAM}' "$@"`),
    agentVersion: changes.agentVersion ?? null,
    settings: changes.settings ?? {},
    resume: changes.resume ?? null,
    stepHook: changes.stepHook ?? null,
  });
  return { place, runId, opened };
}

export async function open(
  changes: OpenChanges = {},
): Promise<Opened & { readonly conversation: Conversation }> {
  const all = await tryOpen(changes);
  if (all.opened.kind !== "open") throw new Error(JSON.stringify(all.opened.errors));
  const { conversation } = all.opened;
  onTestFinished(() => conversation.close());
  return { ...all, conversation };
}

export interface Turn {
  readonly ending: TurnEnding;
  readonly events: readonly LogEvent[];
  readonly asked: readonly ToolRequest[];
  /** All that it said. */
  readonly text: string;
}

export interface TurnChanges extends Partial<Omit<TurnRequest, "prompt">> {
  readonly answer?: ToolAnswer;
}

export async function say(
  conversation: Conversation,
  prompt: string,
  changes: TurnChanges = {},
): Promise<Turn> {
  const events: LogEvent[] = [];
  const asked: ToolRequest[] = [];
  const { answer = { kind: "deny", reason: "nobody allowed it" }, onEvent, ...rest } = changes;
  const ending = await conversation.send({
    prompt,
    model: null,
    signal: new AbortController().signal,
    decideTool: async (request) => {
      asked.push(request);
      return answer;
    },
    ...rest,
    onEvent: (event) => {
      events.push(event);
      onEvent?.(event);
    },
  });
  const messages = events.filter((event) => event.kind === "message" && event.role === "assistant");
  const text = messages.map((event) => (event.kind === "message" ? event.content : "")).join("\n");
  return { ending, events, asked, text };
}

export const ofKind = <Kind extends LogEvent["kind"]>(
  { events }: Turn,
  kind: Kind,
): readonly Extract<LogEvent, { kind: Kind }>[] =>
  events.filter((event): event is Extract<LogEvent, { kind: Kind }> => event.kind === kind);

export const expectNothingLeft = (runId: string): void =>
  expect(findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members).toEqual([]);
