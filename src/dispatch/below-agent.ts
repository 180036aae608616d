import type { Origin } from "./request.ts";

/** Variables that agents set for what they start; ADJ_DEPTH is set by Adjutant for the agents it starts. */
const MARKS = [
  "ADJ_DEPTH",
  "AI_AGENT",
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "COPILOT_CLI",
  "GEMINI_CLI",
  "OPENCODE",
  "QWEN_CODE",
] as const;

/** Whether an agent, not a person, is asking: then no word given in advance counts. */
export function isBelowAgent(
  origin: Origin,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (origin.agent !== undefined || origin.surface === "hook" || origin.surface === "mcp")
    return true;
  return MARKS.some((mark) => (env[mark] ?? "") !== "");
}
