// A command of our own as a step: the same envelope that agents' steps have. Pure.
import type { FaultReport } from "../../core/command/fault.ts";
import type { FaultClass } from "../../core/command/fault-codes.ts";
import { type CommandResult, fail, ok } from "../../core/command/result.ts";
import { joinWords } from "../../core/command/words.ts";
import type { BeforeVerdict, CommandStep } from "../../core/dispatch/dispatch-context.ts";
import { textOrJson } from "../../core/project/json-value.ts";
import type { Envelope, ToolArguments } from "../../core/step/envelope.ts";
import type { StepDecision, StepResult } from "../../core/step/verdict.ts";

/** The agent that our own commands are a step of. */
export const OWN_AGENT = "adjutant";

export function commandEnvelope(
  step: CommandStep,
  name: "before_command" | "after_command",
  time: string,
): Envelope {
  return {
    protocol: 1,
    step: name,
    agent: OWN_AGENT,
    session_id: step.sessionId,
    cwd: step.cwd,
    correlation_id: step.correlationId,
    time,
    native: { line: step.line, surface: step.origin.surface },
    command: step.command.name,
    args: argumentsOf(step.args),
  };
}

/** Words of a program are positionals like any other's. */
function argumentsOf(args: unknown): ToolArguments {
  const plain = plainJson(args);
  if (Array.isArray(plain)) return { _: plain };
  return typeof plain === "object" && plain !== null ? { ...plain } : {};
}

/** A user's own parser may give anything; a handler gets what JSON can say. */
function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? String(part) : part,
  );
  return text === undefined ? null : JSON.parse(text);
}

/** What a `command` of a match is tried on: the line as it was typed, or as it would be typed by now. */
export function typedLine(step: CommandStep, envelope: Envelope, before: Envelope): string {
  if (envelope.args === before.args) return step.line;
  const { _: words, ...flags } = envelope.args ?? {};
  const listed = Object.entries(flags).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${textOrJson(one)}`)),
  );
  return joinWords([step.command.name, ...listed, ...[words ?? []].flat().map(textOrJson)]);
}

export function beforeVerdict(decision: StepDecision, step: CommandStep): BeforeVerdict {
  const { control, reason, result, args } = decision;
  if (control === "veto") return { kind: "veto", reason: reason ?? "vetoed" };
  if (result !== null) return { kind: "answer", result: resultOf(result) };
  if (args === null) return { kind: "proceed" };
  const isWords = Array.isArray(step.args) && Array.isArray(args._);
  return { kind: "proceed", args: isWords && Array.isArray(args._) ? args._ : args };
}

function resultOf({ output, error_output, exit_code = 0 }: StepResult): CommandResult {
  if (exit_code === 0) return { ...ok(output), errorOutput: error_output ?? null };
  return { ...fail(error_output ?? "", exit_code), output };
}

const REJECTING: ReadonlySet<FaultClass> = new Set(["Usage", "Config", "Trust", "Consent", "Hook"]);

export function outcomeOf(ended: {
  readonly exitCode: number;
  readonly error: FaultReport | null;
}): NonNullable<Envelope["outcome"]> {
  const { exitCode: exit_code, error } = ended;
  if (error === null) return { kind: exit_code === 0 ? "ok" : "failed", exit_code };
  if (error.class === "Cancelled") return { kind: "cancelled", exit_code };
  return { kind: REJECTING.has(error.class) ? "rejected" : "failed", exit_code };
}
