import type { ToolTable } from "../steps/tool-table.ts";

const FOLDER = { dir_path: "path" };

export const GEMINI_TOOLS: ToolTable = {
  // `mcp_server_tool`; those of older versions are known by the payload's `mcp_context`.
  mcp: /^mcp_|__/,
  tools: {
    run_shell_command: {
      kind: "shell",
      line: "command",
      folder: ["dir_path", "directory"],
      protocolName: "Bash",
    },
    read_file: { kind: "read", paths: ["file_path", "absolute_path"], protocolName: "Read" },
    read_many_files: { kind: "read", paths: ["include", "paths"] },
    list_directory: {
      kind: "read",
      paths: ["dir_path", "path"],
      protocolName: "LS",
      protocolArgs: FOLDER,
    },
    write_file: { kind: "write", paths: ["file_path"], protocolName: "Write" },
    replace: { kind: "edit", paths: ["file_path"], protocolName: "Edit" },
    glob: {
      kind: "search",
      paths: ["dir_path", "path"],
      protocolName: "Glob",
      protocolArgs: FOLDER,
    },
    grep_search: {
      kind: "search",
      paths: ["dir_path", "path"],
      // 0.61.0: ripgrep, else `git grep`, else `grep -r`; with `max_matches_per_file` an older git fails.
      skipsIgnored: {
        args: ["pattern", "dir_path", "exclude_pattern", "names_only", "total_max_matches"],
        byGit: true,
        settings: ".gemini/settings.json",
      },
      protocolName: "Grep",
      protocolArgs: FOLDER,
    },
    search_file_content: {
      kind: "search",
      paths: ["dir_path", "path"],
      protocolName: "Grep",
      protocolArgs: FOLDER,
    },
    web_fetch: { kind: "fetch", protocolName: "WebFetch" },
    google_web_search: { kind: "fetch", protocolName: "WebSearch" },
    invoke_agent: { kind: "agent", protocolName: "Agent" },
    codebase_investigator: { kind: "agent", protocolName: "Agent" },
    read_mcp_resource: { kind: "mcp" },
    list_mcp_resources: { kind: "mcp" },
  },
};
