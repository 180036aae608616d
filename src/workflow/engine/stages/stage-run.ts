// What a run of stages is given, what it reports, and what it remembers while it goes on.
import type { JsonValue } from "../../../core/command/context.ts";
import type { Stage, StageWorkflow } from "../../definition/workflow.ts";
import type { PerformEffect, RunNarration } from "../effect.ts";

export type StageEvent = { readonly stage: Stage; readonly visit: number } & (
  | { readonly phase: "enter" }
  | { readonly phase: "gate"; readonly isOpen: boolean }
  | { readonly phase: "act"; readonly attempt: number }
  /** The act is over. Without checks it passes where the act did what it should. */
  | {
      readonly phase: "check";
      readonly attempt: number;
      readonly isPassed: boolean;
      readonly output: string;
    }
  | { readonly phase: "exit"; readonly isPassed: boolean; readonly reason: string | null }
  /** A stage, or `end`; null where the run fails here. */
  | { readonly phase: "next"; readonly to: string | null }
);

interface ChildCall {
  readonly name: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** What the child's own paths begin with. */
  readonly path: string;
  readonly signal: AbortSignal;
}

export type ChildEnding =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "ended"; readonly reason: string };

export interface StageRunOptions {
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Everything that is not pure goes through it, so that a run that is taken up comes to the same place. */
  readonly perform: PerformEffect;
  runChild(call: ChildCall): Promise<ChildEnding>;
  readonly narration: RunNarration;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: StageEvent) => void;
  /** The path of a workflow inside another. */
  readonly path?: string;
  /**
   * Waits before the very first act, for what a person says to begin with; it is added to a prompt. A run that is taken up
   * must get the same text again.
   */
  readonly beforeFirstAct?: (stage: Stage) => Promise<string>;
}

export type StageRunResult =
  | {
      readonly kind: "done";
      /** The stage in which it ended, with its output; `outputs` has what each stage that acted gave last. */
      readonly stage: string;
      readonly output: JsonValue;
      readonly outputs: Readonly<Record<string, JsonValue>>;
    }
  | { readonly kind: "failed"; readonly stage: string; readonly reason: string }
  /** Stopped, or its host leaves. */
  | { readonly kind: "ended"; readonly reason: string };

/** Ends the run from wherever it is noticed; no stage may go on after it. */
export class RunEnded extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** One entry into a stage. */
export interface StageVisit {
  readonly workflow: StageWorkflow;
  readonly stage: Stage;
  readonly visit: number;
  readonly options: StageRunOptions;
  /** What the person said to begin with; empty everywhere but in the first stage. */
  readonly opening: string;
  /** What `inputs` and `stages` are for templates; the rest changes within the visit. */
  readonly base: Readonly<Record<string, JsonValue>>;
  /** The output of the stage before this one. */
  readonly outputBefore: JsonValue;
  readonly spent: { calls: number; tokens: number };
}

export type StageScope = Readonly<Record<string, JsonValue>>;

/** Before its act a stage sees the output of the one before it, after it its own. */
export const scopeOf = (
  { base, outputBefore }: StageVisit,
  more: { readonly check?: CheckReport; readonly output?: JsonValue } = {},
): StageScope => ({
  ...base,
  output: outputBefore,
  ...(more.output === undefined ? {} : { output: more.output }),
  check: { passed: more.check?.isPassed ?? null, output: more.check?.output ?? "" },
});

export interface CheckReport {
  readonly isPassed: boolean;
  readonly output: string;
}

const MAX_CHECK_OUTPUT = 20_000;

/** The end of a long output says what went wrong. */
export function shortenOutput(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_CHECK_OUTPUT) return trimmed;
  const cut = trimmed.length - MAX_CHECK_OUTPUT;
  return `[${cut} characters before this are left out]\n${trimmed.slice(cut)}`;
}

/** `STAGE#VISIT/ATTEMPT/WHAT`: which of the effects of a run this is. */
export const pathOf = (
  { stage, visit, options }: StageVisit,
  attempt: number,
  what: string,
): string =>
  `${options.path === undefined ? "" : `${options.path}/`}${stage.name}#${visit}/${attempt}/${what}`;
