// Conversations with the scripted app server, run as a process.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { codexConversation } from "../../../src/agents/codex/conversation.ts";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type {
  Conversation,
  ConversationContext,
  ToolAnswer,
  ToolRequest,
  TurnRequest,
} from "../../../src/agents/run/conversation.ts";
import { findMembersInProc } from "../../../src/core/process/process-tree.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { ServerStep } from "./fixtures/app-server.ts";

const FIXTURE = join(import.meta.dirname, "fixtures", "app-server.ts");
/** The thread that the server knows. */
export const KNOWN = "01a1e92b-03db-76b0-9f51-e7ea535b585e";

/** A program of one word, as Codex is. */
function makeProgram(): string {
  const program = join(temporaryFolder(), "codex");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${FIXTURE}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

export function openServer(mode = "", more: Partial<ConversationContext> = {}) {
  return codexConversation.open({
    workspaceDir: temporaryFolder(),
    env: { PATH: process.env.PATH ?? "", CODEX_API_KEY: "dummy", FIXTURE_MODE: mode },
    runId: crypto.randomUUID(),
    logDir: join(temporaryFolder(), "log"),
    program: makeProgram(),
    settings: {},
    resume: null,
    stepHook: null,
    ...more,
  });
}

export async function converse(mode = "", more: Partial<ConversationContext> = {}) {
  const opened = await openServer(mode, more);
  if (opened.kind === "refused") throw new Error(JSON.stringify(opened.errors));
  onTestFinished(() => opened.conversation.close());
  return opened.conversation;
}

interface SayOptions extends Partial<Omit<TurnRequest, "decideTool">> {
  readonly decide?: (request: ToolRequest) => ToolAnswer | Promise<ToolAnswer>;
}

/** Sends steps as a prompt; what was said, and what was asked on the way. */
export async function act(
  conversation: Conversation,
  steps: readonly ServerStep[],
  options: SayOptions = {},
) {
  const events: LogEvent[] = [];
  const asked: Pick<ToolRequest, "callId" | "tool" | "args">[] = [];
  const ending = await conversation.send({
    prompt: JSON.stringify(steps),
    model: options.model ?? null,
    signal: options.signal ?? new AbortController().signal,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
    decideTool: async ({ callId, tool, args, signal }) => {
      asked.push({ callId, tool, args });
      const request = { callId, tool, args, signal };
      return options.decide?.(request) ?? { kind: "allow", args: null };
    },
  });
  const said = events.flatMap((event) => (event.kind === "message" ? [event.content] : []));
  return { ending, events, asked, said };
}

export const processesOf = (runId: string): number =>
  findMembersInProc({ pid: 0, runId, ownsGroup: false, since: 0 }).members.length;
