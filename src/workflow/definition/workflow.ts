// A workflow as it was read: a script in the dialect, or stages. Plain data, checked once.
import type { ApprovalMode, JsonValue } from "../../core/command/context.ts";
import type { Where } from "../../core/command/fault.ts";
import type { Permission } from "../../core/step/verdict.ts";
import type { Expression } from "./expression.ts";

export type JsonSchema = { readonly [key: string]: JsonValue };

interface WorkflowFile {
  /** Of a script `meta.name`, else the file's. */
  readonly name: string;
  readonly description: string;
  /** Where the person wrote it. */
  readonly file: string;
  /** The text as it was read. */
  readonly source: string;
  /** Of the text. */
  readonly hash: string;
}

export interface ScriptWorkflow extends WorkflowFile {
  readonly form: "script";
  readonly whenToUse: string | null;
  readonly phases: readonly { readonly title: string; readonly detail: string | null }[];
  /** What runs, as the body of an async function: types and the `export` before `meta` blanked, places as in the file. */
  readonly body: string;
}

export interface StageWorkflow extends WorkflowFile {
  readonly form: "stages";
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  /** Capabilities that every agent in it must have. */
  readonly requires: readonly string[];
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: ApprovalMode | null;
  readonly budget: BudgetLimits;
  readonly start: string;
  readonly stages: Readonly<Record<string, Stage>>;
}

export type Workflow = ScriptWorkflow | StageWorkflow;

interface WorkflowInput {
  readonly description: string;
  readonly default: JsonValue | undefined;
}

/** Null is no limit. */
export interface BudgetLimits {
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly calls: number | null;
  readonly timeMs: number | null;
}

export type StageAct =
  /** A turn; the text is a template. */
  | { readonly kind: "prompt"; readonly prompt: string }
  /** A line that is dispatched; a template. */
  | { readonly kind: "command"; readonly line: string }
  /** A question; `choices` maps answers to stages, without them yes goes to `next` and no to `otherwise`. */
  | {
      readonly kind: "ask";
      readonly question: string;
      readonly choices: Readonly<Record<string, string>> | null;
    }
  | {
      readonly kind: "workflow";
      readonly name: string;
      readonly inputs: Readonly<Record<string, JsonValue>>;
    }
  | {
      readonly kind: "each";
      readonly in: Expression;
      readonly as: string;
      readonly do: Exclude<StageAct, { kind: "each" } | { kind: "ask" }>;
      readonly atOnce: number;
      readonly isolate: boolean;
    };

export type StageCheck =
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "output"; readonly expression: Expression }
  | { readonly kind: "ask"; readonly question: string };

export interface Transition {
  /** Null always holds. */
  readonly when: Expression | null;
  /** A stage, or `end`. */
  readonly to: string;
}

export interface Stage {
  readonly name: string;
  readonly where: Where;
  readonly act: StageAct;
  readonly agent: string | null;
  readonly model: string | null;
  readonly mode: ApprovalMode | null;
  readonly posture: readonly { readonly action: Permission; readonly rule: JsonValue }[];
  readonly conversation: "same" | "fresh";
  readonly isolate: boolean;
  readonly timeoutMs: number | null;
  readonly budget: BudgetLimits;
  readonly when: Expression | null;
  readonly checks: readonly StageCheck[];
  readonly attempts: number;
  readonly visits: number;
  /** A JSON Schema; a shape was turned into one. */
  readonly output: JsonSchema | null;
  readonly next: readonly Transition[];
  readonly otherwise: readonly Transition[];
  readonly commands: readonly string[];
  readonly hide: readonly string[];
}
