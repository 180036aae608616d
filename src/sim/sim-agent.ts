import { basename } from "node:path";

/** The agent CLIs whose environment and tools are known here. */
export const SIM_AGENTS = [
  "claude-code",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  "qwen",
] as const;
export type SimAgent = (typeof SIM_AGENTS)[number];

/** The agent that a program is, by its file's name: `/opt/bin/claude` is claude-code. */
export function findAgentOfProgram(program: string): SimAgent | null {
  const name = basename(program).replace(/\.(exe|cmd|js|mjs|cjs)$/, "");
  const wanted = name === "claude" ? "claude-code" : name;
  return SIM_AGENTS.find((agent) => agent === wanted) ?? null;
}
