// What a workflow wants done, whichever form it has. Every effect goes through one function, which looks into the journal
// first; so nothing that is finished is done again.
import type { ApprovalMode, JsonValue } from "../../core/command/context.ts";
import type { StageRow } from "../../core/store/stages.ts";
import type { JsonSchema } from "../definition/workflow.ts";
import type { CallUsage, CallWorktree } from "../journal/journal.ts";

export interface AgentEffect {
  readonly kind: "agent";
  readonly prompt: string;
  readonly label: string | null;
  readonly phase: string | null;
  /** Null where the workflow's, the session's or the default counts. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly effort: string | null;
  readonly schema: JsonSchema | null;
  readonly isolation: "worktree" | null;
  readonly agentType: string | null;
  readonly timeoutMs: number | null;
  /** Dollars that one call may cost at the most; reserved while it runs. */
  readonly maxUsd: number | null;
  /** `same`: the thread of the run, or of the session it is attached to; `fresh`: one of its own. */
  readonly conversation: "same" | "fresh";
  /** What the stage says of tools and mode; null in a script. */
  readonly stage: Pick<StageRow, "stage" | "mode" | "posture" | "commands" | "hide"> | null;
}

export type Effect =
  | AgentEffect
  /** A line, or a name with arguments, for the dispatcher. */
  | {
      readonly kind: "command";
      readonly name: string;
      readonly args: readonly string[] | Readonly<Record<string, JsonValue>>;
    }
  | {
      readonly kind: "ask";
      readonly question: string;
      /** Empty: yes or no. */
      readonly choices: readonly string[];
      /** A text instead of a choice. */
      readonly isInput: boolean;
    }
  /** Whether there is a file or folder at this path of the run's folder: true or false. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "sleep"; readonly ms: number }
  | { readonly kind: "now" }
  | { readonly kind: "random" };

export interface EffectRequest {
  /** Fan-out, slot and stage in which it stands: `parallel#0/3/pipeline#0/7/1`; not part of what is asked. */
  readonly path: string;
  readonly effect: Effect;
}

/** Where the words stand in the journal that start an attached workflow. */
export const OPENING_PATH = "opening";

/** Every ending is a value; the run as a whole may have been stopped meanwhile. */
export type EffectOutcome =
  | { readonly kind: "value"; readonly value: JsonValue; readonly outputTokens: number }
  /** Failed for good, or skipped: null to a script, and counted. */
  | { readonly kind: "null"; readonly reason: string; readonly outputTokens: number }
  /** An error that the script may catch: budget spent, too many calls, contradictory schema, unknown agent type. */
  | { readonly kind: "thrown"; readonly message: string }
  /** The run ends here: stopped, or its host leaves. Nothing may catch it. */
  | { readonly kind: "ended"; readonly reason: string };

export type PerformEffect = (request: EffectRequest) => Promise<EffectOutcome>;

/** What narrates a run; none of it is a result. */
export interface RunNarration {
  log(text: string): void;
  phase(title: string): void;
}

// What the engine asks others to do; each is done by `session` through the host.

export interface AgentCall {
  readonly workflowRunId: string;
  /** Of the entry; the branch of its worktree is named after both. */
  readonly number: number;
  readonly effect: AgentEffect;
  readonly agent: string;
  readonly model: string | null;
  /** The session of this call alone, or the one it shares. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly root: string;
  /** Counts where the stage says nothing. */
  readonly mode: ApprovalMode | null;
  readonly env: Readonly<Record<string, string>>;
  /** It was under way when its owner died: the agent is to go on where it can. */
  readonly isTakenUp: boolean;
  readonly signal: AbortSignal;
  /** The one that an earlier start of this call left; null where it needs none, or a new one. */
  readonly worktree: CallWorktree | null;
  /** It was made; null when it was unchanged and is gone again. */
  readonly onWorktree: (worktree: CallWorktree | null) => void;
  /** The agent's own id of the conversation, when it is first seen. */
  readonly onConversation: (conversation: string) => void;
  /** The run of the agent whose log has the rest. */
  readonly onRun: (runId: string) => void;
  /** Somebody must answer; null when nobody has to any more. */
  readonly onWaiting: (why: string | null) => void;
}

export type AgentCallEnding =
  /** `data` is what the schema asked for, else null. */
  | {
      readonly kind: "done";
      readonly text: string;
      readonly data: JsonValue;
      readonly attempts: number;
      readonly usage: CallUsage;
    }
  /** Rate limit, usage limit, overload: not the call's fault. */
  | {
      readonly kind: "quota";
      readonly until: string | null;
      readonly message: string;
      readonly usage: CallUsage;
    }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      readonly usage: CallUsage;
    }
  | { readonly kind: "cancelled"; readonly usage: CallUsage };

export interface EffectPorts {
  /** It says what it costs, or there is a price for this model. */
  statesCost(agent: string, model: string | null): boolean;
  callAgent(call: AgentCall): Promise<AgentCallEnding>;
  runCommand(call: {
    readonly name: string;
    readonly args: readonly string[] | Readonly<Record<string, JsonValue>>;
    readonly cwd: string;
    readonly sessionId: string;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly exitCode: number;
    readonly output: string;
    readonly errorOutput: string;
    readonly metadata: JsonValue;
  }>;
  ask(call: {
    /** Of the entry: what was asked before by a dead owner is found again by it. */
    readonly workflowRunId: string;
    readonly number: number;
    readonly isTakenUp: boolean;
    readonly sessionId: string;
    readonly question: string;
    readonly choices: readonly string[];
    readonly isInput: boolean;
    readonly signal: AbortSignal;
    readonly onWaiting: (why: string | null) => void;
    /** What may be written of the answer: secrets masked that the window knows in which it was given. */
    readonly onKept: (kept: JsonValue) => void;
  }): Promise<JsonValue | null>;
}
