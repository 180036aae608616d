import type { IncomingHttpHeaders } from "node:http";
import type { SimAgent } from "./sim-agent.ts";

const USER_AGENTS: readonly { readonly pattern: RegExp; readonly agent: SimAgent }[] = [
  { pattern: /^claude-cli\//i, agent: "claude-code" },
  { pattern: /^codex/i, agent: "codex" },
  { pattern: /^geminicli/i, agent: "gemini" },
  { pattern: /^qwencode\//i, agent: "qwen" },
  { pattern: /^opencode\//i, agent: "opencode" },
  { pattern: /copilot/i, agent: "copilot" },
];

/** Which CLI is asking, as far as it says so. */
export function identifyAgent(headers: IncomingHttpHeaders): SimAgent | null {
  const said = headers["user-agent"] ?? "";
  const found = USER_AGENTS.find(({ pattern }) => pattern.test(said));
  if (found !== undefined) return found.agent;
  // With a provider of the user's own, copilot 1.0.102 names only the library it is built on.
  return headers["x-initiator"] === undefined ? null : "copilot";
}
