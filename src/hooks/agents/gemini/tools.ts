import type { ToolTable } from "../tool-table.ts";

const FOLDER = { dir_path: "path" };

export const GEMINI_TOOLS: ToolTable = {
  // `mcp_server_tool`; those of older versions are known by the payload's `mcp_context`.
  mcp: /^mcp_|__/,
  tools: {
    run_shell_command: { kind: "shell", line: "command", claude: "Bash" },
    read_file: { kind: "read", paths: ["file_path", "absolute_path"], claude: "Read" },
    read_many_files: { kind: "read", paths: ["include", "paths"] },
    list_directory: {
      kind: "read",
      paths: ["dir_path", "path"],
      claude: "LS",
      claudeArgs: FOLDER,
    },
    write_file: { kind: "write", paths: ["file_path"], claude: "Write" },
    replace: { kind: "edit", paths: ["file_path"], claude: "Edit" },
    glob: { kind: "search", paths: ["dir_path", "path"], claude: "Glob", claudeArgs: FOLDER },
    grep_search: {
      kind: "search",
      paths: ["dir_path", "path"],
      claude: "Grep",
      claudeArgs: FOLDER,
    },
    search_file_content: {
      kind: "search",
      paths: ["dir_path", "path"],
      claude: "Grep",
      claudeArgs: FOLDER,
    },
    web_fetch: { kind: "fetch", claude: "WebFetch" },
    google_web_search: { kind: "fetch", claude: "WebSearch" },
    invoke_agent: { kind: "agent", claude: "Agent" },
    codebase_investigator: { kind: "agent", claude: "Agent" },
    read_mcp_resource: { kind: "mcp" },
    list_mcp_resources: { kind: "mcp" },
  },
};
