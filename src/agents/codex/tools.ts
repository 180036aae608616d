import type { ToolEntry, ToolTable } from "../steps/tool-table.ts";

const FOLDER = ["workdir", "working_directory"];
const SHELL: ToolEntry = {
  ...{ kind: "shell", line: "command", folder: FOLDER, protocolName: "Bash" },
};

export const CODEX_TOOLS: ToolTable = {
  mcp: /^mcp__/,
  tools: {
    // The log names items of its output, the hooks name tools.
    command_execution: { kind: "shell" },
    file_change: { kind: "edit" },
    Bash: SHELL,
    shell: SHELL,
    local_shell: SHELL,
    exec_command: {
      kind: "shell",
      line: "cmd",
      folder: FOLDER,
      protocolName: "Bash",
      protocolArgs: { cmd: "command" },
    },
    // Goes to a program that already runs, mostly a shell.
    write_stdin: {
      kind: "shell",
      line: "chars",
      protocolName: "Bash",
      protocolArgs: { chars: "command" },
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
