// The host as every window sees it: the one process that owns agents' processes, turns and questions. It is reached
// over loopback (`client.ts`), or lives inside the one client (in CI, and with `ADJ_HOST=off`).
import type { LogEvent } from "../../agents/log/event.ts";
import type { JsonValue } from "../../core/command/context.ts";
import type { StoredEvent } from "../../core/command/event.ts";
import { Fault, type FaultReport } from "../../core/command/fault.ts";
import { FAULT_CODES, type FaultCodeName } from "../../core/command/fault-codes.ts";
import type { Question } from "../../core/store/questions.ts";
import type { Turn, TurnOptions } from "../../core/store/turn-row.ts";

export interface SendRequest {
  readonly sessionId: string;
  readonly text: string;
  readonly options: TurnOptions;
  /** What the agent is started with beside the base set: the caller's own variables, kept in memory only. */
  readonly env: Readonly<Record<string, string>>;
}

export type SendResult =
  | { readonly kind: "queued"; readonly turn: Turn }
  | { readonly kind: "refused"; readonly problem: string; readonly code: string };

/** What happens, in the order in which it happened. */
export type HostEvent =
  /** Of the record: a window that slept asks for all since the last `seq` it saw. */
  | { readonly kind: "event"; readonly event: StoredEvent }
  /** A step of a turn as the run's log has it, and its place in the run's file; secrets are not masked here. */
  | {
      readonly kind: "progress";
      readonly sessionId: string;
      readonly turnId: string;
      readonly runId: string;
      readonly offset: number;
      /** Counts what was shown of the turn, from 1: a window that comes back knows what it has seen. */
      readonly step: number;
      readonly event: LogEvent;
    }
  /** A line for the person, said once: what was left out, what no longer fits. */
  | {
      readonly kind: "notice";
      readonly sessionId: string;
      readonly turnId: string;
      readonly text: string;
    }
  | { readonly kind: "turn"; readonly turn: Turn }
  | { readonly kind: "question"; readonly question: Question }
  /** What an extension of the host shows; not part of the record. */
  | { readonly kind: "extension"; readonly sessionId: string; readonly data: JsonValue };

export interface FollowRequest {
  /** Only what concerns this session; all without it. */
  readonly sessionId?: string;
  /** Events of the record after this one come first. */
  readonly sinceSeq?: number;
  /** What was shown so far of turns that run comes first, each behind its turn. */
  readonly fromStart?: boolean;
  readonly signal: AbortSignal;
  /** From here on nothing is missed: what is sent now is seen whole. */
  readonly onOpen?: () => void;
}

export type AnswerOutcome = "accepted" | "too-late" | "unknown";

export interface SessionHost {
  send(request: SendRequest): Promise<SendResult>;
  /** Puts words into the turn that runs; false where its agent has no word for it, or none runs. `env` as in `send`. */
  steer(sessionId: string, text: string, env: Readonly<Record<string, string>>): Promise<boolean>;
  /** Queued or running; false where it has ended already. */
  cancel(turnId: string): Promise<boolean>;
  turns(sessionId: string, last: number): Promise<readonly Turn[]>;
  questions(): Promise<readonly Question[]>;
  /**
   * Only from a person's window: whoever calls has made sure. The first answer wins. `kept` is what is written of it,
   * the secrets in it masked that the window knows; without it those that can be told by their form.
   */
  answer(
    questionId: string,
    answer: JsonValue,
    by: string,
    kept?: JsonValue,
  ): Promise<AnswerOutcome>;
  /** What a feature keeps in the host is asked; throws the fault with which it refuses. The variables stay in memory. */
  callExtension(
    name: string,
    method: string,
    body: JsonValue,
    env: Readonly<Record<string, string>>,
  ): Promise<JsonValue>;
  /** Begins at once; ends with the signal. */
  follow(request: FollowRequest): AsyncIterable<HostEvent>;
  /** A client leaves; the host inside one ends with it, after its turns. */
  close(): Promise<void>;
}

// A fault on its way from one process to another: reported there, thrown on here.

/** What an extension answers over HTTP. */
export type ExtensionReply<Value> =
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "refused"; readonly error: FaultReport; readonly exitCode: number };

/** A fault that was reported, to be thrown on; a code from outside stays its `reportedCode`. */
export function reviveFault({ code, message, hint }: FaultReport, exitCode: number): Fault {
  const known = isFaultCode(code) ? code : "HandlerThrew";
  const details = { exitCode, reportedCode: code, ...(hint === null ? {} : { hint }) };
  return new Fault(known, {}, message, details);
}

const isFaultCode = (code: string): code is FaultCodeName => Object.hasOwn(FAULT_CODES, code);
