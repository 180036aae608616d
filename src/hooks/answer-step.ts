// A step that was read: handlers first, then virtual commands, then the agent's own words.
import type { Paths } from "../config/paths.ts";
import type { NewEvent } from "../dispatch/event.ts";
import { monotonicMs } from "../monotonic-ms.ts";
import type { HookAgent } from "./agents/hook-agent.ts";
import { deadlineOf, decideStep } from "./decide-step.ts";
import { type Decision, type HandlerReport, NO_DECISION } from "./decision.ts";
import type { Envelope, NativePayload } from "./envelope.ts";
import type { VirtualNote } from "./hook-call.ts";
import type { HookParts } from "./hook-parts.ts";
import { markAnswered, takeAnswered } from "./session-marks.ts";
import { findSessionRoot } from "./session-root.ts";
import { type DecidedStep, describeObserved, describeStep, nameDecision } from "./step-event.ts";
import { type Applied, applyVirtual } from "./virtual/apply-virtual.ts";

export interface StepCall {
  readonly agent: HookAgent;
  /** Null for an event that is no step, but at which a prompt can be answered. */
  readonly envelope: Envelope | null;
  readonly prompted: Envelope | null;
  readonly payload: NativePayload;
  readonly paths: Paths;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly now: Date;
  readonly startedAt: number;
}

export interface AnsweredStep {
  readonly stdout: string;
  readonly envelope: Envelope;
  readonly decision: Decision;
  readonly virtual: VirtualNote | null;
  readonly isDecisive: boolean;
  readonly events: readonly NewEvent[];
  /** Faults of our own, for stderr. */
  readonly problems: readonly string[];
  /** What handlers that nobody waits for will have done; never rejects. */
  readonly observed: Promise<readonly NewEvent[]>;
}

export async function answerStep(parts: HookParts, call: StepCall): Promise<AnsweredStep> {
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
  const decision = await decide(parts, call, {
    session,
    root,
    onAsync: (report) => late.push(report),
  });
  const sessionId = env.ADJ_SESSION_ID || envelope.session_id;
  const applied = await applyVirtual(parts, call.prompted, {
    agent,
    envelope: { ...envelope, ...(decision.args === null ? {} : { args: decision.args }) },
    decision,
    place: { paths, root, cwd: envelope.cwd, env },
    sessionId,
    now: call.now,
    limitMs: deadlineOf(call, envelope) - monotonicMs(),
    signal: call.signal,
  });
  if (applied.promptAnswer !== null && endsAnswered(agent)) markAnswered(session);
  return report(call, { envelope, sessionId, applied, late });
}

/** There the end of a turn follows an answer of ours as it follows the model's; nobody need guard it. */
const endsAnswered = ({ abilities }: HookAgent): boolean =>
  abilities.promptAnswer === "synthetic-response";

async function decide(
  parts: HookParts,
  call: StepCall,
  place: Pick<Parameters<typeof decideStep>[0], "session" | "root" | "onAsync">,
): Promise<Decision> {
  const { agent, envelope, paths } = call;
  if (envelope === null) return NO_DECISION;
  const isTurn = envelope.step === "before_prompt" || envelope.step === "before_turn_end";
  const wasAnswered = isTurn && endsAnswered(agent) && takeAnswered(place.session);
  if (wasAnswered && envelope.step === "before_turn_end") return NO_DECISION;
  const set = await parts.loadRules({ paths, root: place.root });
  return decideStep({ ...call, ...place, envelope, runRule: parts.runRule }, set);
}

interface Reported {
  readonly envelope: Envelope;
  readonly sessionId: string;
  readonly applied: Applied;
  readonly late: readonly Promise<HandlerReport>[];
}

/** Passes and added words are recorded when there is time; all else before the agent hears of it. */
const UNHURRIED: ReadonlySet<string> = new Set(["pass", "context"]);

function report(call: StepCall, { envelope, sessionId, applied, late }: Reported): AnsweredStep {
  const { decision, note: virtual, problems } = applied;
  const word = nameDecision({ decision, virtual });
  const answer = writeAnswer(call, envelope, applied);
  const notes = [...answer.notes, ...problems];
  const step: DecidedStep = { envelope, sessionId, decision, virtual, notes };
  return {
    stdout: answer.stdout,
    envelope,
    decision,
    virtual,
    isDecisive: !UNHURRIED.has(word),
    // An event at which only a prompt could have been answered is no step.
    events: call.envelope === null && virtual === null ? [] : describeStep(step),
    problems,
    observed: Promise.all(late).then((reports) =>
      reports.map((observed) => describeObserved(step, observed)),
    ),
  };
}

function writeAnswer({ agent, payload }: StepCall, envelope: Envelope, applied: Applied) {
  const { decision, promptAnswer } = applied;
  if (promptAnswer !== null) return { stdout: promptAnswer, notes: [] };
  const isSilent = nameDecision({ decision, virtual: null }) === "pass";
  return isSilent
    ? { stdout: agent.silence(payload), notes: [] }
    : agent.writeAnswer(decision, envelope);
}
