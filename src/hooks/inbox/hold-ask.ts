// An `ask` of a hook, for an agent that a person started themselves: with `inbox.hold` it waits in the inbox, where any
// window of the person can answer, instead of being handed to the agent. It is loaded only where something is held.

import { randomUUID } from "node:crypto";
import type { JsonValue } from "../../core/command/context.ts";
import type { NewEvent } from "../../core/command/event.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import { monotonicMs } from "../../core/command/time.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import type { Paths } from "../../core/project/paths.ts";
import type { Envelope, StepSubject } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { openState } from "../../core/store/state.ts";
import type { StateStore } from "../../core/store/stores.ts";
import { waitForAnswer } from "../../core/store/wait-for-answer.ts";
import { makeSubject } from "../match/step-subject.ts";
import { makeApprovalQuestion, readApprovalAnswer } from "./approval-question.ts";

interface HeldAsk {
  readonly decision: StepDecision;
  readonly envelope: Envelope;
  readonly agent: Parameters<typeof makeSubject>[0]["agent"];
  readonly root: string;
  readonly home: string;
  readonly paths: Pick<Paths, "stateDir">;
  /** By the person's setting. */
  readonly holdMs: number;
  /** When the agent must have its answer, on the monotonic clock. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  record(stateDir: string, events: readonly NewEvent[]): void;
}

/** An agent is never made to give up on its hook: some of them would let the tool run then. */
const SPARE_MS = 8_000;

/** What the person said of it. Where nothing can be kept, the decision as it was: then the agent asks. */
export async function holdAsk(held: HeldAsk): Promise<StepDecision> {
  const { decision } = held;
  let store: StateStore | null = null;
  try {
    store = openState(held.paths.stateDir);
    return conclude(decision, await askInInbox(store, held));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const diagnostic = `the question was not held: ${formatFault(error)}`;
    return { ...decision, diagnostics: [...decision.diagnostics, diagnostic] };
  } finally {
    store?.close();
  }
}

function conclude(decision: StepDecision, given: JsonValue | null): StepDecision {
  const answer = given === null ? null : readApprovalAnswer(given);
  if (answer !== null && answer.decision !== "no") return { ...decision, permission: "allow" };
  const words = answer?.words ?? null;
  const refusal = words === null ? "the person said no" : `the person said no: ${words}`;
  const reason = answer === null ? "nobody answered" : refusal;
  const veto = { control: "veto", permission: "deny", decidedBy: "inbox" } as const;
  return { ...decision, ...veto, reason, args: null, result: null };
}

async function askInInbox({ questions }: StateStore, held: HeldAsk): Promise<JsonValue | null> {
  const { decision, signal, paths } = held;
  const args = decision.args ?? held.envelope.args ?? {};
  const subject = makeSubject(held, { ...held.envelope, args });
  const left = held.deadlineMs - SPARE_MS - monotonicMs();
  const limitMs = Math.max(0, Math.floor(Math.min(held.holdMs, left)));
  const { session_id: sessionId } = subject.envelope;
  const why = decision.reason ?? "a hook wants a person's word";
  // There is no session of ours in which a rule could be remembered.
  const question = makeApprovalQuestion({ sessionId, turnId: null, subject, why, rule: null });
  const deadlineAt = new Date(Date.now() + limitMs).toISOString();
  const key = keyOf(subject);
  const known = questions.listOpen().find(({ id }) => id.startsWith(key) && questions.adopt(id));
  const id = known?.id ?? `${key}${randomUUID()}`;
  if (known === undefined) {
    questions.ask({ ...question, id, deadlineAt });
    held.record(paths.stateDir, [
      eventOf(subject, "InteractionRaised", { question: question.text }),
    ]);
  }
  const giveUp = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const answer = await waitForAnswer(questions, id, giveUp);
  const word = answer === null ? "nobody" : readApprovalAnswer(answer).decision;
  held.record(paths.stateDir, [eventOf(subject, "InteractionAnswered", { answer: word })]);
  return answer;
}

/** The same for the same call, so that whoever takes it over from another process finds its question. */
function keyOf({ envelope: { agent, native } }: StepSubject): string {
  const text = JSON.stringify([agent, native]);
  return `hold-${sha256(text).slice(0, 32)}-`;
}

function eventOf(
  { envelope }: StepSubject,
  type: "InteractionRaised" | "InteractionAnswered",
  data: NewEvent["data"],
): NewEvent {
  const { agent, correlation_id: correlationId, session_id: sessionId } = envelope;
  const origin = { surface: "hook", agent } as const;
  const facts = { time: new Date().toISOString(), type, correlationId, sessionId, origin };
  return { ...facts, data: { kind: "approval", ...data } };
}
