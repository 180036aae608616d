// A gate with real parts: hooks of a file, a project folder, the stores, and a person who answers what a test says.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ToolAnswer } from "../../../src/agents/run/conversation.ts";
import type { ApprovalMode, JsonValue } from "../../../src/core/command/context.ts";
import type { ExactValues } from "../../../src/core/secrets/mask.ts";
import { openAudit } from "../../../src/core/store/audit.ts";
import { openState } from "../../../src/core/store/state.ts";
import { waitForAnswer } from "../../../src/core/store/wait-for-answer.ts";
import type { ApprovalQuestion } from "../../../src/hooks/inbox/approval-question.ts";
import { makeColdParts } from "../../../src/hooks/resident/cold-parts.ts";
import { ownProgram } from "../../../src/own-program.ts";
import type { GateTurn } from "../../../src/session/approvals/call-in-gate.ts";
import { createToolGate } from "../../../src/session/approvals/tool-gate.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

export interface LabOptions {
  readonly hooks?: string;
  readonly mode?: ApprovalMode;
  readonly allow?: readonly JsonValue[];
  readonly agent?: string;
  /** What the person answers; without it the question is a row that somebody else may answer. */
  readonly answer?: JsonValue | ((question: ApprovalQuestion) => JsonValue | null);
  readonly secrets?: ExactValues;
}

export function openGateLab(options: LabOptions = {}) {
  const { hooks, mode = "ask", allow = [], agent, answer, secrets = [] } = options;
  const home = temporaryFolder();
  const [root, stateDir, configDir] = ["project", "state", "config"].map((name) => {
    mkdirSync(join(home, name));
    return join(home, name);
  }) as [string, string, string];
  if (hooks !== undefined) writeFiles(configDir, { "hooks.yaml": hooks });
  const [state, audit] = [openState(stateDir), openAudit(stateDir)];
  onTestFinished(() => {
    state.close();
    audit.close();
  });
  const rules: JsonValue[] = [...allow];
  const asked: ApprovalQuestion[] = [];
  const gate = createToolGate({
    paths: { stateDir, configDir },
    home,
    hooks: makeColdParts(ownProgram),
    readApprovals: () => ({ mode, allow: rules }),
    remember: (_, rule) => void rules.push(rule),
    record: (events) => {
      for (const event of events) audit.append(event);
    },
    ask: async (question, signal) => {
      asked.push(question);
      if (typeof answer === "function") return answer(question);
      if (answer !== undefined) return answer;
      const id = crypto.randomUUID();
      state.questions.ask({ ...question, id, deadlineAt: null });
      return waitForAnswer(state.questions, id, signal);
    },
  });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const turn: GateTurn = {
    runId: "run-1",
    turnId: "turn-1",
    sessionId: "session-1",
    agent: agent ?? "claude-code",
    conversation: "conversation-1",
    root,
    cwd: root,
    env: {},
    secrets,
    correlationId: "c-1",
    signal: end.signal,
  };
  let next = 0;
  const never = new AbortController().signal;
  return {
    ...{ home, root, stateDir, configDir, gate, turn, state, audit, asked, rules, end },
    decide: (
      tool: string,
      args: Record<string, unknown>,
      { callId = `call-${++next}` as string | null, signal = never } = {},
    ): Promise<ToolAnswer> => gate.decide({ callId, tool, args, signal }, turn),
    hook: async (payload: Record<string, unknown>, event?: string, signal = never) => {
      const text = JSON.stringify({ session_id: "conversation-1", cwd: root, ...payload });
      const call = { agent: turn.agent, payload: text, env: {}, cwd: root, signal };
      const reply = await gate.answerHook({ ...call, ...(event ? { event } : {}) }, turn);
      reply.record();
      await reply.background;
      return { reply, said: JSON.parse(reply.stdout || "{}").hookSpecificOutput ?? {} };
    },
    /** Type and the word of each event. */
    recorded: () =>
      [...audit.read({})].map(({ type, data }) =>
        [type, data.step ?? "", data.decision ?? data.answer ?? ""].filter(Boolean).join(" "),
      ),
  };
}

/** The hook of Claude Code before a tool. */
export const beforeTool = (
  tool_name: string,
  tool_input: Record<string, unknown>,
  tool_use_id?: string,
) => ({
  hook_event_name: "PreToolUse",
  tool_name,
  tool_input,
  ...(tool_use_id === undefined ? {} : { tool_use_id }),
});
