import type { RunLog } from "../../agents/run-log.ts";
import type { Asking, Evaluator, Grading } from "../evaluator.ts";
import type { CaseTask, SuiteAgent } from "../suite.ts";
import type { TrialPlan } from "../trial.ts";

/** What a trial needs of the program around it. */
export interface TrialShop {
  /** Absolute, without links in it; there. */
  readonly workDir: string;
  readonly worker: string;
  readonly findEvaluator: (type: string) => Evaluator | null;
  /** The agent's run, with its log whatever happened. */
  runTask(run: TaskRun): Promise<TaskOutcome>;
  askAgent(asking: Asking, signal: AbortSignal): Promise<RunLog>;
  runCommand(
    name: string,
    args: readonly string[],
    signal: AbortSignal,
  ): ReturnType<Grading["runCommand"]>;
  /** What setup, teardown and evaluators are given, with these names of the user's environment. */
  environment(names: readonly string[]): Record<string, string>;
  /** The plan with its files on this machine. */
  receive(plan: TrialPlan): Promise<TrialPlan>;
  /** Stored content; answers with its hash. */
  store(bytes: Uint8Array): Promise<string>;
  /** Where the workspace trusts what the suite's project trusts; answers with what ends that. */
  inheritTrust(folder: string, plan: TrialPlan): Promise<() => void>;
  /** The place of a try that is over: kept for a person to look at, or removed. */
  dispose(place: string, ended: EndedTry): Promise<void>;
}

export interface EndedTry {
  readonly plan: TrialPlan;
  readonly attempt: number;
  readonly isPassed: boolean;
}

export interface TaskRun {
  readonly task: CaseTask;
  readonly agent: SuiteAgent;
  readonly env: readonly string[];
  readonly folder: string;
  /** For what the agent prints; outside of its workspace. */
  readonly logDir: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface TaskOutcome {
  readonly log: RunLog;
  /** As the agent got it. */
  readonly prompt: string;
}
