export const TOOL_KINDS = [
  "shell",
  "read",
  "write",
  "edit",
  "fetch",
  "search",
  "mcp",
  "agent",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

const NAMES: readonly (readonly [ToolKind, readonly string[]])[] = [
  [
    "shell",
    [
      "bash",
      "bashoutput",
      "shell",
      "sh",
      "powershell",
      "local_shell",
      "run_shell_command",
      "command_execution",
      "exec",
      "execute",
      "exec_command",
      "terminal",
      "write_bash",
      "read_bash",
    ],
  ],
  [
    "read",
    ["read", "read_file", "read_many_files", "view", "view_image", "notebookread", "list", "ls"],
  ],
  ["write", ["write", "write_file", "create", "create_file"]],
  [
    "edit",
    [
      "edit",
      "multiedit",
      "replace",
      "str_replace",
      "str_replace_editor",
      "apply_patch",
      "patch",
      "notebookedit",
      "notebook_edit",
      "file_change",
    ],
  ],
  ["fetch", ["webfetch", "web_fetch", "fetch", "websearch", "web_search", "google_web_search"]],
  [
    "search",
    ["grep", "glob", "rg", "grep_search", "search_file_content", "search", "list_directory"],
  ],
  ["agent", ["task", "agent", "spawn_agent", "subagent", "delegate"]],
];

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.map((name) => [name, kind] as const)),
);

/** What a tool does, by the name its agent gives it. */
export function kindOfTool(name: string): ToolKind {
  const known = KINDS.get(name.toLowerCase());
  if (known !== undefined) return known;
  return /^mcp_/i.test(name) ? "mcp" : "other";
}
