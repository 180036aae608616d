import {
  FAULT_CODES,
  type FaultClass,
  type FaultCodeName,
  type FaultFacts,
} from "./fault-codes.ts";

/** A place in a user's file, printed as `file:line:column`. */
export interface Where {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

interface FaultDetails {
  readonly hint?: string;
  readonly where?: Where;
  readonly cause?: unknown;
  /** Where the facts decide it and not the code alone. */
  readonly exitCode?: number;
  /** A code from outside that says more than ours, such as an agent's `CLAUDE_RATE_LIMIT`. */
  readonly reportedCode?: string;
  /** What the command has to show all the same. */
  readonly partial?: PartialResult;
}

interface PartialResult {
  readonly output: string | Uint8Array;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** What an outcome, a log line or another process says about a fault. */
export interface FaultReport {
  readonly class: FaultClass;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/**
 * A fault at the edge: the user's file, flag or environment. Bugs are ordinary errors.
 *
 * @example
 * const refusal = new Fault("Vetoed", {}, "not on a Friday", { hint: "come back on Monday" });
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly class: FaultClass;
  readonly code: FaultCodeName;
  readonly exitCode: number;
  readonly facts: object;
  readonly hint: string | null;
  readonly where: Where | null;
  readonly reportedCode: string;
  readonly partial: PartialResult | null;

  constructor(code: FaultCodeName, facts: object, message: string, details: FaultDetails) {
    super(
      details.where ? `${formatWhere(details.where)}: ${message}` : message,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.class = FAULT_CODES[code].class;
    this.code = code;
    this.exitCode = details.exitCode ?? FAULT_CODES[code].exitCode;
    this.facts = facts;
    this.hint = details.hint ?? null;
    this.where = details.where ?? null;
    this.reportedCode = details.reportedCode ?? code;
    this.partial = details.partial ?? null;
  }
}

/** The table seen by code: each message takes the facts of its own. */
const MESSAGES: {
  readonly [Code in FaultCodeName]: { readonly message: (facts: FaultFacts<Code>) => string };
} = FAULT_CODES;

/** Makes a fault of the closed table; the facts must be the ones its message needs. */
export function fault<Code extends FaultCodeName>(
  code: Code,
  facts: FaultFacts<Code>,
  details: FaultDetails = {},
): Fault {
  return new Fault(code, facts, MESSAGES[code].message(facts), details);
}

export function formatWhere(where: Where): string {
  const line = where.line === undefined ? "" : `:${where.line}`;
  return `${where.file}${line}${where.column === undefined ? "" : `:${where.column}`}`;
}

export function reportFault(raised: Fault): FaultReport {
  const { class: faultClass, reportedCode, message, hint } = raised;
  const report = { class: faultClass, code: reportedCode, message, hint };
  RAISED.set(report, raised);
  return report;
}

/** What a report was made of, for as long as somebody has the report; one from another process has nothing. */
export const RAISED = new WeakMap<FaultReport, Fault>();

/** The one line a person reads: what happened, where, what to do next. */
export function formatFault(raised: Pick<FaultReport, "message" | "hint">): string {
  if (!raised.hint) return raised.message;
  return `${raised.message}${raised.message.endsWith("?") ? "" : ";"} ${raised.hint}`;
}

/** The words given do not fit; the help of the command says which do. */
export const misuse = (command: string, problem: string): Fault =>
  fault("ArgumentsInvalid", { command, problem }, { hint: `see \`adj help ${command}\`` });

/** What went wrong on our side, in the words of a fault where it is one. */
export function ownProblem(error: unknown): string {
  if (error instanceof Fault) return formatFault(error);
  // The engine's own words for it say nothing to a person.
  const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
  return isTooDeep ? "what it was given is nested too deep to be read" : messageOf(error);
}

/** What was thrown, in its own words; anything may be thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The system's name for what went wrong, such as `ENOENT`; null where the error has none. */
export function systemCodeOf(error: unknown): string | null {
  const isCoded = error instanceof Error && "code" in error;
  return isCoded && typeof error.code === "string" ? error.code : null;
}
