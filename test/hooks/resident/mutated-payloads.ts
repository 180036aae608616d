// Payloads as agents send them, and what may become of them on the way.
import fc from "fast-check";
import { anyCharacter } from "../../support/any-character.ts";

type Payload = Readonly<Record<string, unknown>>;

const AGENTS = ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode"] as const;
export type AgentName = (typeof AGENTS)[number];

const BASE = { session_id: "s", transcript_path: "/dev/null", cwd: "/" };
const SHELL = {
  tool_name: "Bash",
  tool_input: { command: "ls -la", timeout: 5 },
  tool_use_id: "t",
};
const snake = (event: string, fields: Payload = {}): Payload => ({
  ...BASE,
  hook_event_name: event,
  ...fields,
});
const gemini = { tool_name: "run_shell_command", tool_input: { command: "ls", dir_path: "." } };
const camel = (fields: Payload): Payload => ({ sessionId: "s", timestamp: 1, cwd: "/", ...fields });
const opencode = (event: string, fields: Payload): Payload => ({
  event,
  sessionID: "s",
  session_id: "s",
  cwd: "/",
  ...fields,
});

const CLAUDE = [
  snake("PreToolUse", SHELL),
  snake("PreToolUse", { ...SHELL, tool_input: { command: "adj-help x | cat" } }),
  snake("PreToolUse", { tool_name: "Write", tool_input: { file_path: "/a", content: "b" } }),
  snake("PostToolUse", {
    ...SHELL,
    tool_response: { stdout: "x", stderr: "", interrupted: false },
  }),
  snake("UserPromptSubmit", { prompt: "hello" }),
  snake("Stop", { stop_hook_active: false, last_assistant_message: "done" }),
  snake("SubagentStop", { agent_id: "a", agent_type: "b", stop_hook_active: true }),
  snake("PermissionRequest", SHELL),
  snake("PreCompact", { trigger: "auto", custom_instructions: "" }),
  snake("Notification", { message: "m", notification_type: "idle" }),
  snake("SessionEnd", { reason: "clear" }),
  snake("SessionStart", { source: "startup", model: "m" }),
];

const PAYLOADS: Readonly<Record<AgentName, readonly Payload[]>> = {
  "claude-code": CLAUDE,
  codex: CLAUDE.map((payload) => ({ ...payload, turn_id: "t", model: "m" })),
  gemini: [
    snake("BeforeTool", gemini),
    snake("AfterTool", { ...gemini, tool_response: { llmContent: "x", returnDisplay: "x" } }),
    snake("BeforeAgent", { prompt: "hello" }),
    snake("AfterAgent", { prompt: "p", prompt_response: "r", stop_hook_active: false }),
    snake("BeforeModel", { llm_request: { messages: [{ role: "user", content: "hello" }] } }),
    snake("PreCompress", { trigger: "auto" }),
    snake("SessionEnd", { reason: "exit" }),
  ],
  qwen: CLAUDE.map((payload) => ({ ...payload, permission_mode: "yolo" })),
  copilot: [
    camel({ toolName: "bash", toolArgs: { command: "ls" } }),
    camel({ toolName: "bash", toolArgs: '{"command":"ls"}' }),
    camel({ toolName: "bash", toolArgs: {}, toolResult: { resultType: "success" } }),
    camel({ prompt: "hello" }),
    camel({ stopReason: "end_turn", transcriptPath: "/x", stop_hook_active: false }),
    ...CLAUDE,
  ],
  opencode: [
    opencode("tool.execute.before", { tool: "bash", args: { command: "ls" }, callID: "c" }),
    opencode("tool.execute.after", { tool: "bash", args: {}, output: { output: "x" } }),
    opencode("chat.message", { prompt: "hello" }),
    opencode("session.idle", {}),
  ],
};

/** Rare enough that a session's folder is not made for each. */
const WORDS = ["", "s", "..", "/etc/passwd", "__proto__", "a\u0000b", "\ud800", "x".repeat(5_000)];

const value = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(null, true, 0, -1, 1e308, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One change somewhere: a field replaced, dropped or added, at any depth. */
function mutate(
  payload: unknown,
  path: number,
  change: "replace" | "drop" | "add",
  by: unknown,
): unknown {
  if (typeof payload !== "object" || payload === null) return by;
  const keys = Object.keys(payload);
  const key = keys[path % Math.max(1, keys.length)];
  const copy: Record<string, unknown> = { ...payload };
  if (change === "add" || key === undefined) return { ...copy, [JSON.stringify(by)]: by };
  if (change === "drop") delete copy[key];
  else if (path % 3 === 0) copy[key] = by;
  else copy[key] = mutate(copy[key], path >> 2, change, by);
  return copy;
}

const mutation = fc.record({
  path: fc.nat({ max: 10_000 }),
  change: fc.constantFrom("replace" as const, "drop" as const, "add" as const),
  by: value,
});

export interface MutatedCall {
  readonly agent: AgentName;
  readonly payload: string;
}

/** Mostly payloads with a few changes; some cut off, some with a byte turned, some that never were one. */
export const mutatedCall: fc.Arbitrary<MutatedCall> = fc
  .record({
    agent: fc.constantFrom(...AGENTS),
    which: fc.nat({ max: 100 }),
    mutations: fc.array(mutation, { maxLength: 4 }),
    damage: fc.oneof(
      { weight: 8, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.nat({ max: 300 }).map((at) => ({ at, kind: "cut" as const })) },
      { weight: 1, arbitrary: fc.nat({ max: 300 }).map((at) => ({ at, kind: "turn" as const })) },
    ),
    other: fc.oneof(
      { weight: 15, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string({ unit: anyCharacter })) },
    ),
  })
  .map(({ agent, which, mutations, damage, other }) => {
    if (other !== null) return { agent, payload: other };
    const known = PAYLOADS[agent];
    const start: unknown = known[which % known.length];
    const changed = mutations.reduce(
      (payload, { path, change, by }) => mutate(payload, path, change, by),
      start,
    );
    const text = JSON.stringify(changed) ?? "";
    if (damage === null) return { agent, payload: text };
    const { at, kind } = damage;
    const rest = kind === "cut" ? "" : `\u0001${text.slice(at + 1)}`;
    return { agent, payload: text.slice(0, at) + rest };
  });

const TOP_KEYS: Readonly<Record<AgentName, readonly string[]>> = {
  "claude-code": [
    "continue",
    "stopReason",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
  ],
  codex: ["continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"],
  gemini: ["decision", "reason", "continue", "stopReason", "systemMessage", "hookSpecificOutput"],
  qwen: ["continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"],
  copilot: [
    ...["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext"],
    ...["modifiedPrompt", "handled", "responseContent", "decision", "reason", "modifiedResult"],
    ...["behavior", "message", "interrupt", "hookSpecificOutput", "systemMessage"],
  ],
  opencode: [
    "deny",
    "reason",
    "args",
    "context",
    "prompt",
    "output",
    "status",
    "continue",
    "env",
    "message",
  ],
};

/** Null where the agent understands it, else what is wrong. */
export function findAnswerProblem(agent: AgentName, stdout: string): string | null {
  if (stdout.trim() === "") return null;
  try {
    const answer: unknown = JSON.parse(stdout);
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return "no object";
    const strange = Object.keys(answer).filter((key) => !TOP_KEYS[agent].includes(key));
    return strange.length === 0 ? null : `unknown keys ${strange.join(", ")}`;
  } catch (error) {
    return String(error);
  }
}
