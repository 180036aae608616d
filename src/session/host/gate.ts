// The gate for the tools of a host's turns: what approving asks of the session, the person and the hooks.
import { homedir } from "node:os";
import { findHookAgent } from "../../agents/roster.ts";
import type { JsonValue } from "../../core/command/context.ts";
import { newId } from "../../core/command/new-id.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { NewQuestion } from "../../core/store/questions.ts";
import { isPrivateSession } from "../../core/store/sessions.ts";
import {
  type HookCall,
  type HookParts,
  type HookReply,
  silentReply,
} from "../../hooks/pipeline/hook-call.ts";
import { makeColdParts } from "../../hooks/resident/cold-parts.ts";
import { readSessionApprovals, readSettingsAt, rememberRule } from "../approvals/rules.ts";
import { createToolGate, type ToolGate } from "../approvals/tool-gate.ts";

/** How long a turn waits for a person. */
const PATIENCE_MS = 10 * 60 * 1_000;

/** Asks on behalf of a turn; null where nobody answered. */
type AskPerson = (question: NewQuestion, signal: AbortSignal) => Promise<JsonValue | null>;

export function openGate(program: Program, ask: AskPerson): ToolGate {
  const { stateDir, configDir } = program;
  return createToolGate({
    paths: { stateDir, configDir },
    home: process.env.HOME || homedir(),
    hooks: hookParts(program),
    // The host itself lives in no project.
    readApprovals: ({ sessionId, root }) =>
      readSessionApprovals(program.sessions(), sessionId, () =>
        readSettingsAt(program, { cwd: root, root }),
      ),
    ask: (question, signal) =>
      ask({ ...question, id: newQuestionId(), deadlineAt: deadlineFor(question) }, signal),
    remember: (sessionId, rule) => {
      const { signal } = new AbortController();
      const remembered = { sessionId, root: null, rule, signal, held: null };
      return rememberRule(program.sessions(), remembered);
    },
    record: (events) => {
      for (const event of events) program.audit.append(event);
    },
  });
}

/** A hook of an agent that is in no turn of ours: refused in the agent's own words. */
export async function refuseHook(call: HookCall): Promise<HookReply> {
  const agent = await findHookAgent(call.agent);
  const problem = "no turn of this session runs";
  if (agent === null) return silentReply("", problem);
  const { replyToFault } = await import("../../hooks/pipeline/own-fault.ts");
  return await replyToFault({ call, agent, payload: null, problem });
}

const hookParts = ({ entry, openCatalog }: Program): HookParts =>
  makeColdParts({ program: entry, openCatalog });

/** Short, since a person types it. */
const newQuestionId = (): string => `q${newId().replaceAll("-", "").slice(0, 6)}`;

/** A workflow waits as long as it takes. */
const deadlineFor = ({ sessionId }: Pick<NewQuestion, "sessionId">): string | null =>
  isPrivateSession(sessionId) ? null : new Date(Date.now() + PATIENCE_MS).toISOString();
