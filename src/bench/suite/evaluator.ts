// What grades a trial. It works on a snapshot that the agent can no longer reach.
import type { RunLog } from "../../agents/log/run-log.ts";
import type { OptionsReading } from "../../core/command/definition.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { CommandSpec } from "../../core/process/command-spec.ts";
import type { WorkspaceSource } from "./suite.ts";
import type { Evaluation } from "./trial.ts";

export interface Snapshot {
  /** What the agent left, without our own files; read-only in intent, a fresh copy per evaluator that runs programs. */
  readonly folder: string;
  /** What it started from. */
  readonly baseFolder: string;
}

export interface Grading {
  readonly snapshot: Snapshot;
  readonly log: RunLog;
  readonly caseId: string;
  readonly agentId: string;
  readonly prompt: string;
  /** What the workspace was made from. */
  readonly source: WorkspaceSource;
  /** Where the suite's own files are: rubrics, expected trees. */
  readonly suiteFolder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** How a program is started that runs what the agent left. */
  readonly wrap?: ((spec: CommandSpec) => CommandSpec) | undefined;
  /** A copy of the snapshot of this evaluator's own. */
  copySnapshot(): Promise<string>;
  /** A path of this evaluator's own where nothing is yet. */
  newFolder(): string;
  /** A run of an agent that is no part of the trial: a judge, in a folder of its own. */
  askAgent(asking: AgentRequest): Promise<RunLog>;
  /** Any Adjutant command. */
  runCommand(name: string, args: readonly string[]): Promise<CommandResult>;
  /** Kept with the trial under this name. */
  keep(name: string, bytes: Uint8Array | string): Promise<void>;
}

export interface AgentRequest {
  readonly agent: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly prompt: string;
  readonly folder: string;
}

export type Grade = Pick<Evaluation, "status" | "score" | "message" | "metrics">;

export interface Evaluator<Options = unknown> {
  readonly type: string;
  readonly description: string;
  readOptions(raw: unknown): OptionsReading<Options>;
  /** Files of the suite it depends on, for the fingerprint. */
  files(options: Options): readonly string[];
  /** Branches of the case's repository it depends on. */
  branches?(options: Options): readonly string[];
  /** A throw makes the trial's ending `infra`, visible. */
  grade(options: Options, grading: Grading): Promise<Grade>;
}
