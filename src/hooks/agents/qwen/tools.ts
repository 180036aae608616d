import type { ToolTable } from "../tool-table.ts";

export const QWEN_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    run_shell_command: { kind: "shell", line: "command", claude: "Bash" },
    monitor: { kind: "shell", line: "command", claude: "Monitor" },
    read_file: {
      kind: "read",
      paths: ["file_path", "absolute_path"],
      claude: "Read",
      claudeArgs: { absolute_path: "file_path" },
    },
    zoom_image: { kind: "read", paths: ["file_path", "path"] },
    list_directory: { kind: "read", paths: ["path"], claude: "LS" },
    write_file: { kind: "write", paths: ["file_path"], claude: "Write" },
    edit: { kind: "edit", paths: ["file_path"], claude: "Edit" },
    notebook_edit: { kind: "edit", paths: ["notebook_path"], claude: "NotebookEdit" },
    grep_search: { kind: "search", paths: ["path"], claude: "Grep" },
    glob: { kind: "search", paths: ["path"], claude: "Glob" },
    web_fetch: { kind: "fetch", claude: "WebFetch" },
    web_search: { kind: "fetch", claude: "WebSearch" },
    agent: { kind: "agent", claude: "Agent" },
    task: { kind: "agent", claude: "Agent" },
    read_mcp_resource: { kind: "mcp" },
  },
};
