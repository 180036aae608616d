// What is known of one agent's hook protocol. One folder per agent; a codec is pure and knows its agent only.
import type { Envelope, NativePayload } from "../../core/step/envelope.ts";
import type { ChangeField, StepName } from "../../core/step/step.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { ToolCallReader, ToolTable } from "./tool-table.ts";

/** What the codec cannot know from the payload. */
export interface StepContext {
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
  /** A `systemMessage` in any answer is shown to the person. */
  readonly showsSystemMessage?: boolean;
  readonly steps: Readonly<Partial<Record<StepName, StepAbility>>>;
  /** A rewrite of `args` is at the same time a permission on this agent. */
  readonly rewriteAllows: boolean;
  /** How shims get onto PATH: by the session start, by the plugin, before each line, or not at all. */
  readonly shims: "env-file" | "plugin" | "line-prefix" | "none";
  /** With `env-file`: the variable that names the file whose lines every shell of the session reads. */
  readonly envFileVariable?: string;
  /** How a prompt can be answered without the model. */
  readonly promptAnswer: "blocked-prompt" | "handled" | "synthetic-response" | "none";
  /** The agent's own variable that names the project, if it sets one. */
  readonly projectVariables: readonly string[];
  /** Milliseconds the installed entry allows for a step; the pipeline ends 2 s before it. */
  readonly hookLimitMs: number;
  /** Up to so long an entry may say that a person is waited for; absent where the agent waits no longer than usual. */
  readonly maxHookLimitMs?: number;
  /** After so long the tool runs without an answer, whatever an entry says. */
  readonly opensAfterMs?: number;
}

/** How one decision is said natively. */
interface NativeAnswer {
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

interface RuleFolders {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly root: string;
}

export interface HookAgent extends ToolCallReader {
  readonly name: string;
  readonly tools: ToolTable;
  readonly abilities: HookAbilities;
  /** Null for an event that is no canonical step: it is let pass with `silence`. `safety` is left to whoever asks. */
  readStep(payload: NativePayload, context: StepContext): Envelope | null;
  /**
   * Whether the person's own rules in the agent speak of a shell line, where the agent tests them only on what a hook
   * made of it.
   */
  hasOwnRule?(line: string, folders: RuleFolders): boolean;
  /** "No opinion" in this agent's safest form, for the event of the payload. */
  silence(payload: NativePayload): string;
  /** What restricts and cannot be honoured becomes the strongest veto there is; what only adds is left out. */
  writeAnswer(decision: StepDecision, envelope: Envelope): NativeAnswer;
  /**
   * The step at whose event a whole prompt can be answered, null for every other event. On most agents that is
   * `before_prompt` itself; where it is a later event that is no step of its own, the handlers have seen the prompt.
   */
  readPromptToAnswer(payload: NativePayload, context: StepContext): Envelope | null;
  /** Null where `promptAnswer` is `none` or this event is not the one to answer at. */
  writePromptAnswer(answer: PromptAnswer, envelope: Envelope): string | null;
}

// What an agent's table of abilities is written with, and what is read from it.

/** All that a decision can do to a call before it is made. */
export const CALL_CHANGES = ["args", "result", "permission", "additional_context"] as const;

/** Without a veto the step can only be observed. */
export const stepAbility = (
  event: string,
  veto: StepAbility["veto"] = "none",
  changes: StepAbility["changes"] = [],
): StepAbility => ({ event, veto, changes, canAsk: false });

/** Where a call can be blocked, and a person asked as well. */
export const askingStepAbility = (event: string, changes: StepAbility["changes"]): StepAbility => ({
  ...stepAbility(event, "blocks", changes),
  canAsk: true,
});

/** As a session meets them: the order of the entries in an agent's file. */
const IN_ORDER = [
  "session_start",
  "before_prompt",
  "before_tool",
  "before_permission",
  "after_tool",
  "before_turn_end",
  "subagent_start",
  "subagent_end",
  "before_compact",
  "after_compact",
  "notification",
  "session_end",
] as const;

/** The agent's events that are steps; `more` names a second event of a step. */
export const eventsOf = (
  { steps }: Pick<HookAbilities, "steps">,
  more: Readonly<Partial<Record<StepName, string>>> = {},
): readonly StepEvent[] =>
  IN_ORDER.flatMap((step) =>
    [steps[step]?.event, more[step]]
      .filter((event) => event !== undefined)
      .map((event) => ({ event, step })),
  );

export const stepsByEvent = (events: readonly StepEvent[]): ReadonlyMap<unknown, StepName> =>
  new Map(events.map(({ event, step }) => [event, step]));
