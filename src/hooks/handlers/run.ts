// The one place where a rule becomes a handler that runs. What each kind needs is loaded when it is used.
import type { StepSubject } from "../../core/step/envelope.ts";
import type { HookRule } from "../match/rule.ts";
import { hookDepth, MAX_HOOK_DEPTH } from "./environment.ts";
import type { HandlerOutcome } from "./protocol.ts";

export async function runHookHandler(
  rule: HookRule,
  subject: StepSubject,
  context: HandlerContext,
): Promise<HandlerOutcome> {
  if (context.signal.aborted) return { kind: "cancelled" };
  if (hookDepth(context.env) >= MAX_HOOK_DEPTH)
    return { kind: "error", problem: `hooks called each other more than ${MAX_HOOK_DEPTH} deep` };
  const { run } = rule;
  switch (run.type) {
    case "argv":
    case "shell": {
      const { runCommandHandler } = await import("./program.ts");
      return runCommandHandler({ ...rule, run }, subject, context);
    }
    case "http": {
      const { runHttpHandler } = await import("./http.ts");
      return runHttpHandler({ ...rule, run }, subject, context);
    }
    case "builtin": {
      const { runBuiltinHandler } = await import("./builtin.ts");
      return runBuiltinHandler({ ...rule, run }, subject, context);
    }
  }
}

/** What a handler runs with, beside its rule and the step. */
export interface HandlerContext {
  /** The caller's, which in the resident is not the process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  /** Where the hooks keep what they know of this session. */
  readonly sessionDir: string;
  /** The rule's own limit, or what is left until the step's deadline. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
