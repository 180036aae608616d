import type { ToolTable } from "../tool-table.ts";

export const CODEX_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    Bash: { kind: "shell", line: "command", claude: "Bash" },
    shell: { kind: "shell", line: "command", claude: "Bash" },
    local_shell: { kind: "shell", line: "command", claude: "Bash" },
    exec_command: { kind: "shell", line: "cmd", claude: "Bash", claudeArgs: { cmd: "command" } },
    // 0.166 hands the patch over as `command`, whatever the model called it.
    apply_patch: { kind: "edit", patch: "command", claude: "Edit" },
    view_image: {
      kind: "read",
      paths: ["path"],
      claude: "Read",
      claudeArgs: { path: "file_path" },
    },
    web_search: { kind: "fetch", claude: "WebSearch" },
    spawn_agent: { kind: "agent", claude: "Agent" },
  },
};
