// One call of `adj hook AGENT`, however it came: cold, through the resident, from `hooks test` or `doctor`.
import type { Decision } from "./decision.ts";
import type { Envelope } from "./envelope.ts";

export interface HookCall {
  /** As installed: `adj hook claude-code`. */
  readonly agent: string;
  /** What the agent wrote to stdin. */
  readonly payload: string;
  /** The caller's, which in the resident is not the process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** What a virtual command did to the line. */
export interface VirtualNote {
  readonly command: string;
  readonly how:
    | "answered"
    | "shim"
    | "prefixed"
    | "denied-with-output"
    | "denied-with-line"
    | "prompt";
  readonly exitCode: number | null;
}

export interface HookReply {
  /** Printed as it is; empty, or exactly one JSON object. The exit code is always 0. */
  readonly stdout: string;
  /** At most one plain line; empty for agents that read stderr. */
  readonly stderr: string;
  /** Null where the payload was none, or its event no step. */
  readonly envelope: Envelope | null;
  readonly decision: Decision | null;
  readonly virtual: VirtualNote | null;
  /** Vetoes, rewrites and virtual commands are recorded before the reply is given, passes after. */
  readonly isDecisive: boolean;
  /** Writes what is still to be recorded; called after the reply is out. */
  record(): void;
  /** Settled when the `async` handlers are through, which nobody waits for but a process that would end. */
  readonly background: Promise<void>;
}

/** The one way a step of an agent is answered; it never throws. */
export type AnswerHook = (call: HookCall) => Promise<HookReply>;
