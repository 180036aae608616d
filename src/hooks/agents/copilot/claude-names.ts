import type { StepName } from "../../step.ts";
import type { ToolEntry } from "../tool-table.ts";

/** Copilot's tools as hooks under Claude Code's event names get them; the arguments may have either's names. */
export const CLAUDE_NAMES: Readonly<Record<string, ToolEntry>> = {
  Bash: { kind: "shell", line: "command", claude: "Bash" },
  Read: {
    kind: "read",
    paths: ["file_path", "path"],
    claude: "Read",
    claudeArgs: { path: "file_path" },
  },
  Write: {
    kind: "write",
    paths: ["file_path", "path"],
    claude: "Write",
    claudeArgs: { path: "file_path", file_text: "content" },
  },
  Edit: {
    kind: "edit",
    paths: ["file_path", "path"],
    claude: "Edit",
    claudeArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
  },
  Grep: { kind: "search", paths: ["path", "paths"], claude: "Grep" },
  Glob: { kind: "search", paths: ["path"], claude: "Glob" },
  WebFetch: { kind: "fetch", claude: "WebFetch" },
  WebSearch: { kind: "fetch", claude: "WebSearch" },
  Task: { kind: "agent", claude: "Task" },
  Agent: { kind: "agent", claude: "Agent" },
};

/** Under these names it calls the hooks written for Claude Code. */
export const CLAUDE_EVENTS: readonly (readonly [unknown, StepName])[] = [
  ["SessionStart", "session_start"],
  ["UserPromptSubmit", "before_prompt"],
  ["PreToolUse", "before_tool"],
  ["PostToolUse", "after_tool"],
  ["PostToolUseFailure", "after_tool"],
  ["PermissionRequest", "before_permission"],
  ["Stop", "before_turn_end"],
  ["PreCompact", "before_compact"],
  ["PostCompact", "after_compact"],
  ["SubagentStart", "subagent_start"],
  ["SubagentStop", "subagent_end"],
  ["Notification", "notification"],
  ["SessionEnd", "session_end"],
];
