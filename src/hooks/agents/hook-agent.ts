// What is known of one agent's hook protocol. One folder per agent; a codec is pure and knows its agent only.
import type { Decision } from "../decision.ts";
import type { Envelope, NativePayload } from "../envelope.ts";
import type { ChangeField, StepName } from "../step.ts";

/** What the codec cannot know from the payload. */
export interface StepPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly correlationId: string;
  readonly time: string;
}

/** What the agent can do with a decision at a step it offers. */
export interface StepAbility {
  /** The agent's own name of the event. */
  readonly event: string;
  readonly veto: "blocks" | "continues" | "feedback" | "warns" | "none";
  readonly changes: readonly ChangeField[];
  /** `ask` of `permission` becomes this where the agent cannot ask. */
  readonly canAsk: boolean;
}

/** One of the agent's events that leads to `adj hook`, and the step it becomes there. */
export interface StepEvent {
  readonly event: string;
  readonly step: StepName;
}

export interface HookAbilities {
  readonly steps: Readonly<Partial<Record<StepName, StepAbility>>>;
  /** A rewrite of `args` is at the same time a permission on this agent. */
  readonly rewriteAllows: boolean;
  /** How shims get onto PATH: by the session start, by the plugin, before each line, or not at all. */
  readonly shims: "env-file" | "plugin" | "line-prefix" | "none";
  /** How a prompt can be answered without the model. */
  readonly promptAnswer: "blocked-prompt" | "handled" | "synthetic-response" | "none";
  /** The agent's own variable that names the project, if it sets one. */
  readonly projectVariables: readonly string[];
  /** Milliseconds the installed entry allows for a step; the pipeline ends 2 s before it. */
  readonly hookLimitMs: number;
  /** Whatever is on stderr is read as an answer or shown to the model. */
  readonly readsStderr: boolean;
}

/** How one decision is said natively. */
export interface NativeAnswer {
  /** Empty, or exactly one JSON object. */
  readonly stdout: string;
  /** What could not be honoured and what became of it, for the diagnostics. */
  readonly notes: readonly string[];
}

/** The answer to a whole prompt, where the agent can be answered for. */
export interface PromptAnswer {
  readonly output: string;
  readonly exitCode: number;
}

export interface HookAgent {
  readonly name: string;
  readonly abilities: HookAbilities;
  /** Null for an event that is no canonical step: it is let pass with `silence`. `safety` is left to whoever asks. */
  readStep(payload: NativePayload, place: StepPlace): Envelope | null;
  /** "No opinion" in this agent's safest form, for the event of the payload. */
  silence(payload: NativePayload): string;
  /** Restricting wishes that cannot be honoured become the strongest veto there is; additive ones are left out. */
  writeAnswer(decision: Decision, envelope: Envelope): NativeAnswer;
  /**
   * The step at whose event a whole prompt can be answered, null for every other event. On most agents that is
   * `before_prompt` itself; where it is a later event that is no step of its own, the handlers have seen the prompt.
   */
  readPromptToAnswer(payload: NativePayload, place: StepPlace): Envelope | null;
  /** Null where `promptAnswer` is `none` or this event is not the one to answer at. */
  writePromptAnswer(answer: PromptAnswer, envelope: Envelope): string | null;
  /** The shell line in the tool's arguments, null where the tool is no shell. */
  shellLine(envelope: Envelope): string | null;
  /** The files the tool call names, as written. */
  filePaths(envelope: Envelope): readonly string[];
  /** The arguments with another shell line, all other fields kept. */
  withShellLine(envelope: Envelope, line: string): Readonly<Record<string, unknown>>;
}
