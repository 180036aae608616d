import { onTestFinished } from "vitest";
import type { Outcome } from "../../../src/core/command/request.ts";
import { waitUntil } from "../../support/wait-until.ts";
import {
  type ProgramParts,
  startProgram,
  type TestCommand,
  type TestProgram,
} from "./test-program.ts";

/** A program that is closed when the test ends. */
export function runProgram(
  commands: Readonly<Record<string, TestCommand>>,
  parts: ProgramParts = {},
): TestProgram {
  const program = startProgram(commands, parts);
  onTestFinished(() => program.close());
  return program;
}

/** The ending in one line: `failed Timeout/CommandTimeout 124`. */
export function describeOutcome({ kind, error, result }: Outcome): string {
  const code = error === undefined ? "-" : `${error.class}/${error.code}`;
  return `${kind} ${code} ${result.exitCode}`;
}

/** Whether nobody holds or waits for any session. */
export function isEveryLeaseFree(program: TestProgram): boolean {
  return program.sessions.list().every(({ holder, waiting }) => holder === null && waiting === 0);
}

/** A point in a handler that a test can wait for and let go. */
export interface Gate {
  readonly reached: Promise<void>;
  /** For the handler: says that it is here and waits to be let through. */
  pass(): Promise<void>;
  open(): void;
}

export function makeGate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    pass: () => {
      reached.resolve();
      return opened.promise;
    },
    open: opened.resolve,
  };
}

/** Until so many dispatches stand in line for the session behind whoever holds it. */
export async function untilWaiting(program: TestProgram, count: number): Promise<void> {
  await waitUntil(() => program.sessions.list().some(({ waiting }) => waiting === count));
}
