// The one way a step of an agent is answered: read, decide, answer, record. Whatever goes wrong, the agent gets an
// answer it understands; only guards that block on an error, and a hooks file that cannot be read, may stop it then.
import { homedir } from "node:os";
import { isRecord } from "../agents/json-fields.ts";
import { findPaths, type Paths } from "../config/paths.ts";
import { findProjectRoot } from "../config/project-root.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import { newId } from "../new-id.ts";
import { effectiveAgent } from "./agents/effective-agent.ts";
import type { HookAgent } from "./agents/hook-agent.ts";
import { type AnsweredStep, answerStep } from "./answer-step.ts";
import type { NativePayload } from "./envelope.ts";
import type { AnswerHook, HookCall, HookReply } from "./hook-call.ts";
import type { HookParts } from "./hook-parts.ts";
import { ownProblem } from "./own-problem.ts";

/** It never throws and never rejects. */
export function createHookAnswerer(parts: HookParts): AnswerHook {
  return async (call) => {
    try {
      return await answerAgent(parts, call);
    } catch (error) {
      return silentReply("", ownProblem(error));
    }
  };
}

async function answerAgent(parts: HookParts, call: HookCall): Promise<HookReply> {
  const payload = readPayload(call.payload);
  const asking = effectiveAgent(call.agent, payload ?? {}, call.env);
  const agent = await parts.findAgent(asking.name);
  if (agent === null) return silentReply("", `unknown agent \`${call.agent}\``);
  const silence = (problem: string): HookReply =>
    silentReply(agent.silence(payload ?? {}), agent.abilities.readsStderr ? "" : problem);
  if (payload === null) return silence("the payload is not a JSON object");
  try {
    if (asking.isBorrowed && (await isAnsweredElsewhere(parts, call, agent))) return silence("");
    return await answerPayload(parts, call, { agent, payload });
  } catch (error) {
    return silence(ownProblem(error));
  }
}

/** Called by another agent's entry: then its own one, if it has one, is where it is answered. */
async function isAnsweredElsewhere(
  parts: HookParts,
  { env, cwd }: HookCall,
  { name }: HookAgent,
): Promise<boolean> {
  return parts.hasOwnEntry(name, { env, home: env.HOME || homedir(), root: findProjectRoot(cwd) });
}

async function answerPayload(
  parts: HookParts,
  call: HookCall,
  { agent, payload }: { agent: HookAgent; payload: NativePayload },
): Promise<HookReply> {
  const { env, cwd, signal } = call;
  const startedAt = monotonicMs();
  const now = new Date();
  const correlationId = env.ADJ_CORRELATION_ID || newId();
  const place = { env, cwd, correlationId, time: now.toISOString() };
  const envelope = agent.readStep(payload, place);
  const prompted = agent.readPromptToAnswer(payload, place);
  if (envelope === null && prompted === null) return silentReply(agent.silence(payload), "");
  const home = env.HOME || homedir();
  const paths = findPaths(env, home);
  const asked = { agent, envelope, prompted, payload, paths, home, env, signal, now, startedAt };
  return replyOf(parts, asked, await answerStep(parts, asked));
}

interface Recorded {
  readonly agent: HookAgent;
  readonly paths: Paths;
}

function replyOf(parts: HookParts, { agent, paths }: Recorded, answered: AnsweredStep): HookReply {
  const { stdout, envelope, decision, virtual, isDecisive, events, problems } = answered;
  const record = () => parts.record(paths.stateDir, events);
  const failure = isDecisive ? attempt(record) : null;
  const [problem] = failure === null ? problems : [failure, ...problems];
  const isTold = problem !== undefined && !agent.abilities.readsStderr;
  return {
    stdout,
    stderr: isTold ? sayProblem(problem) : "",
    envelope,
    decision,
    virtual,
    isDecisive,
    record: isDecisive ? () => undefined : record,
    background: answered.observed.then((late) => {
      if (late.length > 0) attempt(() => parts.record(paths.stateDir, late));
    }),
  };
}

/** A store that fails costs the record, not the decision. */
function attempt(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return ownProblem(error);
  }
}

function readPayload(text: string): NativePayload | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** One plain line. */
const sayProblem = (problem: string): string => `adj: ${problem.replaceAll(/\s*\n\s*/g, "; ")}\n`;

const silentReply = (stdout: string, problem: string): HookReply => ({
  stdout,
  stderr: problem === "" ? "" : sayProblem(problem),
  envelope: null,
  decision: null,
  virtual: null,
  isDecisive: false,
  record: () => undefined,
  background: Promise.resolve(),
});
