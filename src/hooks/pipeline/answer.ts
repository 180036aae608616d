// The one way a step of an agent is answered: read, decide, answer, record. Whatever goes wrong, the agent gets an
// answer it understands; only guards that block on an error, a hooks file that cannot be read, and a fault of our own
// where guards were in force, may stop it then.
import { homedir } from "node:os";
import { effectiveAgent, findAgent } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import { ownProblem } from "../../core/command/fault.ts";
import { newId } from "../../core/command/new-id.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { findDataDir, findPaths, findProjectRoot, type Paths } from "../../core/project/paths.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import { decidesTool } from "../../core/step/step.ts";
import {
  type HandlerReport,
  NO_DECISION,
  type StepDecision,
  wantsPerson,
} from "../../core/step/verdict.ts";
import { applyVirtual } from "../virtual/apply.ts";
import { type AnsweredStep, describeAnswer } from "./answered-step.ts";
import { beginHold, deadlineOf, decideStep, type HeldCall } from "./decide-step.ts";
import {
  type AnswerHook,
  type ApprovedStep,
  findLack,
  type HookCall,
  type HookParts,
  type HookReply,
  parsePayload,
  sayProblem,
  silentReply,
} from "./hook-call.ts";
import { refreshMarker } from "./refresh-marker.ts";
import { findSessionRoot, markAnswered, takeAnswered } from "./session.ts";
import { requireFolders } from "./set.ts";

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
  const payload = parsePayload(call.payload);
  const asking = effectiveAgent(call.agent, payload ?? {}, call.env);
  const agent = await parts.findAgent(asking.name);
  if (agent === null) return silentReply("", `unknown agent \`${call.agent}\``);
  const fail = async (problem: string, read = payload): Promise<HookReply> => {
    const fault = { call, agent, payload: read, problem };
    const { refuseInTurn, replyToFault } = await import("./own-fault.ts");
    if (parts.approve === undefined) return await replyToFault(fault);
    return silentReply(await refuseInTurn(fault), "");
  };
  if (call.payload === null) return fail("the payload of this step is over 64 MiB");
  if (payload === null) return fail("the payload is not a JSON object");
  try {
    if (asking.isBorrowed && (await isAnsweredElsewhere(parts, call, agent)))
      return silentReply(agent.silence(payload), "");
    // What another agent's entry says of the time is not this one's.
    const entryLimitMs = asking.isBorrowed ? undefined : call.entryLimitMs;
    return await answerPayload(parts, { ...call, entryLimitMs }, { agent, payload, fail });
  } catch (error) {
    return await fail(ownProblem(error));
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

interface ReadPayload {
  readonly agent: HookAgent;
  readonly payload: NativePayload;
  readonly fail: (problem: string, read?: NativePayload | null) => Promise<HookReply>;
}

async function answerPayload(
  parts: HookParts,
  call: HookCall,
  { agent, payload, fail }: ReadPayload,
): Promise<HookReply> {
  const { env, cwd, signal } = call;
  const startedAt = monotonicMs();
  const now = new Date();
  const correlationId = env.ADJ_CORRELATION_ID || newId();
  const context = { env, cwd, correlationId, time: now.toISOString() };
  const envelope = agent.readStep(payload, context);
  const lack = findLack(call, agent, envelope);
  if (lack !== null) return fail(lack, envelope === null ? null : payload);
  // Commands are run for callers that come with a person's own environment.
  const prompted = call.isHttp ? null : agent.readPromptToAnswer(payload, context);
  if (envelope === null && prompted === null) return silentReply(agent.silence(payload), "");
  const home = env.HOME || homedir();
  const paths = findPaths(env, home);
  requireFolders(paths);
  if (envelope !== null) call.onLimit?.(deadlineOf({ agent, startedAt: 0 }, envelope));
  const asked = {
    ...{ agent, envelope, prompted, payload, paths, home, env, signal, now, startedAt },
    isHandlersOnly: call.isHttp === true,
    ...{ event: call.event, entryLimitMs: call.entryLimitMs, onHeld: call.onHeld },
  };
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
  const isTold = problem !== undefined && !findAgent(agent.name)?.readsStderr;
  return {
    stdout,
    stderr: isTold ? sayProblem(problem) : "",
    envelope,
    decision,
    virtual,
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

// A step that was read: handlers first, then virtual commands, then the agent's own words.

interface StepCall {
  readonly agent: HookAgent;
  /** It is null where the event is no step, but a prompt can be answered at it. */
  readonly envelope: Envelope | null;
  readonly prompted: Envelope | null;
  readonly payload: NativePayload;
  readonly paths: Paths;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly now: Date;
  readonly startedAt: number;
  readonly isHandlersOnly: boolean;
  readonly event: string | undefined;
  readonly entryLimitMs: HookCall["entryLimitMs"];
  readonly onHeld: HookCall["onHeld"];
}

async function answerStep(parts: HookParts, call: StepCall): Promise<AnsweredStep> {
  const envelope = call.envelope ?? call.prompted;
  if (envelope === null) throw new TypeError("neither a step nor a prompt");
  const { agent, paths, env } = call;
  const session = {
    stateDir: paths.stateDir,
    agent: agent.name,
    sessionId: envelope.session_id,
  };
  const { projectVariables } = agent.abilities;
  const root = findSessionRoot({ ...session, env, projectVariables, cwd: envelope.cwd });
  const late: Promise<HandlerReport>[] = [];
  let heldUntilMs = Number.POSITIVE_INFINITY;
  const { decision, isRepeat } = await decide(parts, call, {
    ...{ session, root, onAsync: (report) => late.push(report) },
    onHeld: (untilMs) => {
      heldUntilMs = untilMs;
      call.onHeld?.(Math.round(untilMs - call.startedAt));
    },
  });
  // A person may have thought about it for minutes.
  const isAsked = parts.approve !== undefined || Number.isFinite(heldUntilMs);
  const startedAt = isAsked ? monotonicMs() : call.startedAt;
  const deadlineMs = Math.min(deadlineOf({ agent, startedAt }, envelope), heldUntilMs);
  const sessionId = env.ADJ_SESSION_ID || envelope.session_id;
  const applied = await applyVirtual(parts, call.prompted, {
    agent,
    envelope: { ...envelope, ...(decision.args === null ? {} : { args: decision.args }) },
    decision,
    context: { paths, root, cwd: envelope.cwd, env },
    sessionId,
    now: call.now,
    limitMs: deadlineMs - monotonicMs(),
    signal: call.signal,
    isHandlersOnly: call.isHandlersOnly,
  });
  if (applied.promptAnswer !== null && endsAnswered(agent)) markAnswered(session);
  const answered = describeAnswer(call, { envelope, sessionId, applied, late });
  return isRepeat ? { ...answered, events: [] } : answered;
}

/** There the end of a turn follows an answer of ours as it follows the model's; nobody need guard it. */
const endsAnswered = ({ abilities }: HookAgent): boolean =>
  abilities.promptAnswer === "synthetic-response";

type DecideContext = Pick<Parameters<typeof decideStep>[0], "session" | "root" | "onAsync"> &
  Pick<HeldCall, "onHeld">;

async function decide(
  parts: HookParts,
  call: StepCall,
  context: DecideContext,
): Promise<ApprovedStep> {
  const { agent, envelope } = call;
  if (envelope === null) return UNDECIDED;
  const isTurn = envelope.step === "before_prompt" || envelope.step === "before_turn_end";
  const wasAnswered = isTurn && endsAnswered(agent) && takeAnswered(context.session);
  if (wasAnswered && envelope.step === "before_turn_end") return UNDECIDED;
  const decideOnce = () => askHandlers(parts, call, { ...context, envelope });
  if (parts.approve === undefined || !decidesTool(envelope.step))
    return { decision: await decideOnce(), isRepeat: false };
  return parts.approve({ call, agent, envelope, decide: decideOnce });
}

const UNDECIDED: ApprovedStep = { decision: NO_DECISION, isRepeat: false };

async function askHandlers(
  parts: HookParts,
  call: StepCall,
  asked: DecideContext & { readonly envelope: Envelope },
): Promise<StepDecision> {
  const { root, envelope } = asked;
  const dataDir = findDataDir(call.env, call.home);
  const set = await parts.loadRules({ paths: call.paths, root, dataDir });
  await refreshMarker(dataDir, set, { configDir: call.paths.configDir, root });
  const decision = await decideStep({ ...call, ...asked, runRule: parts.runRule }, set);
  if (set.holdMs !== undefined && parts.approve === undefined && wantsPerson(decision)) {
    const { holdAsk } = await import("../inbox/hold-ask.ts");
    const limits = { holdMs: set.holdMs, deadlineMs: beginHold({ ...call, ...asked }) };
    return holdAsk({ ...call, ...asked, ...limits, decision, record: parts.record });
  }
  const isTold = envelope.step === "session_start" && set.notice !== undefined;
  return isTold ? { ...decision, notice: set.notice } : decision;
}
