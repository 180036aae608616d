import { expect, test } from "vitest";
import { mapToolCall } from "../../src/sim/build-answer.ts";
import type { ScriptedToolCall } from "../../src/sim/scenario.ts";
import type { ModelRequest, OfferedTool } from "../../src/sim/wire.ts";

/** `tool("edit", "path*", "old_str")`: required ones are marked. */
function tool(name: string, ...fields: string[]): OfferedTool {
  const names = fields.map((field) => field.replace("*", ""));
  return {
    name,
    takesText: false,
    parameters: {
      type: "object",
      properties: Object.fromEntries(names.map((field) => [field, { type: "string" }])),
      required: fields.filter((field) => field.endsWith("*")).map((field) => field.slice(0, -1)),
    },
  };
}

// The tool lists of claude-code 2.1.325, codex 0.166, gemini 0.61, opencode 1.18, copilot 1.0.102, qwen 0.24.
const TOOLS: Readonly<Record<string, readonly OfferedTool[]>> = {
  claude: [
    tool("Bash", "command*", "timeout", "description"),
    tool("Edit", "file_path*", "old_string*", "new_string*"),
    tool("Read", "file_path*"),
    tool("Write", "file_path*", "content*"),
  ],
  codex: [
    tool("exec_command", "cmd*", "workdir"),
    { name: "apply_patch", takesText: true, parameters: {} },
  ],
  gemini: [
    tool("read_file", "file_path*"),
    tool("replace", "file_path*", "instruction*", "old_string*", "new_string*"),
    tool("write_file", "file_path*", "content*"),
    tool("run_shell_command", "command*", "description"),
  ],
  opencode: [
    tool("bash", "command*"),
    tool("edit", "filePath*", "oldString*", "newString*"),
    tool("read", "filePath*"),
    tool("write", "content*", "filePath*"),
  ],
  copilot: [
    tool("bash", "command*", "description*"),
    tool("view", "path*"),
    tool("create", "path*", "file_text*"),
    tool("edit", "path*", "old_str", "new_str"),
  ],
};

const request = (agent: string, system = ""): ModelRequest => ({
  wire: "openai-chat",
  agent: null,
  model: null,
  isStreaming: true,
  system,
  messages: [],
  tools: TOOLS[agent] ?? [],
  answerSchema: null,
});

const shell: ScriptedToolCall = { tool: "shell", command: "ls" };
const write: ScriptedToolCall = { tool: "write", path: "/a/b", content: "x\n" };
const edit: ScriptedToolCall = { tool: "edit", path: "/a/b", old: "x", new: "y" };
const read: ScriptedToolCall = { tool: "read", path: "/a/b" };

test.each([
  ["claude", shell, "Bash", { command: "ls" }],
  ["claude", write, "Write", { file_path: "/a/b", content: "x\n" }],
  ["claude", edit, "Edit", { file_path: "/a/b", old_string: "x", new_string: "y" }],
  ["claude", read, "Read", { file_path: "/a/b" }],
  ["codex", shell, "exec_command", { cmd: "ls" }],
  ["codex", write, "apply_patch", "*** Begin Patch\n*** Add File: /a/b\n+x\n*** End Patch\n"],
  [
    "codex",
    edit,
    "apply_patch",
    "*** Begin Patch\n*** Update File: /a/b\n@@\n-x\n+y\n*** End Patch\n",
  ],
  ["codex", read, "exec_command", { cmd: "cat -- '/a/b'" }],
  ["gemini", shell, "run_shell_command", { command: "ls" }],
  ["gemini", write, "write_file", { file_path: "/a/b", content: "x\n" }],
  [
    "gemini",
    edit,
    "replace",
    { file_path: "/a/b", instruction: "scripted", old_string: "x", new_string: "y" },
  ],
  ["gemini", read, "read_file", { file_path: "/a/b" }],
  ["opencode", write, "write", { filePath: "/a/b", content: "x\n" }],
  ["opencode", edit, "edit", { filePath: "/a/b", oldString: "x", newString: "y" }],
  ["opencode", read, "read", { filePath: "/a/b" }],
  ["copilot", shell, "bash", { command: "ls", description: "scripted" }],
  ["copilot", write, "create", { path: "/a/b", file_text: "x\n" }],
  ["copilot", edit, "edit", { path: "/a/b", old_str: "x", new_str: "y" }],
  ["copilot", read, "view", { path: "/a/b" }],
] as const)("%s is asked for $tool as it offers it", (agent, call, name, args) => {
  expect(mapToolCall(call, request(agent))).toEqual({ name, arguments: args });
});

test.each([
  ["claude-code", " - Primary working directory: /home/dev/app\n - Is git: no"],
  ["codex", "<environment_context>\n  <cwd>/home/dev/app</cwd>\n  <shell>bash</shell>"],
  ["gemini", "- **Workspace Directories:**\n  - /home/dev/app\n- **Directory Structure:**"],
  ["qwen", "I'm currently working in the directory: /home/dev/app\nHere is the folder"],
  ["opencode", "<env>\n  Working directory: /home/dev/app\n  Is git repo: no"],
  ["copilot", "* Current working directory: /home/dev/app\n* Git"],
])("a relative path becomes absolute by what %s tells its model", (_, system) => {
  const mapped = mapToolCall({ ...read, path: "notes/a.txt" }, request("claude", system));
  expect(mapped?.arguments).toEqual({ file_path: "/home/dev/app/notes/a.txt" });
});

test("a relative path stays so where the folder is not told", () => {
  expect(mapToolCall({ ...read, path: "a.txt" }, request("claude"))?.arguments).toEqual({
    file_path: "a.txt",
  });
});

test("a shell that takes a list of words is given one", () => {
  const listing: OfferedTool = {
    name: "shell",
    takesText: false,
    parameters: { properties: { command: { type: "array" } }, required: ["command"] },
  };
  const mapped = mapToolCall(shell, { ...request("none"), tools: [listing] });
  expect(mapped).toEqual({ name: "shell", arguments: { command: ["bash", "-lc", "ls"] } });
});

test("a call by the agent's own name goes through as it is", () => {
  const call: ScriptedToolCall = { tool: "exact", name: "Glob", arguments: { pattern: "*.ts" } };
  expect(mapToolCall(call, request("claude"))).toEqual({
    name: "Glob",
    arguments: { pattern: "*.ts" },
  });
});

test("a tool that the agent does not offer is not made up", () => {
  expect(mapToolCall(write, request("none"))).toBeNull();
});
