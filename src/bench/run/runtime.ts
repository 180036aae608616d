// What a trial needs of the program around it, as types: the loop, the trial and the grading know nothing else.
import type { RunLog } from "../../agents/log/run-log.ts";
import type { runProcess } from "../../core/process/run.ts";
import type { AgentRequest, Evaluator, Grading } from "../suite/evaluator.ts";
import type { TrialPlan } from "../suite/trial.ts";
import type { Workspace } from "./workspace.ts";

/** What a trial needs of the program around it. */
export interface TrialRuntime {
  /** Absolute, without links in it; there. */
  readonly workDir: string;
  readonly worker: string;
  readonly findEvaluator: (type: string) => Evaluator | null;
  /** The agent's run, with its log whatever happened. */
  runTask(run: TaskRun): Promise<TaskOutcome>;
  /** A judge has the sandbox of the trial that it judges. */
  askAgent(asking: AgentRequest, trial: Pick<AttemptContext, "plan" | "signal">): Promise<RunLog>;
  runCommand(
    name: string,
    args: readonly string[],
    signal: AbortSignal,
  ): ReturnType<Grading["runCommand"]>;
  /** What setup, teardown and evaluators are given, with these names of the user's environment. */
  environment(names: readonly string[]): Record<string, string>;
  /** What runs a program that runs what the agent left; its folder is what it may change. */
  graderRunner(plan: TrialPlan): typeof runProcess;
  /** The plan with its files on this machine. */
  receive(plan: TrialPlan): Promise<TrialPlan>;
  /** Stores content and answers with its hash. */
  store(bytes: Uint8Array): Promise<string>;
  /** Lets the workspace trust what the suite's project trusts; answers with what ends that. */
  inheritTrust(folder: string, plan: TrialPlan): Promise<() => void>;
  /** The folder of a try that is over: kept for a person to look at, or removed. */
  dispose(folder: string, ended: EndedAttempt): Promise<void>;
}

export interface EndedAttempt {
  readonly plan: TrialPlan;
  readonly attempt: number;
  readonly isPassed: boolean;
}

export interface TaskRun {
  readonly plan: TrialPlan;
  readonly folder: string;
  /** What the agent prints goes here, outside of its workspace. */
  readonly logDir: string;
  readonly signal: AbortSignal;
}

export interface TaskOutcome {
  readonly log: RunLog;
  /** The text that the agent got. */
  readonly prompt: string;
}

/** The folder in which one try happens, and what it is run with. */
export interface AttemptContext extends Workspace {
  readonly plan: TrialPlan;
  readonly runtime: TrialRuntime;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The system's uptime when it began. */
  readonly since: number;
}
