import type { ToolTable } from "../steps/tool-table.ts";

const FILE = { path: "file_path" };

/** What a cassette and the demo partner can do; recorded runs show these tools by the recorded agent's names. */
export const REPLAY_TOOLS: ToolTable = {
  mcp: /^mcp_/i,
  tools: {
    shell: { kind: "shell", line: "command", protocolName: "Bash" },
    read: { kind: "read", paths: ["path"], protocolName: "Read", protocolArgs: FILE },
    write: { kind: "write", paths: ["path"], protocolName: "Write", protocolArgs: FILE },
    edit: {
      kind: "edit",
      paths: ["path"],
      protocolName: "Edit",
      protocolArgs: { ...FILE, old: "old_string", new: "new_string" },
    },
  },
};
