// What the real agents wrote to their hooks, and what is known besides from their types and schemas.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StepContext } from "../../../src/agents/steps/hook-agent.ts";
import type { NativePayload } from "../../../src/core/step/envelope.ts";

export const PLACE: StepContext = {
  env: {},
  cwd: "/elsewhere",
  correlationId: "c-1",
  time: "2026-11-15T20:00:00.000Z",
};

export const RECORDED_AGENTS = ["claude-code", "codex", "gemini", "qwen", "copilot"] as const;

const FIXTURES = join(import.meta.dirname, "fixtures");

/** By the file's name without its ending: `03-PreToolUse`. */
export function recordedPayloads(agent: string): ReadonlyMap<string, NativePayload> {
  const folder = join(FIXTURES, agent);
  return new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .map((file) => [
        file.slice(0, -".json".length),
        JSON.parse(readFileSync(join(folder, file), "utf8")).stdin,
      ]),
  );
}

const base = { session_id: "s-1", cwd: "/workspace" };
const camel = { sessionId: "s-1", cwd: "/workspace", timestamp: 1794775689677 };
const shell = { tool_name: "Bash", tool_input: { command: "ls", description: "List" } };

const claude = (hook_event_name: string, fields: NativePayload = {}): NativePayload => ({
  ...base,
  hook_event_name,
  ...fields,
});

const own = (event: string, fields: NativePayload = {}): NativePayload => ({
  ...base,
  event,
  ...fields,
});

/** One payload for each step an agent has. */
export const STEP_PAYLOADS: Readonly<Record<string, Readonly<Record<string, NativePayload>>>> = {
  "claude-code": {
    session_start: claude("SessionStart", { source: "startup" }),
    before_prompt: claude("UserPromptSubmit", { prompt: "hello" }),
    before_tool: claude("PreToolUse", shell),
    after_tool: claude("PostToolUse", {
      ...shell,
      tool_response: { stdout: "a", stderr: "b", interrupted: false, isImage: false },
    }),
    before_permission: claude("PermissionRequest", shell),
    before_turn_end: claude("Stop", { stop_hook_active: false }),
    before_compact: claude("PreCompact", { trigger: "auto" }),
    after_compact: claude("PostCompact", { trigger: "auto" }),
    subagent_start: claude("SubagentStart", { agent_type: "Explore" }),
    subagent_end: claude("SubagentStop", { agent_type: "Explore", stop_hook_active: true }),
    notification: claude("Notification", { message: "waiting" }),
    session_end: claude("SessionEnd", { reason: "other" }),
  },
  codex: {
    session_start: claude("SessionStart", { source: "resume" }),
    before_prompt: claude("UserPromptSubmit", { prompt: "hello" }),
    before_tool: claude("PreToolUse", shell),
    after_tool: claude("PostToolUse", { ...shell, tool_response: "a\n" }),
    before_permission: claude("PermissionRequest", shell),
    before_turn_end: claude("Stop", { stop_hook_active: false }),
    before_compact: claude("PreCompact", { trigger: "auto" }),
    after_compact: claude("PostCompact", { trigger: "auto" }),
    subagent_start: claude("SubagentStart", { agent_type: "worker" }),
    subagent_end: claude("SubagentStop", { agent_type: "worker", stop_hook_active: false }),
    session_end: claude("SessionEnd", { reason: "other" }),
  },
  gemini: {
    session_start: claude("SessionStart", { source: "startup" }),
    before_prompt: claude("BeforeAgent", { prompt: "hello" }),
    before_tool: claude("BeforeTool", { ...shell, tool_name: "run_shell_command" }),
    after_tool: claude("AfterTool", {
      ...shell,
      tool_name: "run_shell_command",
      tool_response: { llmContent: "Output: a", returnDisplay: "a" },
    }),
    before_turn_end: claude("AfterAgent", { stop_hook_active: false }),
    before_compact: claude("PreCompress", { trigger: "auto" }),
    notification: claude("Notification", { message: "waiting" }),
    session_end: claude("SessionEnd", { reason: "exit" }),
  },
  qwen: {
    session_start: claude("SessionStart", { source: "startup" }),
    before_prompt: claude("UserPromptSubmit", { prompt: "hello", submitted_prompt: "hello" }),
    before_tool: claude("PreToolUse", { ...shell, tool_name: "run_shell_command" }),
    after_tool: claude("PostToolUse", {
      ...shell,
      tool_name: "run_shell_command",
      tool_response: { llmContent: "Output: a", returnDisplay: "a" },
    }),
    before_permission: claude("PermissionRequest", { ...shell, tool_name: "run_shell_command" }),
    before_turn_end: claude("Stop", { stop_hook_active: false }),
    before_compact: claude("PreCompact", { trigger: "auto" }),
    after_compact: claude("PostCompact", { trigger: "auto" }),
    subagent_start: claude("SubagentStart", { agent_type: "general" }),
    subagent_end: claude("SubagentStop", { agent_type: "general", stop_hook_active: false }),
    notification: claude("Notification", { message: "waiting" }),
    session_end: claude("SessionEnd", { reason: "other" }),
  },
  copilot: {
    session_start: { ...camel, source: "new", initialPrompt: "hello" },
    before_prompt: { ...camel, prompt: "hello" },
    before_tool: { ...camel, toolName: "bash", toolArgs: { command: "ls" } },
    after_tool: {
      ...camel,
      toolName: "bash",
      toolArgs: { command: "ls" },
      toolResult: { resultType: "success", textResultForLlm: "a" },
    },
    before_permission: {
      ...camel,
      hookName: "permissionRequest",
      toolName: "bash",
      toolInput: { command: "ls" },
    },
    before_turn_end: { ...camel, stopReason: "end_turn", stop_hook_active: false },
    before_compact: { ...camel, trigger: "auto", customInstructions: "" },
    subagent_start: { ...camel, agentName: "explore" },
    subagent_end: { ...camel, agentName: "explore", stopReason: "end_turn" },
    notification: { ...camel, message: "waiting" },
    session_end: { ...camel, reason: "complete" },
  },
  "copilot as Claude Code": {
    session_start: claude("SessionStart", { source: "new" }),
    before_prompt: claude("UserPromptSubmit", { prompt: "hello" }),
    before_tool: claude("PreToolUse", shell),
    after_tool: claude("PostToolUse", {
      ...shell,
      tool_result: { result_type: "success", text_result_for_llm: "a" },
    }),
    before_turn_end: claude("Stop", { stop_reason: "end_turn", stop_hook_active: false }),
  },
  opencode: {
    session_start: own("session.start", { source: "new" }),
    before_prompt: own("chat.message", { prompt: "hello" }),
    before_tool: own("tool.execute.before", { tool: "bash", args: { command: "ls" } }),
    after_tool: own("tool.execute.after", { tool: "bash", args: { command: "ls" }, output: "a" }),
    before_permission: own("permission.ask", { tool: "bash", args: { command: "ls" } }),
    before_turn_end: own("session.idle", { continues_so_far: 1 }),
    before_compact: own("session.compacting"),
    after_compact: own("session.compacted"),
    session_end: own("session.deleted"),
  },
};

/** The codec that a row of the table above is for. */
export const agentOfRow = (row: string): string => row.split(" ")[0] ?? "";
