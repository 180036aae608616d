// The canonical steps, and what a verdict may do at each: the table of the protocol as data.

export const STEPS = [
  "session_start",
  "before_prompt",
  "before_tool",
  "after_tool",
  "before_permission",
  "before_turn_end",
  "before_compact",
  "after_compact",
  "subagent_start",
  "subagent_end",
  "notification",
  "session_end",
  "before_command",
  "after_command",
] as const;
export type StepName = (typeof STEPS)[number];

/** Those at which it is decided whether a tool runs. */
const TOOL_STEPS: ReadonlySet<StepName> = new Set(["before_tool", "before_permission"]);

export const decidesTool = (step: StepName): boolean => TOOL_STEPS.has(step);

/** What a veto stands for at a step; the word is accepted there beside `veto`. */
type VetoWord = "break" | "continue" | "skip";

/** The fields of a verdict that change something, beside control and reason. */
export type ChangeField =
  | "additional_context"
  | "prompt"
  | "args"
  | "result"
  | "permission"
  | "output";

export interface StepRule {
  /** Null where a step can only be observed or where a veto is feedback and nothing else. */
  readonly vetoWord: VetoWord | null;
  readonly canVeto: boolean;
  readonly changes: readonly ChangeField[];
  /** What a handler's own error means here unless its rule says otherwise. */
  readonly onError: "block" | "skip";
}

const OBSERVED: StepRule = { vetoWord: null, canVeto: false, changes: [], onError: "skip" };
const CONTEXT: readonly ChangeField[] = ["additional_context"];

export const STEP_RULES: Readonly<Record<StepName, StepRule>> = {
  session_start: { vetoWord: "break", canVeto: true, changes: CONTEXT, onError: "skip" },
  before_prompt: {
    vetoWord: "break",
    canVeto: true,
    changes: ["prompt", "additional_context"],
    onError: "skip",
  },
  before_tool: {
    vetoWord: "break",
    canVeto: true,
    changes: ["args", "result", "permission", "additional_context"],
    onError: "block",
  },
  after_tool: {
    vetoWord: null,
    canVeto: true,
    changes: ["additional_context", "output"],
    onError: "skip",
  },
  before_permission: { vetoWord: null, canVeto: true, changes: ["permission"], onError: "block" },
  before_turn_end: { vetoWord: "continue", canVeto: true, changes: CONTEXT, onError: "skip" },
  before_compact: { vetoWord: "skip", canVeto: true, changes: CONTEXT, onError: "skip" },
  after_compact: { ...OBSERVED, changes: CONTEXT },
  subagent_start: { vetoWord: "break", canVeto: true, changes: CONTEXT, onError: "skip" },
  subagent_end: { vetoWord: "continue", canVeto: true, changes: CONTEXT, onError: "skip" },
  notification: OBSERVED,
  session_end: OBSERVED,
  before_command: {
    vetoWord: "break",
    canVeto: true,
    changes: ["args", "result"],
    onError: "block",
  },
  after_command: { vetoWord: null, canVeto: true, changes: [], onError: "skip" },
};

/** A turn may end after tests that take minutes; every other step has somebody waiting for it. */
const TURN_END_LIMIT_MS = 600_000;

/** An agent's turn ends, or a sub-agent's. */
export const isTurnEnd = (step: StepName): boolean =>
  step === "before_turn_end" || step === "subagent_end";

/** How long the agent is told to wait at a step, given what it waits at most of them. */
export const limitOfStep = (step: StepName, limitMs: number): number =>
  isTurnEnd(step) ? Math.max(limitMs, TURN_END_LIMIT_MS) : limitMs;

/** Begins what an entry without a client between says to the program: how many seconds it gives a person who is asked. */
export const ENTRY_LIMIT_WORD = "--entry=";
