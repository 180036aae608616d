import type { ToolTable } from "../steps/tool-table.ts";

const FILE = { filePath: "file_path" };

export const OPENCODE_TOOLS: ToolTable = {
  // Its own tools have no underscore but one; `server_tool` is an MCP server's.
  mcp: /_/,
  tools: {
    bash: { kind: "shell", line: "command", folder: ["workdir"], protocolName: "Bash" },
    read: { kind: "read", paths: ["filePath"], protocolName: "Read", protocolArgs: FILE },
    list: { kind: "read", paths: ["path"], protocolName: "LS" },
    write: { kind: "write", paths: ["filePath"], protocolName: "Write", protocolArgs: FILE },
    edit: {
      kind: "edit",
      paths: ["filePath"],
      protocolName: "Edit",
      protocolArgs: {
        ...FILE,
        oldString: "old_string",
        newString: "new_string",
        replaceAll: "replace_all",
      },
    },
    multiedit: { kind: "edit", paths: ["filePath"], protocolName: "MultiEdit", protocolArgs: FILE },
    apply_patch: { kind: "edit", patch: "patchText", protocolName: "Edit" },
    patch: { kind: "edit", patch: "patchText", protocolName: "Edit" },
    grep: {
      kind: "search",
      paths: ["path"],
      searchesAround: true,
      // 1.18.33: ripgrep; an `include` brings back what is ignored.
      skipsIgnored: { args: ["pattern", "path"] },
      protocolName: "Grep",
    },
    glob: { kind: "search", paths: ["path"], protocolName: "Glob" },
    webfetch: { kind: "fetch", protocolName: "WebFetch" },
    websearch: { kind: "fetch", protocolName: "WebSearch" },
    codesearch: { kind: "fetch" },
    task: { kind: "agent", protocolName: "Agent" },
  },
};
