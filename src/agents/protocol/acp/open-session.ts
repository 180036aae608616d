// The steps before the first prompt: who the agent is, a session of its, and the mode in which it asks.

import { asRecord, isRecord, type JsonRecord } from "../../../core/project/json-value.ts";
import { asName } from "../../log/json-fields.ts";
import type { AcpConnection } from "./connection.ts";
import {
  callInitialize,
  callNewSession,
  callOldSession,
  type Failure,
  type OfferedFiles,
  PROTOCOL_VERSION,
} from "./messages.ts";
import { setMode, setOption } from "./session-settings.ts";
import type { AcpTraits } from "./traits.ts";

/** Who does not say who it is by then does not speak the protocol. */
const INTRODUCTION_MS = 60_000;

export interface IntroducedAgent {
  readonly kind: "introduced";
  readonly version: string | null;
  readonly traits: AcpTraits;
  /** How it takes a session up again; null where it cannot. */
  readonly resumes: "load" | "resume" | null;
}

export type Introduction = IntroducedAgent | Lost;

type Lost = { readonly kind: "lost"; readonly problem: string };

interface IntroductionPlan {
  readonly traitsOf: (agent: string | null) => AcpTraits;
  readonly files: OfferedFiles;
}

export async function introduce(
  connection: AcpConnection,
  { traitsOf, files }: IntroductionPlan,
): Promise<Introduction> {
  const timer = setTimeout(
    () => connection.end("the program did not answer `initialize`: it may not speak ACP"),
    INTRODUCTION_MS,
  );
  const answer = await connection.request(callInitialize(files));
  clearTimeout(timer);
  if (answer.kind === "gone") return { kind: "lost", problem: connection.problem };
  if (answer.kind === "error") return lose(connection, answer.error.message);
  const { agentInfo, protocolVersion, agentCapabilities } = answer.result;
  if (protocolVersion !== PROTOCOL_VERSION) {
    const problem = `the agent speaks version ${protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`;
    return lose(connection, problem);
  }
  const { name, version } = asRecord(agentInfo);
  return {
    kind: "introduced",
    version: asName(version),
    traits: traitsOf(asName(name)),
    resumes: findResume(asRecord(agentCapabilities)),
  };
}

function lose(connection: AcpConnection, problem: string): Lost {
  connection.end(problem);
  return { kind: "lost", problem };
}

/** Without the past of the session where the agent can, because it need not be told again. */
function findResume({ sessionCapabilities, loadSession }: JsonRecord): "load" | "resume" | null {
  if (isRecord(asRecord(sessionCapabilities).resume)) return "resume";
  return loadSession === true ? "load" : null;
}

export interface OpenSession {
  readonly id: string;
  /** What the agent said of it: its models, modes and options. */
  readonly record: JsonRecord;
}

type SessionOpening =
  | { readonly kind: "opened"; readonly session: OpenSession }
  | { readonly kind: "failed"; readonly error: Failure }
  | { readonly kind: "forgotten"; readonly problem: string }
  | Lost;

interface SessionPlan {
  readonly agent: IntroducedAgent;
  readonly cwd: string;
  readonly resume: string | null;
  readonly askingModes: readonly string[];
  readonly askingOptions: Readonly<Record<string, string>>;
}

export async function openSession(
  connection: AcpConnection,
  plan: SessionPlan,
): Promise<SessionOpening> {
  const { agent, cwd, resume } = plan;
  if (resume !== null && agent.resumes === null)
    return { kind: "forgotten", problem: "the agent cannot take a conversation up again" };
  const call =
    resume === null
      ? callNewSession(cwd)
      : callOldSession(resume, { cwd, way: agent.resumes ?? "load" });
  const answer = await connection.request(call);
  if (answer.kind === "gone") return { kind: "lost", problem: connection.problem };
  if (answer.kind === "error") return describeRefusedSession(answer.error, resume);
  const id = asName(answer.result.sessionId) ?? resume;
  if (id === null)
    return { kind: "failed", error: { reason: "ABORTED", message: "the agent opened no session" } };
  return makeAsking(connection, { id, record: answer.result }, plan);
}

/** There is no number for an unknown session: agents say so in ways of their own. */
function describeRefusedSession(error: Failure, resume: string | null): SessionOpening {
  if (resume === null || error.reason === "AUTH_FAILED") return { kind: "failed", error };
  const [why] = error.message.split("\n", 1);
  return { kind: "forgotten", problem: `the agent does not know \`${resume}\`: ${why}` };
}

/**
 * An agent that does not ask would act on its own, so one that refuses to be told is not prompted. The answers also
 * come after whatever the agent still had to say of the session's past.
 */
async function makeAsking(
  connection: AcpConnection,
  session: OpenSession,
  { askingModes, askingOptions }: SessionPlan,
): Promise<SessionOpening> {
  const { id, record } = session;
  const calls = [
    setMode(record, id, askingModes),
    ...Object.entries(askingOptions).map((option) => setOption(record, id, option)),
  ];
  for (const call of calls) {
    if (call === null) continue;
    const answer = await connection.request(call);
    if (answer.kind === "gone") return { kind: "lost", problem: connection.problem };
    if (answer.kind === "error") return { kind: "failed", error: answer.error };
  }
  return { kind: "opened", session };
}
