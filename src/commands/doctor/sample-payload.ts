// A tool call that harms nobody, as each agent would tell of it.

const SESSION = "adj-doctor";

const snake = (cwd: string, fields: Readonly<Record<string, unknown>>) => ({
  session_id: SESSION,
  transcript_path: null,
  cwd,
  ...fields,
});

const SAMPLES: Readonly<Record<string, (cwd: string, time: Date) => object>> = {
  "claude-code": (cwd) =>
    snake(cwd, {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "true" },
      tool_use_id: SESSION,
    }),
  codex: (cwd) =>
    snake(cwd, {
      hook_event_name: "PreToolUse",
      turn_id: SESSION,
      model: SESSION,
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "true" },
      tool_use_id: SESSION,
    }),
  gemini: (cwd, time) =>
    snake(cwd, {
      hook_event_name: "BeforeTool",
      timestamp: time.toISOString(),
      tool_name: "run_shell_command",
      tool_input: { command: "true" },
    }),
  qwen: (cwd, time) =>
    snake(cwd, {
      hook_event_name: "PreToolUse",
      timestamp: time.toISOString(),
      permission_mode: "default",
      tool_name: "run_shell_command",
      tool_input: { command: "true" },
      tool_use_id: SESSION,
    }),
  copilot: (cwd, time) => ({
    sessionId: SESSION,
    timestamp: time.getTime(),
    cwd,
    toolName: "bash",
    toolArgs: { command: "true" },
  }),
  opencode: (cwd) => ({
    event: "tool.execute.before",
    session_id: SESSION,
    cwd,
    tool: "bash",
    call_id: SESSION,
    args: { command: "true" },
  }),
};

export function makeSample(agent: string, cwd: string, time: Date): string {
  const make = SAMPLES[agent];
  if (make === undefined) throw new TypeError(`no sample payload of ${agent}`);
  return JSON.stringify(make(cwd, time));
}
