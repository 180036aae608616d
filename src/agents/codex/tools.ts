import type { ToolTable } from "../steps/tool-table.ts";

export const CODEX_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    // The log names items of its output, the hooks name tools.
    command_execution: { kind: "shell" },
    file_change: { kind: "edit" },
    Bash: { kind: "shell", line: "command", protocolName: "Bash" },
    shell: { kind: "shell", line: "command", protocolName: "Bash" },
    local_shell: { kind: "shell", line: "command", protocolName: "Bash" },
    exec_command: {
      kind: "shell",
      line: "cmd",
      protocolName: "Bash",
      protocolArgs: { cmd: "command" },
    },
    // 0.166 hands the patch over as `command`, whatever the model called it.
    apply_patch: { kind: "edit", patch: "command", protocolName: "Edit" },
    view_image: {
      kind: "read",
      paths: ["path"],
      protocolName: "Read",
      protocolArgs: { path: "file_path" },
    },
    web_search: { kind: "fetch", protocolName: "WebSearch" },
    spawn_agent: { kind: "agent", protocolName: "Agent" },
  },
};
