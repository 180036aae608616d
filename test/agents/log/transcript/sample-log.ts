import type { RunLog } from "../../../../src/agents/log/run-log.ts";

/** A log of which nothing is known that a log may leave open, with what is given laid over it. */
export function sampleLog(parts: Partial<RunLog> = {}): RunLog {
  return {
    version: 1,
    run_id: "run-1",
    agent_info: { name: "codex", version: "unknown", adapter_version: "1.0.0" },
    model_info: { name: null, provider: null, parameters: {}, source: "unknown" },
    command: null,
    execution: {
      started_at: "2026-11-05T14:03:22.100Z",
      completed_at: "2026-11-05T14:04:45.100Z",
      duration_ms: 83_000,
      exit_code: 0,
      status: "success",
      timed_out: false,
    },
    messages: [],
    tool_calls: [],
    usage: {
      input_tokens: null,
      output_tokens: null,
      cache_read_tokens: null,
      cache_write_tokens: null,
      reasoning_tokens: null,
      total_tokens: null,
      source: "unknown",
    },
    cost: null,
    turns: null,
    stop_reason: null,
    session: { id: null, resumable: false },
    files_changed: [],
    errors: [],
    environment: {
      os: "linux-x64",
      node_version: "v24.0.0",
      adjutant_version: "0.1.0",
      working_directory: "",
    },
    ...parts,
  };
}

/** A log in which everything that may be there is there. */
export const fullLog = (): RunLog =>
  sampleLog({
    agent_info: { name: "claude-code", version: "2.1.325", adapter_version: "1.0.0" },
    model_info: { name: "opus", provider: "anthropic", parameters: {}, source: "config" },
    command: { executable: "/usr/bin/claude", args: ["-p", "--model", "opus"] },
    execution: { ...sampleLog().execution, exit_code: null, signal: "SIGTERM", status: "timeout" },
    messages: [
      { role: "user", content: "Fix the test." },
      { role: "assistant", content: "I look.\n\n```ts\nconst a = 1;\n```" },
      { role: "tool", content: "a\nb", parent: "one" },
      { role: "assistant", content: "Two callers.", parent: "two" },
      { role: "assistant", content: "Done." },
    ],
    tool_calls: [
      {
        id: "one",
        name: "Bash",
        kind: "shell",
        arguments: { command: "npm test", timeout: 5 },
        result: "a\nb",
        is_error: true,
        duration_ms: 4210,
        started_at: "2026-11-05T14:03:23.000Z",
      },
      { id: "two", name: "Task", kind: "agent", arguments: "find callers", result: "" },
      { id: "three", name: "Write", kind: "write", arguments: {}, permission: "denied" },
    ],
    usage: {
      input_tokens: 2976,
      output_tokens: 444,
      cache_read_tokens: 666,
      cache_write_tokens: 88,
      reasoning_tokens: 10,
      total_tokens: 3420,
      source: "estimated",
    },
    cost: { usd: 0.0183412, source: "estimated" },
    turns: 2,
    stop_reason: "end_turn",
    session: { id: "session-1", resumable: true },
    files_changed: ["src/a.ts"],
    errors: [
      {
        message: "the agent ran out of time\nafter 83 s",
        timestamp: "2026-11-05T14:04:45.100Z",
        code: "CLAUDE_TIMEOUT",
        stack_trace: "at run",
        context: { limit: 80 },
      },
    ],
    environment: { ...sampleLog().environment, working_directory: "/workspace" },
  });
