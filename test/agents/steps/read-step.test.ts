import { expect, test } from "vitest";
import type { Envelope } from "../../../src/core/step/envelope.ts";
import { HOOK_AGENT_NAMES, hookAgentOf } from "../../support/agents.ts";
import { agentOfRow, PLACE, RECORDED_AGENTS, recordedPayloads, STEP_PAYLOADS } from "./payloads.ts";

const LINE = "touch made-by-model.txt && echo hello-from-tool";
const CALL = { command: LINE, description: "Run a scripted command" };
const HELLO = { command: "echo hello-from-tool", description: "Run a scripted command" };
const PROMPT = "Please do the scripted task.";

/** What each recorded payload becomes, beside what every envelope has; null for an event that is no step. */
const RECORDED: Readonly<Record<(typeof RECORDED_AGENTS)[number], Record<string, unknown>>> = {
  "claude-code": {
    "00-SessionStart": { step: "session_start", source: "new" },
    "01-UserPromptSubmit": { step: "before_prompt", prompt: PROMPT },
    "02-MessageDisplay": null,
    "03-PreToolUse": { step: "before_tool", tool: "Bash", kind: "shell", args: HELLO },
    "04-PostToolUse": {
      step: "after_tool",
      tool: "Bash",
      kind: "shell",
      args: HELLO,
      is_error: false,
      output: "hello-from-tool",
    },
    "05-PostToolBatch": null,
    "06-MessageDisplay": null,
    "07-Stop": { step: "before_turn_end", stop_reason: null, continues_so_far: 0 },
    "08-SessionEnd": { step: "session_end", reason: "other" },
  },
  codex: {
    "00-SessionStart": { step: "session_start", source: "new" },
    "01-UserPromptSubmit": { step: "before_prompt", prompt: PROMPT },
    "03-PostModelRequest": null,
    "04-PreToolUse": {
      step: "before_tool",
      tool: "Bash",
      kind: "shell",
      args: { command: LINE },
    },
    "05-PostToolUse": {
      step: "after_tool",
      tool: "Bash",
      kind: "shell",
      args: { command: LINE },
      output: "hello-from-tool\n",
    },
    "07-PostModelRequest": null,
    "08-Stop": { step: "before_turn_end", stop_reason: null, continues_so_far: 0 },
    "09-SessionEnd": { step: "session_end", reason: "other" },
  },
  gemini: {
    "00-SessionStart": { step: "session_start", source: "new" },
    "01-BeforeAgent": { step: "before_prompt", prompt: PROMPT },
    "02-PreCompress": { step: "before_compact", tokens: null },
    "10-BeforeTool": {
      step: "before_tool",
      tool: "run_shell_command",
      kind: "shell",
      args: CALL,
    },
    "11-AfterTool": {
      step: "after_tool",
      tool: "run_shell_command",
      kind: "shell",
      args: CALL,
      is_error: false,
      output:
        "<untrusted_context>\nOutput: hello-from-tool\nProcess Group PGID: 6276\n</untrusted_context>",
    },
    "12-PreCompress": { step: "before_compact", tokens: null },
    "20-AfterAgent": { step: "before_turn_end", stop_reason: null, continues_so_far: 0 },
    "21-SessionEnd": { step: "session_end", reason: "exit" },
  },
  qwen: {
    "00-SessionStart": { step: "session_start", source: "new" },
    "01-Notification": { step: "notification", text: "Successfully authenticated with openai" },
    "02-UserPromptSubmit": { step: "before_prompt", prompt: PROMPT },
    "03-PreToolUse": { step: "before_tool", tool: "run_shell_command", kind: "shell", args: CALL },
    "04-PostToolUse": {
      step: "after_tool",
      tool: "run_shell_command",
      kind: "shell",
      args: CALL,
      is_error: false,
      output: `Command: ${LINE}\nDirectory: (root)\nOutput: hello-from-tool\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)`,
    },
    "05-UserPromptSubmit": null,
    "06-Stop": { step: "before_turn_end", stop_reason: null, continues_so_far: 0 },
  },
  copilot: {
    "00-sessionStart": { step: "session_start", source: "new" },
    "01-userPromptSubmitted": { step: "before_prompt", prompt: PROMPT },
    "02-preToolUse": { step: "before_tool", tool: "bash", kind: "shell", args: CALL },
    "03-permissionRequest": {
      step: "before_permission",
      tool: "bash",
      kind: "shell",
      args: { command: LINE },
    },
    "04-postToolUse": {
      step: "after_tool",
      tool: "bash",
      kind: "shell",
      args: CALL,
      is_error: false,
      output: "hello-from-tool\n<shellId: 0 completed with exit code 0>",
    },
    "05-agentStop": { step: "before_turn_end", stop_reason: "end_turn", continues_so_far: 0 },
    "06-sessionEnd": { step: "session_end", reason: "complete" },
  },
};

function ownFields(envelope: Envelope | null): unknown {
  if (envelope === null) return null;
  const { protocol, agent, session_id, cwd, correlation_id, time, native, ...fields } = envelope;
  return fields;
}

test.each(RECORDED_AGENTS)("every recorded payload of %s becomes its step", (agent) => {
  const read = [...recordedPayloads(agent)].map(([name, payload]) => [
    name,
    ownFields(hookAgentOf(agent).readStep(payload, PLACE) ?? null),
  ]);
  expect(Object.fromEntries(read)).toEqual(RECORDED[agent]);
});

test("every envelope says who, where, when, and carries the payload whole", () => {
  for (const agent of RECORDED_AGENTS)
    for (const payload of recordedPayloads(agent).values()) {
      const envelope = hookAgentOf(agent).readStep(payload, PLACE) ?? null;
      if (envelope === null) continue;
      expect(envelope).toMatchObject({
        protocol: 1,
        agent,
        session_id: payload.session_id ?? payload.sessionId,
        cwd: "/workspace",
        correlation_id: "c-1",
        time: PLACE.time,
      });
      expect(envelope.native).toBe(payload);
    }
});

test("every agent with hooks has a row of payloads, so that its answers are looked at", () => {
  const rows = Object.keys(STEP_PAYLOADS).map(agentOfRow);
  expect(HOOK_AGENT_NAMES.filter((name) => !rows.includes(name))).toEqual([]);
});

test("every step an agent is said to have is read, and no other", () => {
  for (const [row, payloads] of Object.entries(STEP_PAYLOADS)) {
    const agent = hookAgentOf(agentOfRow(row));
    for (const [step, payload] of Object.entries(payloads))
      expect([row, agent?.readStep(payload, PLACE)?.step]).toEqual([row, step]);
    if (row.includes(" ")) continue;
    expect(Object.keys(agent?.abilities.steps ?? {}).toSorted()).toEqual(
      Object.keys(payloads).toSorted(),
    );
  }
});

test.each(HOOK_AGENT_NAMES)("%s says nothing of a payload it does not know", (name) => {
  const agent = hookAgentOf(name);
  for (const payload of [{}, { hook_event_name: "Nothing" }, { hook_event_name: 7 }, { event: [] }])
    expect(agent?.readStep(payload, PLACE)).toBeNull();
});

test("fields of the wrong type count as missing", () => {
  const agent = hookAgentOf("claude-code");
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: 7,
    cwd: null,
    tool_name: ["Bash"],
    tool_input: "ls",
  };
  expect(agent?.readStep(payload, PLACE)).toMatchObject({
    session_id: "unknown",
    cwd: "/elsewhere",
    tool: "",
    kind: "other",
    args: {},
  });
});

test("the version is told by the agent's own variables", () => {
  const version = (name: string, env: Record<string, string>) =>
    hookAgentOf(name).readStep(STEP_PAYLOADS[name]?.before_tool ?? {}, { ...PLACE, env })
      ?.agent_version;
  expect(version("claude-code", { AI_AGENT: "claude-code_2-1-325_harness" })).toBe("2.1.325");
  expect(version("copilot", { COPILOT_CLI_BINARY_VERSION: "1.0.102" })).toBe("1.0.102");
  expect(version("claude-code", { AI_AGENT: "other_1-0" })).toBeUndefined();
});

const CONTEXT = "<hook_context>typed: adj-x &lt;n&gt;</hook_context>";

test.each([
  ["adj-branch list", "adj-branch list"],
  [`${CONTEXT}\n\nadj-branch list`, "adj-branch list"],
  [`adj-branch list${CONTEXT}`, "adj-branch list"],
  [`${CONTEXT}\n\nadj-branch list${CONTEXT}`, "adj-branch list"],
  [`<session_context>\nfiles\n</session_context>${CONTEXT}\n\nadj-x`, "adj-x"],
  ["<session_context>a</session_context>adj-x", "adj-x"],
  ["a <hook_context>b</hook_context> c", "a <hook_context>b</hook_context> c"],
])("Gemini CLI's prompt is read without what hooks added to it: %j", (prompt, typed) => {
  const agent = hookAgentOf("gemini");
  const asked = agent?.readStep({ hook_event_name: "BeforeAgent", prompt }, PLACE);
  expect(asked?.prompt).toBe(typed);
  const messages = [
    { role: "user", content: "earlier" },
    { role: "model", content: "yes" },
    { role: "user", content: prompt },
  ];
  const payload = { hook_event_name: "BeforeModel", llm_request: { messages } };
  expect(agent?.readStep(payload, PLACE)).toBeNull();
  expect(agent?.readPromptToAnswer(payload, PLACE)).toMatchObject({
    step: "before_prompt",
    prompt: typed,
  });
});

test("a model call that does not follow a prompt has no prompt to answer", () => {
  const agent = hookAgentOf("gemini");
  const read = (messages: unknown) =>
    agent?.readPromptToAnswer({ hook_event_name: "BeforeModel", llm_request: { messages } }, PLACE);
  expect(read([{ role: "model", content: "adj-x" }])).toBeNull();
  expect(read([])).toBeNull();
  expect(read("adj-x")).toBeNull();
  expect(read([{ role: "user", content: 7 }])).toBeNull();
});
