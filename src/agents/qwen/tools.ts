import type { ToolTable } from "../steps/tool-table.ts";

export const QWEN_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    run_shell_command: {
      kind: "shell",
      line: "command",
      folder: ["directory"],
      protocolName: "Bash",
    },
    monitor: { kind: "shell", line: "command", protocolName: "Monitor" },
    read_file: {
      kind: "read",
      paths: ["file_path", "absolute_path"],
      protocolName: "Read",
      protocolArgs: { absolute_path: "file_path" },
    },
    zoom_image: { kind: "read", paths: ["file_path", "path"] },
    list_directory: { kind: "read", paths: ["path"], protocolName: "LS" },
    write_file: { kind: "write", paths: ["file_path"], protocolName: "Write" },
    edit: { kind: "edit", paths: ["file_path"], protocolName: "Edit" },
    notebook_edit: { kind: "edit", paths: ["notebook_path"], protocolName: "NotebookEdit" },
    grep_search: {
      kind: "search",
      paths: ["path"],
      // 0.24.4: ripgrep, else `git grep`, else `grep -r`; a `glob` brings back what is ignored.
      skipsIgnored: {
        args: ["pattern", "path", "limit"],
        byGit: true,
        settings: ".qwen/settings.json",
      },
      protocolName: "Grep",
    },
    glob: { kind: "search", paths: ["path"], protocolName: "Glob" },
    web_fetch: { kind: "fetch", protocolName: "WebFetch" },
    web_search: { kind: "fetch", protocolName: "WebSearch" },
    agent: { kind: "agent", protocolName: "Agent" },
    task: { kind: "agent", protocolName: "Agent" },
    read_mcp_resource: { kind: "mcp" },
  },
};
