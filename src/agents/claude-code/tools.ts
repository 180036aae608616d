import type { ToolTable } from "../steps/tool-table.ts";

export const CLAUDE_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    Bash: { kind: "shell", line: "command" },
    PowerShell: { kind: "shell", line: "command" },
    Monitor: { kind: "shell", line: "command" },
    Read: { kind: "read", paths: ["file_path"] },
    NotebookRead: { kind: "read", paths: ["notebook_path"] },
    LS: { kind: "read", paths: ["path"] },
    Write: { kind: "write", paths: ["file_path"] },
    Edit: { kind: "edit", paths: ["file_path"] },
    MultiEdit: { kind: "edit", paths: ["file_path"] },
    NotebookEdit: { kind: "edit", paths: ["notebook_path"] },
    Glob: { kind: "search", paths: ["path"] },
    Grep: { kind: "search", paths: ["path"], nameGlob: "glob" },
    WebFetch: { kind: "fetch" },
    WebSearch: { kind: "fetch" },
    Task: { kind: "agent" },
    Agent: { kind: "agent" },
    ReadMcpResourceTool: { kind: "mcp" },
    ListMcpResourcesTool: { kind: "mcp" },
  },
};
