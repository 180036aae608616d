// One tool call from the hooks' decision to a person's: what the handlers made of it, the workflow's posture, the mode,
// and the question where one is needed. What comes out is a decision that lets the call run or refuses it.
import { randomUUID } from "node:crypto";
import { findAgent } from "../../agents/roster.ts";
import type { ApprovalMode, JsonValue } from "../../core/command/context.ts";
import type { EventType, NewEvent } from "../../core/command/event.ts";
import { isInside } from "../../core/project/paths.ts";
import { type ExactValues, maskSecrets } from "../../core/secrets/mask.ts";
import type { Envelope, StepSubject, ToolArguments } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  makeApprovalQuestion,
  readApprovalAnswer,
} from "../../hooks/inbox/approval-question.ts";
import { makeSubject } from "../../hooks/match/step-subject.ts";
import { type ApprovalDecision, decideApproval, type Reach } from "./decide.ts";
import { reachOf } from "./reach.ts";
import { suggestRule } from "./remembered-rule.ts";
import { findAllowing, findPosture, type Posture } from "./rules.ts";

/** What approving needs from whoever owns the session. */
export interface ApprovalPorts {
  /** How tools are approved now: the mode, and the rules that count in it and were said yes to. */
  readApprovals(call: SessionOfCall): Promise<SessionApprovals> | SessionApprovals;
  /** Asks a person, null where nobody answered; ends early with the signal. */
  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<JsonValue | null>;
  /** Keeps a rule for the rest of the session. */
  remember(sessionId: string, rule: JsonValue): Promise<void> | void;
  record(events: readonly NewEvent[]): void;
}

/** Whose approvals count, and the project whose settings do. */
type SessionOfCall = Pick<CallToApprove, "sessionId" | "root">;

export interface SessionApprovals {
  readonly mode: ApprovalMode;
  readonly allow: readonly JsonValue[];
  /** What the stage of an attached workflow says. */
  readonly posture?: Posture | null;
}

interface CallToApprove {
  readonly envelope: Envelope;
  /** Reads the arguments of this agent's tools. */
  readonly reader: Parameters<typeof makeSubject>[0]["agent"];
  /** Our session, and its turn. */
  readonly sessionId: string;
  readonly turnId: string | null;
  readonly root: string;
  /** The folder of the turn; a worktree of the project lies outside the root and is its own workspace. */
  readonly workspace?: string;
  readonly home: string;
  /** Values that no question, no rule and no record may hold. */
  readonly secrets: ExactValues;
  readonly signal: AbortSignal;
  /** Asks the handlers. */
  decide(): Promise<StepDecision>;
}

export interface ApprovedCall {
  /** Either a veto, or a permission to run `args`; or a result in the tool's place. */
  readonly decision: StepDecision;
  readonly args: ToolArguments;
  readonly isAsked: boolean;
}

export async function approveCall(
  ports: ApprovalPorts,
  call: CallToApprove,
): Promise<ApprovedCall> {
  const decision = await call.decide();
  const args = decision.args ?? call.envelope.args ?? {};
  // The tool does not run at all.
  if (decision.control === "proceed" && decision.result !== null && decision.permission !== "deny")
    return { decision, args, isAsked: false };
  const subject = makeSubject(
    { agent: call.reader, root: call.root, home: call.home },
    { ...call.envelope, args },
  );
  const approval = await weigh(ports, { call, subject, decision });
  if (approval.kind === "deny")
    return { decision: refuse(decision, approval.reason), args, isAsked: false };
  if (approval.kind === "pass") return { decision: allow(decision), args, isAsked: false };
  const answer = await askPerson(ports, call, { subject, why: approval.why });
  const isYes = answer !== null && answer.decision !== "no";
  const answered = isYes ? allow(decision) : refuse(decision, refusalOf(answer), PERSON);
  return { decision: answered, args, isAsked: true };
}

/** Whose word it was, in the record. */
const PERSON = "approval";

const allow = (decision: StepDecision): StepDecision => ({ ...decision, permission: "allow" });

const refuse = (decision: StepDecision, reason: string, by?: string): StepDecision => ({
  ...decision,
  control: "veto",
  permission: "deny",
  reason,
  decidedBy: by ?? decision.decidedBy ?? PERSON,
  args: null,
  result: null,
});

function refusalOf(answer: ApprovalAnswer | null): string {
  if (answer === null) return "nobody answered";
  return answer.words === null ? "the person said no" : `the person said no: ${answer.words}`;
}

interface Weighed {
  readonly call: CallToApprove;
  readonly subject: StepSubject;
  readonly decision: StepDecision;
}

async function weigh(
  ports: ApprovalPorts,
  { call, subject, decision }: Weighed,
): Promise<ApprovalDecision> {
  const { mode, allow: rules, posture = null } = await ports.readApprovals(call);
  const { kind = "other", safety = "destructive" } = subject.envelope;
  const { control, permission } = decision;
  if (isAnswer(subject) && control !== "veto" && permission !== "deny")
    return { kind: "pass", why: "it is the agent's answer" };
  return decideApproval({
    kind,
    safety,
    reach: safety === "read_only" ? reachInside(subject, call.workspace) : "unknown",
    veto: decision.control === "veto" ? (decision.reason ?? "vetoed by a hook") : null,
    permission: decision.permission,
    hookReason: decision.reason,
    posture: findPosture(posture, inWorkspace(subject, call.workspace)),
    mode,
    allowedBy: mode === "auto" ? null : await findAllowing(rules, subject),
  });
}

/** An answer that must fit a schema comes by a tool that does nothing else. */
const isAnswer = ({ envelope: { agent, tool } }: StepSubject): boolean =>
  tool !== undefined && findAgent(agent)?.answerTool === tool;

/** What a stage says of files is said of the turn's own folder, where that is a worktree outside the project. */
function inWorkspace(subject: StepSubject, workspace: string | undefined): StepSubject {
  if (workspace === undefined || isInside(workspace, subject.root)) return subject;
  return { ...subject, root: workspace };
}

/** All of it inside the project, or all of it inside the turn's own folder. */
function reachInside(subject: StepSubject, workspace: string | undefined): Reach {
  const reach = reachOf(subject);
  if (reach === "inside" || workspace === undefined) return reach;
  return reachOf({ ...subject, root: workspace }) === "inside" ? "inside" : reach;
}

async function askPerson(
  ports: ApprovalPorts,
  call: CallToApprove,
  { subject, why }: { readonly subject: StepSubject; readonly why: string },
): Promise<ApprovalAnswer | null> {
  const { sessionId, turnId, secrets, signal } = call;
  const rule = suggestRule(subject, secrets);
  const question = makeApprovalQuestion({ sessionId, turnId, subject, why, rule, secrets });
  const interaction = randomUUID();
  const { tool = "" } = subject.envelope;
  const facts = { kind: "approval", interaction, tool: maskSecrets(tool, secrets) };
  ports.record([eventOf(call, "InteractionRaised", { ...facts, question: question.text })]);
  const given = signal.aborted ? null : await ports.ask(question, signal);
  const answer = given === null ? null : readApprovalAnswer(given);
  ports.record([eventOf(call, "InteractionAnswered", { ...facts, answer: wordFor(answer) })]);
  if (answer?.decision === "session" && rule !== null) await ports.remember(sessionId, rule);
  return answer;
}

/** What the person wrote to the model is the model's. */
const wordFor = (answer: ApprovalAnswer | null): string =>
  answer === null ? "nobody" : `${answer.decision}${answer.words === null ? "" : ", with words"}`;

function eventOf(
  { envelope, sessionId }: CallToApprove,
  type: EventType,
  data: NewEvent["data"],
): NewEvent {
  const { agent, correlation_id: correlationId } = envelope;
  const origin = { surface: "hook", agent } as const;
  return { time: new Date().toISOString(), type, correlationId, sessionId, origin, data };
}
