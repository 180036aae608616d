import type { StepName } from "../../core/step/step.ts";
import type { ToolEntry, ToolTable } from "../steps/tool-table.ts";

/** Copilot's tools as hooks under Claude Code's event names get them; the arguments may have either's names. */
const CLAUDE_NAMES: Readonly<Record<string, ToolEntry>> = {
  Bash: { kind: "shell", line: "command", protocolName: "Bash" },
  Read: {
    kind: "read",
    paths: ["file_path", "path"],
    protocolName: "Read",
    protocolArgs: { path: "file_path" },
  },
  Write: {
    kind: "write",
    paths: ["file_path", "path"],
    protocolName: "Write",
    protocolArgs: { path: "file_path", file_text: "content" },
  },
  Edit: {
    kind: "edit",
    paths: ["file_path", "path"],
    protocolName: "Edit",
    protocolArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
  },
  Grep: { kind: "search", paths: ["path", "paths"], nameGlob: "glob", protocolName: "Grep" },
  Glob: { kind: "search", paths: ["path"], protocolName: "Glob" },
  WebFetch: { kind: "fetch", protocolName: "WebFetch" },
  WebSearch: { kind: "fetch", protocolName: "WebSearch" },
  Task: { kind: "agent", protocolName: "Task" },
  Agent: { kind: "agent", protocolName: "Agent" },
};

/** Under these names it calls the hooks written for Claude Code. */
export const PASCAL_EVENTS: readonly (readonly [unknown, StepName])[] = [
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

/** The tools by their own names; under Claude Code's event names they come with Claude Code's. */
export const COPILOT_TOOLS: ToolTable = {
  // Its own tools have underscores only; `server-tool` is an MCP server's.
  mcp: /^mcp__|-/,
  tools: {
    bash: { kind: "shell", line: "command", protocolName: "Bash" },
    powershell: { kind: "shell", line: "command", protocolName: "PowerShell" },
    // Goes to a shell that already runs.
    write_bash: {
      kind: "shell",
      line: "input",
      isTyped: true,
      protocolName: "Bash",
      protocolArgs: { input: "command" },
    },
    write_powershell: {
      kind: "shell",
      line: "input",
      isTyped: true,
      protocolName: "PowerShell",
      protocolArgs: { input: "command" },
    },
    view: {
      kind: "read",
      paths: ["path"],
      protocolName: "Read",
      protocolArgs: { path: "file_path" },
    },
    create: {
      kind: "write",
      paths: ["path"],
      protocolName: "Write",
      protocolArgs: { path: "file_path", file_text: "content" },
    },
    edit: {
      kind: "edit",
      paths: ["path"],
      protocolName: "Edit",
      protocolArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
    },
    str_replace_editor: {
      kind: "edit",
      paths: ["path"],
      protocolName: "Edit",
      protocolArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
    },
    apply_patch: { kind: "edit", patch: "input", protocolName: "Edit" },
    grep: { kind: "search", paths: ["path", "paths"], nameGlob: "glob", protocolName: "Grep" },
    rg: { kind: "search", paths: ["path", "paths"], nameGlob: "glob", protocolName: "Grep" },
    glob: { kind: "search", paths: ["path"], protocolName: "Glob" },
    web_fetch: { kind: "fetch", protocolName: "WebFetch" },
    web_search: { kind: "fetch", protocolName: "WebSearch" },
    task: { kind: "agent", protocolName: "Agent" },
    ...CLAUDE_NAMES,
  },
};
