// What is kept of runs: the record of each and an entry per effect, on disk before anybody sees the result. A store on
// another database can stand behind this.
import type { ApprovalMode, JsonValue } from "../../core/command/context.ts";
import type { ProcessIdentity } from "../../core/process/identity.ts";
import type { BudgetLimits } from "../definition/workflow.ts";

/** What a call cost; null where the agent does not say. */
export interface CallUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly totalTokens: number | null;
  readonly costUsd: number | null;
}

export const RUN_STATUSES = ["running", "waiting", "paused", "done", "failed", "stopped"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What somebody outside wants of a run; the owner looks for it. */
export type ControlRequest = "pause" | "stop" | null;

/** All that a resume needs, so that it depends on nothing else. */
export interface RunRecord {
  /** `wf_` and twelve letters or digits. */
  readonly id: string;
  readonly workflow: string;
  readonly form: "script" | "stages";
  readonly file: string;
  readonly source: string;
  readonly sourceHash: string;
  readonly args: JsonValue | undefined;
  readonly root: string;
  readonly cwd: string;
  /** The session it is attached to; null for one that runs by itself. */
  readonly sessionId: string | null;
  /** As resolved when it began: a changed setting does not change them. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: ApprovalMode | null;
  readonly limits: BudgetLimits;
  readonly atOnce: number;
  readonly status: RunStatus;
  /** Why it waits, stopped or failed; null else. */
  readonly reason: string | null;
  readonly waitingUntil: string | null;
  readonly requested: ControlRequest;
  readonly phase: string | null;
  readonly result: JsonValue | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | null;
  /** How long owners have worked on it, all together. */
  readonly activeMs: number;
  /** The process that has it now; null where none does, or it is dead. */
  readonly owner: ProcessIdentity | null;
}

export const ENTRY_STATUSES = ["running", "done", "failed", "skipped", "stopped"] as const;
type EntryStatus = (typeof ENTRY_STATUSES)[number];

export interface CallWorktree {
  readonly path: string;
  readonly branch: string;
  readonly base: string;
}

export interface JournalEntry {
  readonly runId: string;
  /** From 1, in the order of their first start; what `skip` and `retry` name. */
  readonly number: number;
  readonly kind: "agent" | "command" | "ask" | "file" | "sleep" | "now" | "random";
  readonly path: string;
  /** Hash of what is asked. */
  readonly content: string;
  /** Among equal contents of one path. */
  readonly ordinal: number;
  readonly label: string;
  readonly phase: string | null;
  /** What was asked, masked, for a person to read. */
  readonly asked: JsonValue;
  readonly status: EntryStatus;
  readonly result: JsonValue | undefined;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly sessionId: string | null;
  readonly conversation: string | null;
  /** Runs of the agent, whose logs have the rest. */
  readonly runIds: readonly string[];
  readonly worktree: CallWorktree | null;
  readonly usage: CallUsage | null;
  /** How often it was started: more than once only where an owner died, or somebody wanted it again. */
  readonly starts: number;
  readonly requested: "skip" | "retry" | null;
  /** What it waits for now: a person, a quota. */
  readonly waiting: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export type NewEntry = Pick<
  JournalEntry,
  | "kind"
  | "path"
  | "content"
  | "ordinal"
  | "label"
  | "phase"
  | "asked"
  | "agent"
  | "model"
  | "sessionId"
>;

/** As much of an entry as a resume needs to find it again. */
export type EntryKey = Pick<
  JournalEntry,
  "number" | "kind" | "path" | "content" | "ordinal" | "status" | "starts" | "requested"
>;

export interface EntryChange {
  readonly status?: EntryStatus;
  readonly result?: JsonValue;
  readonly problem?: JournalEntry["problem"];
  readonly sessionId?: string;
  readonly conversation?: string;
  readonly runId?: string;
  readonly worktree?: CallWorktree | null;
  readonly usage?: CallUsage;
  readonly waiting?: string | null;
  readonly requested?: JournalEntry["requested"];
}

export type RunChange = Partial<
  Pick<
    RunRecord,
    | "status"
    | "reason"
    | "waitingUntil"
    | "requested"
    | "phase"
    | "result"
    | "limits"
    | "source"
    | "sourceHash"
    | "endedAt"
    | "sessionId"
  >
>;

export type RunClaim =
  | { readonly kind: "claimed" }
  /** Another process that lives has it. */
  | { readonly kind: "held"; readonly by: ProcessIdentity };

export interface RunTotals {
  readonly calls: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly running: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null where a call does not say. */
  readonly costUsd: number | null;
  /** The same of the calls that say it. */
  readonly statedUsd: number;
}

/** What the owner of a run sees when it looks. */
export interface RunWatch {
  readonly requested: ControlRequest;
  /** False where another process took it meanwhile. */
  readonly isOurs: boolean;
  readonly activeMs: number;
}

/** An agent whose quota is used up. */
export interface AgentPause {
  readonly agent: string;
  readonly until: string;
  /** How often in a row it was met. */
  readonly times: number;
}

export interface Journal {
  addRun(record: Omit<RunRecord, "updatedAt" | "owner" | "requested" | "activeMs">): void;
  readRun(id: string): RunRecord | null;
  /** Newest first. */
  listRuns(filter: { readonly root?: string; readonly last?: number }): RunRecord[];
  changeRun(id: string, change: RunChange): void;
  /** Takes the run for this process; a dead owner's is taken over. */
  claimRun(id: string): RunClaim;
  releaseRun(id: string): void;
  /** For the owner's regular look; it also says that the owner lives. */
  watchRun(id: string): RunWatch;
  /** In order of number. */
  listEntries(runId: string): JournalEntry[];
  readEntry(runId: string, number: number): JournalEntry | null;
  /** In order of number, without what is large. */
  listKeys(runId: string): EntryKey[];
  /** Begins an entry; gives its number. */
  begin(runId: string, entry: NewEntry): number;
  /** Begins again one whose owner died or that is wanted again. */
  beginAgain(runId: string, number: number): void;
  change(runId: string, number: number, change: EntryChange): void;
  /** Entries whose `requested` is set, for the owner's regular look. */
  listRequested(runId: string): EntryKey[];
  totals(runId: string): RunTotals;
  /** What the newest finished calls of this agent and model took, over all runs. */
  listAlike(agent: string, model: string | null): CallUsage[];
  listPauses(): AgentPause[];
  /** Null: the agent answers again. */
  writePause(agent: string, pause: Omit<AgentPause, "agent"> | null): void;
  /** Does the work of all who ask at about the same time in one transaction; it is on disk when the promise is kept. */
  together<Result>(work: () => Result): Promise<Result>;
  removeRuns(before: string, kept: readonly string[]): number;
  close(): void;
}
