import type { ToolTable } from "../tool-table.ts";

const FILE = { filePath: "file_path" };

export const OPENCODE_TOOLS: ToolTable = {
  // Its own tools have no underscore but one; `server_tool` is an MCP server's.
  mcp: /_/,
  tools: {
    bash: { kind: "shell", line: "command", claude: "Bash" },
    read: { kind: "read", paths: ["filePath"], claude: "Read", claudeArgs: FILE },
    list: { kind: "read", paths: ["path"], claude: "LS" },
    write: { kind: "write", paths: ["filePath"], claude: "Write", claudeArgs: FILE },
    edit: {
      kind: "edit",
      paths: ["filePath"],
      claude: "Edit",
      claudeArgs: {
        ...FILE,
        oldString: "old_string",
        newString: "new_string",
        replaceAll: "replace_all",
      },
    },
    multiedit: { kind: "edit", paths: ["filePath"], claude: "MultiEdit", claudeArgs: FILE },
    apply_patch: { kind: "edit", patch: "patchText", claude: "Edit" },
    patch: { kind: "edit", patch: "patchText", claude: "Edit" },
    grep: { kind: "search", paths: ["path"], claude: "Grep" },
    glob: { kind: "search", paths: ["path"], claude: "Glob" },
    webfetch: { kind: "fetch", claude: "WebFetch" },
    websearch: { kind: "fetch", claude: "WebSearch" },
    codesearch: { kind: "fetch" },
    task: { kind: "agent", claude: "Agent" },
  },
};
