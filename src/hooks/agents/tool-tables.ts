import { CLAUDE_TOOLS } from "./claude-code/tools.ts";
import { CODEX_TOOLS } from "./codex/tools.ts";
import { COPILOT_TOOLS } from "./copilot/tools.ts";
import { GEMINI_TOOLS } from "./gemini/tools.ts";
import { OPENCODE_TOOLS } from "./opencode/tools.ts";
import { QWEN_TOOLS } from "./qwen/tools.ts";
import { findTool, type ToolEntry, type ToolTable } from "./tool-table.ts";

const TABLES: ReadonlyMap<string, ToolTable> = new Map([
  ["claude-code", CLAUDE_TOOLS],
  ["codex", CODEX_TOOLS],
  ["copilot", COPILOT_TOOLS],
  ["gemini", GEMINI_TOOLS],
  ["opencode", OPENCODE_TOOLS],
  ["qwen", QWEN_TOOLS],
]);

/** A tool of any agent; nothing is known of the tools of an unknown one. */
export function findToolOf(agent: string, tool: string): ToolEntry {
  const table = TABLES.get(agent);
  return table === undefined ? { kind: "other" } : findTool(table, tool);
}

/** The agent's own name of the tool that Claude Code, or the agent itself, calls so; null where it has none like it. */
export function ownToolName(agent: string, name: string): string | null {
  const tools = TABLES.get(agent)?.tools ?? {};
  const alike = Object.entries(tools).find(([, { claude }]) => claude === name)?.[0];
  return alike ?? (Object.hasOwn(tools, name) ? name : null);
}
