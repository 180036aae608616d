// The one place where a rule becomes a handler that runs. What each kind needs is loaded when it is used.
import type { HookRule } from "../rule.ts";
import type { StepSubject } from "../subject.ts";
import { DEEPEST, hookDepth } from "./handler-environment.ts";
import type { HandlerOutcome } from "./handler-outcome.ts";
import type { HandlerPlace } from "./handler-place.ts";

export async function runHandler(
  rule: HookRule,
  subject: StepSubject,
  place: HandlerPlace,
): Promise<HandlerOutcome> {
  if (place.signal.aborted) return { kind: "cancelled" };
  if (hookDepth(place.env) >= DEEPEST)
    return { kind: "error", problem: `hooks called each other more than ${DEEPEST} deep` };
  const { run } = rule;
  switch (run.type) {
    case "argv":
    case "shell": {
      const { runCommandHandler } = await import("./command-handler.ts");
      return runCommandHandler({ ...rule, run }, subject, place);
    }
    case "http": {
      const { runHttpHandler } = await import("./http-handler.ts");
      return runHttpHandler({ ...rule, run }, subject, place);
    }
    case "builtin": {
      const { runBuiltinHandler } = await import("./builtin-handler.ts");
      return runBuiltinHandler({ ...rule, run }, subject, place);
    }
  }
}
