// The context a running command is given, made from what the surface lent and what the command declared.
import type { CommandSummary } from "../command/command.ts";
import type { Ask, CommandContext, ContextEnvironment } from "../command/context.ts";
import type { DeclaredEnvironment } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import type { Output } from "../command/output.ts";
import type { SessionAccessor } from "../command/session-access.ts";
import { childEnvironment } from "../process/child-environment.ts";
import type { Attachment, Request } from "./request.ts";

export interface ContextFacts {
  readonly request: Request;
  readonly attachment: Attachment;
  readonly summary: CommandSummary;
  readonly line: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  readonly session: SessionAccessor;
  readonly ask: Ask;
  readonly belowAgent: boolean;
  readonly dispatch: CommandContext["dispatch"];
  readonly log: CommandContext["log"];
  readonly onEnvironmentRead: (value: string | undefined) => void;
}

/** A person sits at the terminal this dispatch came from. */
export const isAtTerminal = ({ origin }: Request, { isInteractive }: Attachment): boolean =>
  isInteractive === true && (origin.surface === "cli" || origin.surface === "console");

export function makeContext(facts: ContextFacts): CommandContext {
  const { request, attachment } = facts;
  return Object.freeze({
    mode: request.origin.surface,
    rawCommand: facts.line,
    workingDirectory: request.cwd,
    isInteractive: isAtTerminal(request, attachment),
    hasPipedInput: attachment.pipedInput !== undefined && request.origin.surface === "cli",
    readInput: async () => attachment.pipedInput?.() ?? new Uint8Array(),
    isBelowAgent: facts.belowAgent,
    signal: facts.signal,
    correlationId: facts.correlationId,
    session: facts.session,
    ask: facts.ask,
    env: bindEnvironment(facts),
    dispatch: facts.dispatch,
    log: facts.log,
    progress: (step: number | string) => attachment.onProgress?.(step),
    write: async (chunk: Output, channel: "stdout" | "stderr" = "stdout") =>
      attachment.onOutput?.(typeof chunk === "string" ? Buffer.from(chunk) : chunk, channel),
  });
}

const declares = (declared: DeclaredEnvironment, name: string): boolean =>
  Array.isArray(declared) ? declared.includes(name) : Object.hasOwn(declared, name);

/** The value that the definition itself sets. */
function declaredValue(declared: DeclaredEnvironment, name: string): string | undefined {
  if (Array.isArray(declared)) return undefined;
  return Object.entries(declared).find(([own]) => own === name)?.[1];
}

function bindEnvironment({
  request,
  summary,
  session,
  correlationId,
  onEnvironmentRead,
}: ContextFacts): ContextEnvironment {
  return {
    get: (name) => {
      if (!summary.inheritEnv && !declares(summary.env, name))
        throw fault(
          "EnvUndeclared",
          { command: summary.name, name },
          { hint: `add \`env: ["${name}"]\` to the command` },
        );
      const value = declaredValue(summary.env, name) ?? request.env[name];
      onEnvironmentRead(value);
      return value;
    },
    forChild: () => {
      const wish = { source: request.env, declared: summary.env };
      const given = childEnvironment({ ...wish, inheritEnv: summary.inheritEnv });
      const base = childEnvironment({ ...wish, inheritEnv: false });
      for (const [name, value] of Object.entries(given))
        if (!Object.hasOwn(base, name)) onEnvironmentRead(value);
      return { ...given, ADJ_SESSION_ID: session.id, ADJ_CORRELATION_ID: correlationId };
    },
  };
}
