// A handler that comes with the program: `run: { builtin: NAME, with: {…} }`.
import type { LineAnalysis, UnsureKind } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import { STEP_RULES, type StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";

export interface Builtin<Options = unknown> {
  readonly name: string;
  readonly description: string;
  /** Where it has something to say; a rule on another step is a configuration error. */
  readonly steps: readonly StepName[];
  /** The options are those that its schema in options.ts made of `with`. */
  decide(
    options: Options,
    subject: StepSubject,
    context: BuiltinContext,
  ): Verdict | Promise<Verdict>;
}

export interface BuiltinContext {
  /** The rule it runs for. */
  readonly rule: string;
  readonly stateDir: string;
  /** Where the hooks keep what they know of this session. */
  readonly sessionDir: string;
  readonly now: Date;
  /** The environment a handler process would get. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a guard does about what it found. */
type GuardAction = "deny" | "ask";

export const NO_INTERVENTION: Verdict = {};

export const vetoBecause = (reason: string): Verdict => ({ control: "veto", reason });

export const askBecause = (reason: string): Verdict => ({ permission: "ask", reason });

export const actBecause = (action: GuardAction, reason: string): Verdict =>
  action === "ask" ? askBecause(reason) : vetoBecause(reason);

/** What a guard does where it cannot tell; `pass` is for those who know what they let through. */
type UnsureAction = GuardAction | "pass";

/** For what a guard could not read or look up. An agent that cannot ask refuses instead, which its codec sees to; where
 * the step itself has nobody to ask, it is a refusal here. */
export function actUnsure(
  action: UnsureAction,
  reason: string,
  { envelope }: StepSubject,
): Verdict {
  if (action === "pass") return NO_INTERVENTION;
  const canAsk = STEP_RULES[envelope.step].changes.includes("permission");
  return actBecause(canAsk ? action : "deny", reason);
}

const HIDING_KINDS: ReadonlySet<UnsureKind> = new Set<UnsureKind>([
  "program",
  "shell-input",
  "written-script",
]);

/**
 * Why nobody can say what a line runs, or null. Code given to an interpreter is everyday work and counts only where the
 * rule asks for it.
 */
export function findHiddenProgram(
  line: LineAnalysis | null,
  interpreters: "ask" | "pass",
): string | null {
  const hidden = line?.unsure.find(
    ({ kind }) => HIDING_KINDS.has(kind) || (kind === "interpreter" && interpreters === "ask"),
  );
  return hidden === undefined ? null : `what \`${hidden.text}\` runs is known only when it runs`;
}
