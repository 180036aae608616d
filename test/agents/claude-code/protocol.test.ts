import { expect, test } from "vitest";
import {
  fromClaudeAnswer,
  fromClaudeArguments,
  toClaudePayload,
} from "../../../src/agents/claude-code/protocol.ts";
import type { Envelope, ToolArguments } from "../../../src/core/step/envelope.ts";
import type { StepName } from "../../../src/core/step/step.ts";
import { hookAgentOf } from "../../support/agents.ts";
import { agentOfRow, PLACE, recordedPayloads, STEP_PAYLOADS } from "../steps/payloads.ts";

function envelopeOf(name: string, payload: Readonly<Record<string, unknown>>): Envelope {
  const envelope = hookAgentOf(name).readStep(payload, PLACE);
  if (!envelope) throw new Error(`${name} has no such step`);
  return envelope;
}

const toolsOf = ({ agent }: Envelope) => hookAgentOf(agent).tools;
const claudePayload = (envelope: Envelope) => toClaudePayload(envelope, toolsOf(envelope));
const ownArguments = (envelope: Envelope, input: ToolArguments) =>
  fromClaudeArguments(envelope, input, toolsOf(envelope));

const base = { session_id: "s-1", cwd: "/workspace" };
const call = (tool: string, args: object) => ({ ...base, tool_name: tool, tool_input: args });
const PATCH = "*** Begin Patch\n*** Update File: a.ts\n*** Add File: b.ts\n*** End Patch";

/** An agent's call, and the same call as a script written for Claude Code expects it. */
const CALLS: readonly (readonly [string, object, string, object])[] = [
  [
    "gemini",
    { ...call("replace", { file_path: "a.ts", old_string: "x", new_string: "y" }) },
    "Edit",
    { file_path: "/workspace/a.ts", old_string: "x", new_string: "y" },
  ],
  [
    "gemini",
    call("grep_search", { pattern: "x", dir_path: "src" }),
    "Grep",
    { pattern: "x", path: "/workspace/src" },
  ],
  [
    "qwen",
    call("write_file", { file_path: "/a", content: "x" }),
    "Write",
    { file_path: "/a", content: "x" },
  ],
  ["codex", call("exec_command", { cmd: "ls", tty: true }), "Bash", { command: "ls", tty: true }],
  [
    "codex",
    call("apply_patch", { command: PATCH }),
    "Edit",
    {
      command: PATCH,
      file_path: "/workspace/a.ts",
      file_paths: ["/workspace/a.ts", "/workspace/b.ts"],
    },
  ],
  ["codex", call("mcp__git__log", { n: 1 }), "mcp__git__log", { n: 1 }],
  [
    "copilot",
    { ...base, toolName: "create", toolArgs: { path: "a", file_text: "x" } },
    "Write",
    { file_path: "/workspace/a", content: "x" },
  ],
  [
    "copilot",
    { ...base, toolName: "edit", toolArgs: { path: "/a", old_str: "x", new_str: "y" } },
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "y" },
  ],
  [
    "opencode",
    {
      ...base,
      event: "tool.execute.before",
      tool: "edit",
      args: { filePath: "a", oldString: "x", newString: "y", replaceAll: true },
    },
    "Edit",
    { file_path: "/workspace/a", old_string: "x", new_string: "y", replace_all: true },
  ],
];

const withEvent = (agent: string, payload: object) => ({
  ...(agent === "gemini" ? { hook_event_name: "BeforeTool" } : {}),
  ...(agent === "codex" || agent === "qwen" ? { hook_event_name: "PreToolUse" } : {}),
  ...payload,
});

test.each(CALLS)("%s's call %j is Claude Code's %s", (agent, payload, tool, input) => {
  const envelope = envelopeOf(agent, withEvent(agent, payload));
  expect(claudePayload(envelope)).toEqual({
    session_id: "s-1",
    transcript_path: "",
    cwd: "/workspace",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
  });
});

test.each(CALLS)(
  "what comes back unchanged for %s %j is what went out",
  (agent, payload, _, input) => {
    const envelope = envelopeOf(agent, withEvent(agent, payload));
    expect(ownArguments(envelope, { ...input })).toEqual(envelope.args);
  },
);

test("a changed argument comes back under the agent's own name", () => {
  const copilot = envelopeOf("copilot", {
    ...base,
    toolName: "create",
    toolArgs: { path: "a", file_text: "x" },
  });
  const input = { file_path: "/tmp/b", content: "y", extra: 1 };
  expect(ownArguments(copilot, input)).toEqual({ path: "/tmp/b", file_text: "y", extra: 1 });
});

test("Claude Code's own payload is passed on as it came", () => {
  for (const payload of recordedPayloads("claude-code").values()) {
    const envelope = hookAgentOf("claude-code").readStep(payload, PLACE);
    if (envelope) expect(claudePayload(envelope)).toEqual(payload);
  }
});

test("every step of every agent has one of Claude Code's events", () => {
  const events = Object.entries(STEP_PAYLOADS).flatMap(([row, payloads]) =>
    Object.values(payloads).map(
      (payload) => claudePayload(envelopeOf(agentOfRow(row), payload)).hook_event_name,
    ),
  );
  expect([...new Set(events)].toSorted()).toEqual([
    "Notification",
    "PermissionRequest",
    "PostCompact",
    "PostToolUse",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "UserPromptSubmit",
  ]);
});

test("a shell's result has the shape it has in Claude Code, a failed one its event", () => {
  const done = envelopeOf("gemini", STEP_PAYLOADS.gemini?.after_tool ?? {});
  expect(claudePayload(done)).toMatchObject({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_response: { stdout: "Output: a", stderr: "", interrupted: false, isImage: false },
  });
  const failed = { toolName: "bash", toolArgs: { command: "x" }, error: "no such thing" };
  expect(claudePayload(envelopeOf("copilot", failed))).toMatchObject({
    hook_event_name: "PostToolUseFailure",
    error: "no such thing",
  });
});

const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});

/** As the table of Claude Code 2.1.325 has it. */
const ANSWERS: readonly (readonly [StepName, number, unknown, string, unknown])[] = [
  ["before_tool", 2, { decision: "approve" }, " no\n", { control: "veto", reason: "no" }],
  ["before_tool", 2, "", "", { control: "veto" }],
  ["notification", 2, "", "no", "none"],
  ["before_tool", 1, "", "oops", "error"],
  ["before_tool", 127, "text", "", "error"],
  ["before_tool", 1, { decision: "block", reason: "no" }, "", { control: "veto", reason: "no" }],
  ["before_tool", 0, "", "", "none"],
  ["before_tool", 0, "all fine", "", "none"],
  ["before_tool", 0, 'hello {"decision":"block"}', "", "none"],
  ["before_tool", 0, '{"decision":"block"} bye', "", "none"],
  ["before_tool", 0, "[1]", "", "none"],
  ["before_tool", 0, {}, "", "none"],
  ["before_tool", 0, { async: true }, "", "none"],
  ["session_start", 0, "read this\n", "", { additional_context: ["read this"] }],
  ["before_prompt", 0, "[1]", "", { additional_context: ["[1]"] }],
  ["before_tool", 0, { decision: "block", reason: "no" }, "", { control: "veto", reason: "no" }],
  ["before_tool", 0, { decision: "approve" }, "", { permission: "allow" }],
  ["before_tool", 0, { decision: "maybe" }, "", "invalid"],
  [
    "before_tool",
    0,
    { continue: false, stopReason: "end" },
    "",
    { control: "veto", reason: "end" },
  ],
  [
    "before_turn_end",
    0,
    { decision: "block", reason: "go on" },
    "",
    { control: "veto", reason: "go on" },
  ],
  ["before_turn_end", 0, { continue: false, decision: "block", reason: "x" }, "", "none"],
  [
    "before_tool",
    0,
    specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "no" }),
    "",
    { permission: "deny", reason: "no" },
  ],
  [
    "before_tool",
    0,
    specific("PreToolUse", { permissionDecision: "defer" }),
    "",
    { permission: "ask" },
  ],
  ["before_tool", 0, specific("PreToolUse", { permissionDecision: "yes" }), "", "invalid"],
  ["before_tool", 0, specific("PostToolUse", { permissionDecision: "deny" }), "", "invalid"],
  ["before_tool", 0, { hookSpecificOutput: { permissionDecision: "deny" } }, "", "invalid"],
  [
    "before_tool",
    0,
    specific("PreToolUse", { updatedInput: { command: "ls" }, additionalContext: "c" }),
    "",
    { args: { command: "ls" }, additional_context: ["c"] },
  ],
  ["before_tool", 0, { updatedInput: { command: "ls" } }, "", "none"],
  [
    "before_permission",
    0,
    specific("PermissionRequest", { decision: { behavior: "deny", message: "no" } }),
    "",
    { permission: "deny", reason: "no" },
  ],
  [
    "before_permission",
    0,
    specific("PermissionRequest", { decision: { behavior: "allow" } }),
    "",
    { permission: "allow" },
  ],
  [
    "after_tool",
    0,
    specific("PostToolUse", { updatedToolOutput: { stdout: "x", stderr: "" } }),
    "",
    { output: "x" },
  ],
  [
    "after_tool",
    0,
    specific("PostToolUseFailure", { additionalContext: "c" }),
    "",
    { additional_context: ["c"] },
  ],
  ["before_permission", 0, specific("PermissionRequest", { additionalContext: "c" }), "", "none"],
  ["before_prompt", 0, { decision: "block", reason: "no" }, "", { control: "veto", reason: "no" }],
  ["before_tool", 0, { systemMessage: "hi", suppressOutput: true }, "", "none"],
];

test.each(ANSWERS)(
  "at %s exit %i with %j and stderr %j is read as in Claude Code",
  (step, exitCode, printed, stderr, expected) => {
    const stdout = typeof printed === "string" ? printed : JSON.stringify(printed);
    const reading = fromClaudeAnswer(step, { stdout, stderr, exitCode });
    if (typeof expected === "string") expect(reading.kind).toBe(expected);
    else expect(reading).toEqual({ kind: "verdict", verdict: expected });
  },
);

test("the reason of exit 2 is at most 10,000 characters", () => {
  const reading = fromClaudeAnswer("before_tool", {
    stdout: "",
    stderr: "x".repeat(20_000),
    exitCode: 2,
  });
  expect(reading).toEqual({
    kind: "verdict",
    verdict: { control: "veto", reason: "x".repeat(10_000) },
  });
});
