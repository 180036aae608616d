import {
  FAULT_CODES,
  type FaultClass,
  type FaultCodeName,
  type FaultFacts,
} from "./fault-codes.ts";
import type { Output } from "./output.ts";

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
  readonly partial?: Partial;
}

interface Partial {
  readonly output: Output;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** What an outcome, a log line or another process says about a fault. */
export interface FaultReport {
  readonly class: FaultClass;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** The build is made of several files, each with this class in it: a fault of one is a fault in all. */
const MARK = Symbol.for("adjutant.fault");

/** A fault at the edge: the user's file, flag or environment. Bugs are ordinary errors. */
export class Fault extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && MARK in value;
  }

  readonly [MARK] = true;
  override readonly name = "Fault";
  readonly class: FaultClass;
  readonly code: FaultCodeName;
  readonly exitCode: number;
  readonly facts: object;
  readonly hint: string | null;
  readonly where: Where | null;
  readonly reportedCode: string;
  readonly partial: Partial | null;

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

/** Makes a fault of the closed table; the facts must be the ones its message needs. */
export function fault<Code extends FaultCodeName>(
  code: Code,
  facts: FaultFacts<Code>,
  details: FaultDetails = {},
): Fault {
  const message: (facts: FaultFacts<Code>) => string = FAULT_CODES[code].message as never;
  return new Fault(code, facts, message(facts), details);
}

export function formatWhere(where: Where): string {
  const line = where.line === undefined ? "" : `:${where.line}`;
  return `${where.file}${line}${where.column === undefined ? "" : `:${where.column}`}`;
}

export function reportFault(raised: Fault): FaultReport {
  const { class: faultClass, reportedCode, message, hint } = raised;
  return { class: faultClass, code: reportedCode, message, hint };
}

/** The one line a person reads: what happened, where, what to do next. */
export function formatFault(raised: Pick<FaultReport, "message" | "hint">): string {
  if (!raised.hint) return raised.message;
  return `${raised.message}${raised.message.endsWith("?") ? "" : ";"} ${raised.hint}`;
}
