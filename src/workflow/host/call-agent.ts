// One call of a workflow as a turn: in a session of its own, or in the one it shares; with a worktree, a schema, a time
// limit. Every ending is a value.
import { requireFirstAgent } from "../../agents/choice/first-agent.ts";
import { type CheckedAnswer, checkAnswer, readAnswerSchema } from "../../agents/log/json-answer.ts";
import { answerText, type RunLog } from "../../agents/log/run-log.ts";
import { dropNulls } from "../../agents/log/strict-schema.ts";
import { requireAdapter } from "../../agents/roster.ts";
import type { ApprovalMode } from "../../core/command/context.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import type { HostServices } from "../../core/commands/host-extension.ts";
import { isPrivateSession } from "../../core/store/sessions.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { Turn } from "../../core/store/turn-row.ts";
import { escapeGlob } from "../../session/approvals/remembered-rule.ts";
import { findContradiction } from "../definition/schema-check.ts";
import type { JsonSchema } from "../definition/workflow.ts";
import { addUsage, NO_USAGE } from "../engine/budget.ts";
import type { AgentCall, AgentCallEnding } from "../engine/effect.ts";
import type { CallUsage } from "../journal/journal.ts";
import { openWorktree, removeUnchanged } from "../worktree/call-worktree.ts";
import {
  type CallWords,
  chooseWords,
  continuePrompt,
  readAgentType,
  retryPrompt,
} from "./call-words.ts";
import { failureOf, readTurnLog, usageOf, watchTurn } from "./watch-call.ts";

export interface CallPorts {
  readonly services: HostServices;
  /** A line for whoever follows the run. */
  readonly notice: (text: string) => void;
}

/** As the dialect has it: so often an agent is asked for an answer that fits. */
const MAX_ATTEMPTS = 5;

export async function callAgent(ports: CallPorts, call: AgentCall): Promise<AgentCallEnding> {
  const check = readCheck(call.effect.schema);
  if (check.kind === "invalid") return fail("SchemaInvalid", check.problem);
  try {
    const callFolder = await openCallFolder(ports, call);
    const ending = await callInSession(ports, { ...call, cwd: callFolder.cwd }, check.check);
    await callFolder.close(ending);
    return ending;
  } catch (error) {
    if (call.signal.aborted) return { kind: "cancelled", usage: NO_USAGE };
    if (!(error instanceof Fault)) throw error;
    return fail(error.reportedCode, formatFault(error));
  }
}

const fail = (code: string, message: string, usage: CallUsage = NO_USAGE): AgentCallEnding => ({
  kind: "failed",
  code,
  message,
  usage,
});

/** Where none was named and none was here when the run began, the fault says what to install. */
const findAdapter = ({ agent, env, cwd }: AgentCall) =>
  agent === "" ? requireFirstAgent({ env, cwd, settings: {} }) : requireAdapter(agent);

type Check = (log: RunLog) => CheckedAnswer;

function readCheck(
  schema: JsonSchema | null,
):
  | { readonly kind: "check"; readonly check: Check | null }
  | { readonly kind: "invalid"; readonly problem: string } {
  if (schema === null) return { kind: "check", check: null };
  const contradiction = findContradiction(schema);
  if (contradiction !== null) return { kind: "invalid", problem: contradiction };
  const reading = readAnswerSchema(schema);
  if (reading.kind === "invalid") return { kind: "invalid", problem: reading.problem };
  const check: Check = (log) => checkAnswer(log, reading.check, (said) => dropNulls(said, schema));
  return { kind: "check", check };
}

// Where it works: the run's folder, or a worktree of its own.

interface CallFolder {
  readonly cwd: string;
  close(ending: AgentCallEnding): Promise<void>;
}

async function openCallFolder({ notice }: CallPorts, call: AgentCall): Promise<CallFolder> {
  const { effect, cwd, env, signal, workflowRunId, number } = call;
  if (effect.isolation === null) return { cwd, close: async () => undefined };
  const request = { cwd, env, signal, workflowRunId, number, kept: call.worktree };
  const opened = await openWorktree(request).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    throw new Fault("InputInvalid", error.facts, error.message, {
      reportedCode: "IsolationRefused",
      ...(error.hint === null ? {} : { hint: error.hint }),
    });
  });
  if (opened.notice !== null) notice(`call ${number}: ${opened.notice}`);
  if (call.worktree === null) call.onWorktree(opened.worktree);
  return {
    cwd: opened.cwd,
    // One that will be taken up again is kept as it is.
    close: async ({ kind }) => {
      if (kind === "cancelled" || kind === "quota") return;
      const { signal: never } = new AbortController();
      if (await removeUnchanged(opened.worktree, { cwd, env, signal: never }))
        call.onWorktree(null);
    },
  };
}

// The session, from its approvals to its last turn.

async function callInSession(
  ports: CallPorts,
  call: AgentCall,
  check: Check | null,
): Promise<AgentCallEnding> {
  const { services } = ports;
  const { effect, sessionId } = call;
  const type = effect.agentType === null ? null : readAgentType(effect.agentType, call);
  if (type?.kind === "unknown") return fail("AgentTypeUnknown", type.problem);
  const adapter = await findAdapter(call);
  const words = chooseWords(adapter, effect, type?.words ?? "");
  if (!isPrivateSession(sessionId)) return askUntilItFits(ports, call, { words, check });
  const { stages } = services.program.sessions();
  stages.write(sessionId, describeCallRow(call, call.cwd));
  try {
    return await askUntilItFits(ports, call, { words, check });
  } finally {
    stages.write(sessionId, null);
    if (effect.conversation === "fresh") await services.closeThread(sessionId);
  }
}

interface Asking {
  readonly words: CallWords;
  readonly check: Check | null;
}

async function askUntilItFits(
  ports: CallPorts,
  call: AgentCall,
  { words, check }: Asking,
): Promise<AgentCallEnding> {
  const { schema } = call.effect;
  let prompt = firstPrompt(ports, call, words.prompt);
  let usage = NO_USAGE;
  for (let attempts = 1; ; attempts++) {
    const { turn, log, isTimedOut } = await runOneTurn(ports, call, { ...words, prompt });
    usage = attempts === 1 ? usageOf(log) : addUsage(usage, usageOf(log));
    if (isTimedOut)
      return fail("Timeout", `it took longer than ${call.effect.timeoutMs} ms`, usage);
    if (turn.status !== "done" || log === null) return failureOf(turn, log, usage);
    const text = answerText(log);
    if (check === null || schema === null)
      return { kind: "done", text, data: null, attempts, usage };
    const checked = check(log);
    if (checked.kind === "fits") return { kind: "done", text, data: checked.data, attempts, usage };
    const problem = `the answer does not fit the schema: ${checked.problem}`;
    if (attempts === MAX_ATTEMPTS) return fail("SchemaUnmet", problem, usage);
    prompt = retryPrompt(checked.problem, schema);
  }
}

/** One that was under way goes on in its thread, where the agent had begun one. */
function firstPrompt({ services }: CallPorts, call: AgentCall, prompt: string): string {
  if (!call.isTakenUp) return prompt;
  const { turns } = services.program.sessions();
  const begun = turns.readConversation(call.sessionId, call.agent);
  return begun === null ? prompt : continuePrompt(prompt);
}

interface EndedTurn {
  readonly turn: Turn;
  readonly log: RunLog | null;
  readonly isTimedOut: boolean;
}

async function runOneTurn(
  { services }: CallPorts,
  call: AgentCall,
  { prompt, params }: CallWords,
): Promise<EndedTurn> {
  const { sessionId, cwd, root, env, agent, model } = call;
  const options = { cwd, root, agent, model, params, via: null };
  const watch = watchTurn(services.program.sessions().questions, call);
  try {
    const order = { sessionId, text: prompt, options, env };
    const turn = await services.runTurn(order, watch.signal, watch.onTurn);
    const log = readTurnLog(services.program.stateDir, turn);
    return { turn, log, isTimedOut: watch.isTimedOut && !call.signal.aborted };
  } finally {
    watch.close();
  }
}

// What a call may do unasked: what its stage says; else reading, and edits inside its own workspace. It is a row of the
// call's session while the call runs, so that whoever decides about a tool finds it.

type Approvals = Pick<StageRow, "mode" | "posture">;

/** Pure; `cwd` is where the call works, which may be a worktree of its own. */
function decideCallApprovals(
  { effect: { stage }, mode }: Pick<AgentCall, "effect" | "mode">,
  cwd: string,
): Approvals {
  const chosen: ApprovalMode | null = stage?.mode ?? mode;
  const posture = stage?.posture ?? [];
  // Whoever says what may be done, or which mode counts, has said it all.
  if (chosen !== null || posture.length > 0) return { mode: chosen ?? "ask", posture };
  const rule = { kind: ["edit", "write"], path: `${escapeGlob(cwd)}/**` };
  return { mode: "ask", posture: [{ action: "allow", rule }] };
}

function describeCallRow(
  call: Pick<AgentCall, "effect" | "mode" | "workflowRunId" | "number">,
  cwd: string,
): StageRow {
  const { stage, label } = call.effect;
  return {
    runId: call.workflowRunId,
    workflow: call.workflowRunId,
    stage: stage?.stage ?? label ?? `call ${call.number}`,
    isActing: true,
    ...decideCallApprovals(call, cwd),
    commands: stage?.commands ?? [],
    hide: stage?.hide ?? [],
    requires: [],
  };
}
