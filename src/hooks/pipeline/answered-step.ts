// What came of a step: the agent's own words for it, and what is put on record.
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { NewEvent } from "../../core/command/event.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { HandlerReport, StepDecision } from "../../core/step/verdict.ts";
import type { Applied } from "../virtual/apply.ts";
import type { VirtualNote } from "../virtual/virtual-step.ts";
import { type DecidedStep, describeDecidedStep, describeObserved, nameDecision } from "./event.ts";

export interface AnsweredStep {
  readonly stdout: string;
  readonly envelope: Envelope;
  readonly decision: StepDecision;
  readonly virtual: VirtualNote | null;
  /** Vetoes, rewrites and virtual commands are recorded before the reply is given, passes after. */
  readonly isDecisive: boolean;
  readonly events: readonly NewEvent[];
  /** Faults of our own, for stderr. */
  readonly problems: readonly string[];
  /** What handlers that nobody waits for will have done; never rejects. */
  readonly observed: Promise<readonly NewEvent[]>;
}

interface AnsweredCall {
  readonly agent: HookAgent;
  readonly payload: NativePayload;
  /** Null where the event is no step, and only a prompt could have been answered at it. */
  readonly envelope: Envelope | null;
}

interface Reported {
  readonly envelope: Envelope;
  readonly sessionId: string;
  readonly applied: Applied;
  readonly late: readonly Promise<HandlerReport>[];
}

/** Passes and added words are recorded when there is time; all else before the agent hears of it. */
const NOT_DECISIVE: ReadonlySet<string> = new Set(["pass", "context"]);

export function describeAnswer(
  call: AnsweredCall,
  { envelope, sessionId, applied, late }: Reported,
): AnsweredStep {
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
    isDecisive: !NOT_DECISIVE.has(word),
    // An event at which only a prompt could have been answered is no step.
    events: call.envelope === null && virtual === null ? [] : describeDecidedStep(step),
    problems,
    observed: Promise.all(late).then((reports) =>
      reports.map((observed) => describeObserved(step, observed)),
    ),
  };
}

function writeAnswer({ agent, payload }: AnsweredCall, envelope: Envelope, applied: Applied) {
  const { decision, promptAnswer } = applied;
  if (promptAnswer !== null) return { stdout: promptAnswer, notes: [] };
  const isSilent =
    decision.notice === undefined && nameDecision({ decision, virtual: null }) === "pass";
  return isSilent
    ? { stdout: agent.silence(payload), notes: [] }
    : agent.writeAnswer(decision, envelope);
}
