// Copilot's own payloads do not name their event (only permissionRequest does), so it is told by the fields each
// has alone; measured on 1.0.102.
import type { NativePayload } from "../../envelope.ts";

type CamelRule = readonly [string, (has: (key: string) => boolean) => boolean];

// The first that fits.
const RULES: readonly CamelRule[] = [
  ["postToolUse", (has) => has("toolName") && has("toolResult")],
  ["postToolUseFailure", (has) => has("toolName") && has("error")],
  ["preToolUse", (has) => has("toolName")],
  ["errorOccurred", (has) => has("error")],
  ["userPromptTransformed", (has) => has("transformedPrompt")],
  ["subagentStop", (has) => has("agentName") && (has("stopReason") || has("stop_hook_active"))],
  ["agentStop", (has) => has("stopReason") || has("stop_hook_active")],
  ["subagentStart", (has) => has("agentName")],
  ["sessionStart", (has) => has("source")],
  ["userPromptSubmitted", (has) => has("prompt")],
  ["preCompact", (has) => has("trigger")],
  ["notification", (has) => has("message")],
  ["sessionEnd", (has) => has("reason")],
];

/** Null for a payload that looks like none of them. */
export function findCamelEvent(payload: NativePayload): string | null {
  if (typeof payload.hookName === "string") return payload.hookName;
  const has = (key: string): boolean => Object.hasOwn(payload, key);
  return RULES.find(([, fits]) => fits(has))?.[0] ?? null;
}
