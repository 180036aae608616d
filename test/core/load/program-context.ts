import type { CommandContext } from "../../../src/core/command/context.ts";
import type { CommandSummary } from "../../../src/core/command/definition.ts";
import type { ProgramDefinition } from "../../../src/core/load/program-definition.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";

export const SUMMARY: CommandSummary = {
  ...SUMMARY_DEFAULTS,
  name: "sample",
  description: "a sample",
};

export const argvDefinition = (...argv: string[]): ProgramDefinition => ({
  kind: "argv",
  argv,
  argvWindows: null,
  cwd: null,
  folder: "/",
});

const unavailable = (): never => {
  throw new Error("a program command has no business here");
};

/** The context of a person's command line without a terminal. */
export function programContext(changes: Partial<CommandContext> = {}): CommandContext {
  return {
    mode: "cli",
    rawCommand: "sample",
    workingDirectory: "/",
    root: "/",
    isInteractive: false,
    hasPipedInput: false,
    readInput: async () => new Uint8Array(),
    isBelowAgent: false,
    isAgreed: false,
    signal: new AbortController().signal,
    correlationId: "correlation",
    session: { id: "session", get: unavailable, update: unavailable, slot: unavailable },
    ask: {
      confirm: unavailable,
      select: unavailable,
      input: unavailable,
      choose: unavailable,
    },
    env: { get: unavailable, forChild: () => ({ PATH: process.env.PATH ?? "" }) },
    tool: async () => {
      throw new Error("no tools here");
    },
    dispatch: unavailable,
    run: unavailable,
    agent: unavailable,
    progress: unavailable,
    log: unavailable,
    write: async () => {},
    ...changes,
  };
}
