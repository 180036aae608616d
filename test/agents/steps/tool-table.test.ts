import { expect, test } from "vitest";
import type { HookAgent } from "../../../src/agents/steps/hook-agent.ts";
import { patchPaths } from "../../../src/agents/steps/tool-table.ts";
import type { Envelope } from "../../../src/core/step/envelope.ts";
import { adapterOf, hookAgentOf } from "../../support/agents.ts";
import { PLACE } from "./payloads.ts";

function callOf(name: string, tool: string, args: object): { agent: HookAgent; call: Envelope } {
  const agent = hookAgentOf(name);
  const payloads: Record<string, object> = {
    gemini: { hook_event_name: "BeforeTool", tool_name: tool, tool_input: args },
    copilot: { toolName: tool, toolArgs: args },
    opencode: { event: "tool.execute.before", tool, args },
  };
  const payload = payloads[name] ?? {
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
  };
  const call = agent?.readStep({ ...payload }, PLACE);
  if (!agent || !call) throw new Error(`${name} has no such step`);
  return { agent, call };
}

const PATCH = `*** Begin Patch
*** Add File: new.txt
+*** Add File: not-a-file.txt
*** Update File: src/a b.ts
*** Move to: src/c.ts
@@
-*** Delete File: neither.txt
*** Delete File: ../gone.txt
*** End Patch`;

test.each([
  ["claude-code", "Bash", { command: "ls" }, "shell", "ls", []],
  ["claude-code", "Read", { file_path: "/a" }, "read", null, ["/a"]],
  ["claude-code", "NotebookEdit", { notebook_path: "/a.ipynb" }, "edit", null, ["/a.ipynb"]],
  ["claude-code", "mcp__git__log", { path: "x" }, "mcp", null, []],
  ["claude-code", "Agent", { prompt: "x" }, "agent", null, []],
  ["claude-code", "constructor", { command: "ls" }, "other", null, []],
  ["claude-code", "__proto__", { command: "ls" }, "other", null, []],
  ["claude-code", "Bash", { command: 7 }, "shell", null, []],
  ["claude-code", "Bash", {}, "shell", null, []],
  ["claude-code", "Bash", { script: "ls", timeout: 5 }, "shell", "ls", []],
  ["codex", "exec_command", { argv: ["git", "push"], note: "x" }, "shell", "git push\nx", []],
  ["codex", "write_stdin", { session_id: 7 }, "shell", null, []],
  ["codex", "Bash", { command: "ls" }, "shell", "ls", []],
  ["codex", "exec_command", { cmd: "ls" }, "shell", "ls", []],
  [
    "codex",
    "apply_patch",
    { command: PATCH },
    "edit",
    null,
    ["new.txt", "src/a b.ts", "src/c.ts", "../gone.txt"],
  ],
  ["codex", "mcp__git__log", {}, "mcp", null, []],
  ["gemini", "run_shell_command", { command: "ls" }, "shell", "ls", []],
  ["gemini", "read_many_files", { include: ["a", "b", 7] }, "read", null, ["a", "b"]],
  ["gemini", "replace", { file_path: "a" }, "edit", null, ["a"]],
  ["gemini", "google_web_search", { query: "a" }, "fetch", null, []],
  ["gemini", "mcp_git_log", {}, "mcp", null, []],
  ["qwen", "run_shell_command", { command: "ls" }, "shell", "ls", []],
  ["qwen", "edit", { file_path: "/a" }, "edit", null, ["/a"]],
  ["copilot", "bash", { command: "ls" }, "shell", "ls", []],
  ["copilot", "view", { path: "/a" }, "read", null, ["/a"]],
  ["copilot", "create", { path: "/a", file_text: "x" }, "write", null, ["/a"]],
  ["copilot", "github-mcp-server-get_file", {}, "mcp", null, []],
  ["opencode", "bash", { command: "ls" }, "shell", "ls", []],
  ["opencode", "write", { filePath: "a", content: "x" }, "write", null, ["a"]],
  [
    "opencode",
    "apply_patch",
    { patchText: PATCH },
    "edit",
    null,
    ["new.txt", "src/a b.ts", "src/c.ts", "../gone.txt"],
  ],
  ["opencode", "git_log", {}, "mcp", null, []],
] as const)("%s's %s with %j is a tool of kind %s", (name, tool, args, kind, line, paths) => {
  const { agent, call } = callOf(name, tool, args);
  expect(call.kind).toBe(kind);
  expect(agent.shellLine(call)).toBe(line);
  expect(agent.filePaths(call)).toEqual(paths);
});

test("another line leaves all other arguments as they are", () => {
  const { agent, call } = callOf("claude-code", "Bash", { command: "ls", timeout: 5, x: [1] });
  expect(agent.withShellLine(call, "pwd")).toEqual({ command: "pwd", timeout: 5, x: [1] });
  const other = callOf("codex", "exec_command", { cmd: "ls", workdir: "/a" });
  expect(other.agent.withShellLine(other.call, "pwd")).toEqual({ cmd: "pwd", workdir: "/a" });
});

test("Gemini CLI's tools of an MCP server are known by their context", () => {
  const payload = {
    hook_event_name: "BeforeTool",
    tool_name: "log",
    tool_input: {},
    mcp_context: { server_name: "git" },
  };
  expect(hookAgentOf("gemini").readStep(payload, PLACE)?.kind).toBe("mcp");
});

test("Copilot's arguments may be a JSON text, or one that a tool takes as it is", () => {
  const read = (toolArgs: unknown) =>
    hookAgentOf("copilot").readStep({ toolName: "bash", toolArgs }, PLACE)?.args;
  expect(read('{"command":"ls"}')).toEqual({ command: "ls" });
  expect(read("{ls")).toEqual({ input: "{ls" });
});

test("a patch names each file once", () => {
  expect(patchPaths("*** Update File: a\n*** Update File: a\n")).toEqual(["a"]);
  expect(patchPaths("no patch")).toEqual([]);
});

// Tools that the log and the hooks once took for two different things.
// biome-ignore format: one tool a line
test.each([
  ["claude-code", "Monitor", "shell"],
  ["claude-code", "ReadMcpResourceTool", "mcp"],
  ["claude-code", "ListMcpResourcesTool", "mcp"],
  ["gemini", "list_directory", "read"],
  ["gemini", "invoke_agent", "agent"],
  ["gemini", "codebase_investigator", "agent"],
  ["gemini", "read_mcp_resource", "mcp"],
  ["gemini", "list_mcp_resources", "mcp"],
  ["opencode", "codesearch", "fetch"],
  ["qwen", "monitor", "shell"],
  ["qwen", "zoom_image", "read"],
  ["qwen", "list_directory", "read"],
  ["qwen", "read_mcp_resource", "mcp"],
])("%s has one kind for `%s`, in the log and in the hooks: %s", (agent, tool, kind) => {
  expect(adapterOf(agent).kindOfTool(tool)).toBe(kind);
  expect(hookAgentOf(agent).tools.tools[tool]?.kind).toBe(kind);
});
