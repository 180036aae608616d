// What grades a trial. It works on a snapshot that the agent can no longer reach.
import type { ZodMiniType } from "zod/mini";
import type { RunLog } from "../../agents/log/run-log.ts";
import { capText } from "../../agents/log/text.ts";
import type { OptionsReading } from "../../core/command/definition.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { runProcess } from "../../core/process/run.ts";
import { describeIssues } from "../../core/project/schema-problem.ts";
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
  /** Runs a program that runs what the agent left. */
  readonly runProgram: typeof runProcess;
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

/** What is said of a grade stands in every report, and may come from a program that goes on and on. */
const MAX_MESSAGE_LENGTH = 500;

export const passGrade = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "passed",
  score: 1,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics,
});

export const failGrade = (message: string, metrics: Grade["metrics"] = {}): Grade => ({
  status: "failed",
  score: 0,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics,
});

/** It could not be told, which is neither: it weighs nothing. */
export const skipGrade = (message: string): Grade => ({
  status: "skipped",
  score: null,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics: {},
});

/** From 0 to 1; passed from the bar on. */
export const gradeScore = (score: number, bar: number, message: string): Grade => ({
  status: score >= bar ? "passed" : "failed",
  score,
  message: capText(message, MAX_MESSAGE_LENGTH),
  metrics: { score },
});

/** The options by their schema; what is wrong is said in the words of the suite's file. */
export const readOptionsBy =
  <Options>(schema: ZodMiniType<Options>) =>
  (raw: unknown): OptionsReading<Options> => {
    const checked = schema.safeParse(raw, { reportInput: true });
    if (checked.success) return { kind: "options", options: checked.data };
    const { path, message, hint } = describeIssues(checked.error.issues, schema, "the value");
    const steps = path.filter((step) => typeof step !== "symbol");
    return {
      kind: "invalid",
      path: steps,
      problem: hint === null ? message : `${message}; ${hint}`,
    };
  };
