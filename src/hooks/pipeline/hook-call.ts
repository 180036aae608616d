// One call of `adj hook AGENT`, however it came: cold, through the resident, from `hooks test` or `doctor`.

import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import type { NewEvent } from "../../core/command/event.ts";
import { parseJsonObject } from "../../core/project/json-value.ts";
import type { Paths } from "../../core/project/paths.ts";
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import { decidesTool, STEPS } from "../../core/step/step.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { HookSet } from "../match/rule.ts";
import type { VirtualNote, VirtualParts } from "../virtual/virtual-step.ts";
import type { RunRule } from "./decide-step.ts";

/** No agent sends as much; whoever does is not answered for. */
export const MAX_PAYLOAD_BYTES = 64 << 20;

export interface HookCall {
  /** As installed: `adj hook claude-code`. */
  readonly agent: string;
  /** What the agent wrote to stdin; null where it is too much to be looked at. */
  readonly payload: string | null;
  /** The caller's, which in the resident is not the process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** The agent's own name of the event, where the caller knows it without the payload. */
  readonly event?: string;
  /** Whoever has the secret of an HTTP entry is not for that reason somebody who may run commands. */
  readonly isHttp?: boolean;
  /** Told how many milliseconds the step may take, as soon as that is known. */
  readonly onLimit?: (limitMs: number) => void;
  /** How long the agent waits by its own entry, where that says so. Only a person is waited for beyond the usual. */
  readonly entryLimitMs?: number | undefined;
  /** Told that a person is asked, and how many milliseconds the call may then take. */
  readonly onHeld?: (limitMs: number) => void;
}

/** Begins what the client tells the program of the entry's own limit; whoever says it understands the sign of a hold. */
export const HELD_WORD = "--held=";

/** In seconds, as the entry says it; undefined for whatever is no such number. */
export const readEntryLimit = (text: string | undefined): number | undefined =>
  /^[1-9]\d{0,4}$/.test(text ?? "") ? Number(text) * 1_000 : undefined;

/** Null where it is no JSON object. */
export const parsePayload = (text: string | null): NativePayload | null =>
  text === null ? null : parseJsonObject(text);

/** What a call lacks that comes where a tool is decided on: an agent that changed its payloads passes no guard for that. */
export function findLack(
  { event }: Pick<HookCall, "event">,
  { abilities }: HookAgent,
  envelope: Envelope | null,
): string | null {
  if (envelope !== null)
    return decidesTool(envelope.step) && envelope.tool === "" ? "the payload names no tool" : null;
  const isOfTools = STEPS.some(
    (step) => decidesTool(step) && abilities.steps[step]?.event === event,
  );
  return event !== undefined && isOfTools
    ? `the payload does not say that it is \`${event}\``
    : null;
}

export interface HookReply {
  /** Printed as it is; empty, or exactly one JSON object. The exit code is always 0. */
  readonly stdout: string;
  /** At most one plain line; empty for agents that read stderr. */
  readonly stderr: string;
  /** Null where the payload was none, or its event no step. */
  readonly envelope: Envelope | null;
  readonly decision: StepDecision | null;
  readonly virtual: VirtualNote | null;
  /** Writes what is still to be recorded, passes for one; called after the reply is out. */
  record(): void;
  /** Settled when the `async` handlers are through, which nobody waits for but a process that would end. */
  readonly background: Promise<void>;
}

/** Agents show one plain line at most. */
export const sayProblem = (problem: string): string =>
  `adj: ${problem.replaceAll(/(?<!\s)\s*\n\s*/g, "; ")}\n`;

export const silentReply = (stdout: string, problem: string): HookReply => ({
  stdout,
  stderr: problem === "" ? "" : sayProblem(problem),
  envelope: null,
  decision: null,
  virtual: null,
  record: () => undefined,
  background: Promise.resolve(),
});

/** The one way a step of an agent is answered; it never throws. */
export type AnswerHook = (call: HookCall) => Promise<HookReply>;

interface OwnEntryQuery {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly root: string;
}

/** What answering needs; cold it is made for one call, in the resident it is kept warm. */
export interface HookParts extends VirtualParts {
  findAgent(name: string): HookAgent | null | Promise<HookAgent | null>;
  loadRules(context: {
    readonly paths: Paths;
    readonly root: string;
    readonly dataDir: string;
  }): Promise<HookSet>;
  readonly runRule: RunRule;
  /** Whether the agent calls us by an entry of its own, too. */
  hasOwnEntry(agent: string, context: OwnEntryQuery): Promise<boolean>;
  /** Throws where the store cannot be written. */
  record(stateDir: string, events: readonly NewEvent[]): void;
  /** Inside a turn of ours it has the last word before a tool and before a permission, and faults of ours refuse. */
  approve?(step: StepForApproval): Promise<ApprovedStep>;
}

/** The variable that names the file of a turn's address; set for the agents of turns. */
export const TURN_HOOK_NAME = "ADJ_TURN_HOOK";

/** In place of an event's name: the hook was given to this one run, by whoever runs the turn. */
export const TURN_HOOK_EVENT = "turn";

export interface StepForApproval {
  readonly call: { readonly event: string | undefined; readonly signal: AbortSignal };
  readonly agent: HookAgent;
  readonly envelope: Envelope;
  /** Asks the handlers of the step. */
  decide(): Promise<StepDecision>;
}

export interface ApprovedStep {
  readonly decision: StepDecision;
  /** The call was decided, and recorded, when it came another way. */
  readonly isRepeat: boolean;
}
