// A suite as the program works with it: checked, matrix and includes applied, paths absolute. Plain data.
import type { GitSource } from "../files/git.ts";

export interface Suite {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  readonly agents: readonly SuiteAgent[];
  readonly cases: readonly SuiteCase[];
  readonly repeat: number;
  readonly limits: SuiteLimits;
  readonly post: readonly PostStep[];
}

export interface SuiteAgent {
  readonly id: string;
  /** The adapter's name. */
  readonly agent: string;
  /** The fields of an agent's configuration; the prompt is the case's. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Trials of it at once, over all workers; null where only the suite's limit counts. */
  readonly concurrency: number | null;
  /** Trials of it started per minute, over all workers. */
  readonly ratePerMinute: number | null;
  readonly sandbox: AgentSandbox;
}

export const SANDBOXES = ["bwrap", "none"] as const;

export interface AgentSandbox {
  /** Null until it is known what this machine can do. */
  readonly kind: (typeof SANDBOXES)[number] | null;
  readonly network: boolean;
  /** Absolute; shown read-only although they would be hidden. */
  readonly mounts: readonly string[];
  /** Why there is none where the suite leaves it open. */
  readonly missing: string | null;
}

export type CaseTask =
  | { readonly kind: "prompt"; readonly text: string }
  /** A Markdown command; its agent is the trial's. */
  | { readonly kind: "command"; readonly name: string; readonly args: readonly string[] };

export type WorkspaceSource =
  | { readonly kind: "empty" }
  | { readonly kind: "template"; readonly folder: string }
  | ({ readonly kind: "git" } & GitSource);

export interface SetupStep {
  readonly run: string;
  readonly timeoutMs: number;
}

export interface SuiteCase {
  readonly id: string;
  readonly tags: readonly string[];
  readonly workspace: WorkspaceSource;
  readonly task: CaseTask;
  readonly setup: readonly SetupStep[];
  readonly teardown: readonly SetupStep[];
  /** Names taken from the environment for setup, agent and evaluators. */
  readonly env: readonly string[];
  readonly evaluators: readonly EvaluatorEntry[];
  /** A script or folder that solves the case, for `validate --oracle`. */
  readonly solution: string | null;
  readonly timeoutMs: number | null;
  /** Labels a worker must have. */
  readonly labels: readonly string[];
  /** Why it cannot run here at all: it needs a container, say. */
  readonly unsupported: string | null;
}

export interface EvaluatorEntry {
  /** Unique within its case. */
  readonly id: string;
  readonly type: string;
  readonly weight: number;
  /** Checked by the evaluator's own schema when the suite is read. */
  readonly options: unknown;
}

export interface SuiteLimits {
  readonly timeoutMs: number;
  /** For a whole run; null is none. */
  readonly usd: number | null;
  /** For each trial; null is none. */
  readonly usdPerTrial: number | null;
  /** Trials at once, over all workers. */
  readonly concurrency: number;
  /** Further tries of a trial that ended as `infra`. */
  readonly infraRetries: number;
}

export type PostStep =
  | { readonly kind: "webhook"; readonly url: string }
  | { readonly kind: "append"; readonly file: string }
  | { readonly kind: "run"; readonly command: string };
