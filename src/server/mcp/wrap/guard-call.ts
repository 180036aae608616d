// A call of somebody else's tool between the hooks: what they veto does not reach the server, what they rewrite is what it
// gets, what wants a person's word waits in the inbox, and both steps are on record.
import { homedir } from "node:os";
import { findTool, readCalls, tableOfAnyTool } from "../../../agents/steps/tool-table.ts";
import type { JsonValue } from "../../../core/command/context.ts";
import { newId } from "../../../core/command/new-id.ts";
import type { Program } from "../../../core/commands/bundled.ts";
import { secretValues } from "../../../core/secrets/mask.ts";
import type { Envelope, ToolArguments } from "../../../core/step/envelope.ts";
import type { StepDecision } from "../../../core/step/verdict.ts";
import { waitForAnswer } from "../../../core/store/wait-for-answer.ts";
import { runHookHandler } from "../../../hooks/handlers/run.ts";
import {
  makeApprovalQuestion,
  readApprovalAnswer,
} from "../../../hooks/inbox/approval-question.ts";
import { makeSubject } from "../../../hooks/match/step-subject.ts";
import { describeDecidedStep } from "../../../hooks/pipeline/event.ts";
import { loadHookSet } from "../../../hooks/pipeline/set.ts";
import { askHandlers, type HandlerPorts } from "../../../session/approvals/ask-handlers.ts";

export interface GuardedCall {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly sessionId: string;
  /** The client that calls. */
  readonly client: string;
  /** As agents name such a tool: `mcp__server__tool`. */
  readonly tool: string;
  readonly args: ToolArguments;
  readonly signal: AbortSignal;
}

type GuardedStart =
  | { readonly kind: "run"; readonly args: ToolArguments }
  | { readonly kind: "refused"; readonly reason: string };

/** Below the 60 s after which some clients give up. */
const HELD_MS = 45_000;
const LIMIT_MS = 60_000;

export async function beforeCall(call: GuardedCall): Promise<GuardedStart> {
  const envelope = envelopeOf(call);
  const decision = await decide(call, envelope);
  record(call, envelope, decision);
  if (decision.control === "veto" || decision.permission === "deny")
    return { kind: "refused", reason: decision.reason ?? "a hook refused it" };
  if (decision.result !== null) return { kind: "refused", reason: decision.result.output };
  const args = decision.args ?? call.args;
  if (decision.permission !== "ask") return { kind: "run", args };
  const refusal = await askInbox(call, { ...envelope, args }, decision.reason);
  return refusal === null ? { kind: "run", args } : { kind: "refused", reason: refusal };
}

/** What handlers say of the result; a veto after the call is a word about it. */
export async function afterCall(
  call: GuardedCall,
  { output, isError }: { readonly output: string; readonly isError: boolean },
): Promise<readonly string[]> {
  const envelope: Envelope = { ...envelopeOf(call), step: "after_tool", output, is_error: isError };
  const decision = await decide(call, envelope);
  record(call, envelope, decision);
  const veto = decision.control === "veto" && decision.reason !== null ? [decision.reason] : [];
  return [...veto, ...decision.additionalContext];
}

function envelopeOf({ tool, args, client, cwd, sessionId }: GuardedCall): Envelope {
  return {
    protocol: 1,
    step: "before_tool",
    agent: client,
    session_id: sessionId,
    cwd,
    correlation_id: newId(),
    time: new Date().toISOString(),
    native: { tool_name: tool, tool_input: args },
    tool,
    kind: findTool(tableOfAnyTool(tool), tool).kind,
    args,
  };
}

function readerOf(tool: string) {
  return { ...readCalls(tableOfAnyTool(tool)), abilities: { hookLimitMs: LIMIT_MS } };
}

function portsOf({ program, env }: GuardedCall): HandlerPorts {
  const { stateDir, configDir, audit } = program;
  return {
    paths: { stateDir, configDir },
    home: env.HOME || homedir(),
    hooks: { loadRules: loadHookSet, runRule: runHookHandler },
    record: (events) => {
      for (const event of events) audit.append(event);
    },
  };
}

function decide(call: GuardedCall, envelope: Envelope): Promise<StepDecision> {
  const { program, env, sessionId, signal, tool } = call;
  const { root } = program;
  const step = { envelope, reader: readerOf(tool), root, env, sessionId, signal };
  return askHandlers(portsOf(call), step);
}

function record(call: GuardedCall, envelope: Envelope, decision: StepDecision): void {
  const { sessionId } = call;
  portsOf(call).record(
    describeDecidedStep({ envelope, sessionId, decision, virtual: null, notes: [] }),
  );
}

/** Why it is refused; null where the person said yes. */
async function askInbox(
  { program, env, sessionId, signal, tool }: GuardedCall,
  envelope: Envelope,
  why: string | null,
): Promise<string | null> {
  const { questions } = program.sessions();
  const place = { agent: readerOf(tool), root: program.root, home: env.HOME || homedir() };
  const subject = makeSubject(place, envelope);
  const reason = why ?? "a hook wants a person's word";
  const question = makeApprovalQuestion({
    ...{ sessionId, turnId: null, subject, why: reason, rule: null },
    secrets: secretValues(env),
  });
  const id = `q${newId().replaceAll("-", "").slice(-6)}`;
  const deadlineAt = new Date(Date.now() + HELD_MS).toISOString();
  questions.ask({ ...question, id, deadlineAt });
  const given: JsonValue | null = await waitForAnswer(questions, id, signal);
  if (given === null) return `nobody answered; \`adj answer ${id}\` would have allowed it`;
  const { decision, words } = readApprovalAnswer(given);
  if (decision !== "no") return null;
  return words === null ? "the person said no" : `the person said no: ${words}`;
}
