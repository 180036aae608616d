import type { ToolTable } from "../tool-table.ts";
import { CLAUDE_NAMES } from "./claude-names.ts";

/** The tools by their own names; under Claude Code's event names they come with Claude Code's. */
export const COPILOT_TOOLS: ToolTable = {
  // Its own tools have underscores only; `server-tool` is an MCP server's.
  mcp: /^mcp__|-/,
  tools: {
    bash: { kind: "shell", line: "command", claude: "Bash" },
    powershell: { kind: "shell", line: "command", claude: "PowerShell" },
    // Goes to a shell that already runs.
    write_bash: { kind: "shell", line: "input", claude: "Bash", claudeArgs: { input: "command" } },
    view: { kind: "read", paths: ["path"], claude: "Read", claudeArgs: { path: "file_path" } },
    create: {
      kind: "write",
      paths: ["path"],
      claude: "Write",
      claudeArgs: { path: "file_path", file_text: "content" },
    },
    edit: {
      kind: "edit",
      paths: ["path"],
      claude: "Edit",
      claudeArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
    },
    str_replace_editor: {
      kind: "edit",
      paths: ["path"],
      claude: "Edit",
      claudeArgs: { path: "file_path", old_str: "old_string", new_str: "new_string" },
    },
    apply_patch: { kind: "edit", patch: "input", claude: "Edit" },
    grep: { kind: "search", paths: ["path", "paths"], claude: "Grep" },
    rg: { kind: "search", paths: ["path", "paths"], claude: "Grep" },
    glob: { kind: "search", paths: ["path"], claude: "Glob" },
    web_fetch: { kind: "fetch", claude: "WebFetch" },
    web_search: { kind: "fetch", claude: "WebSearch" },
    task: { kind: "agent", claude: "Agent" },
    ...CLAUDE_NAMES,
  },
};
