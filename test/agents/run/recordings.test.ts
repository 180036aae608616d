import { describe, expect, test } from "vitest";
import { RUN_LOG, type RunLog } from "../../../src/agents/log/run-log.ts";
import { listRecordings, NOW, normalizeRecording, readRecording } from "./read-recording.ts";

// Scripted per model turn: input 1111, output 222, cache read 333, cache write 44, reasoning 55, as far
// as each wire format has them. Claude Code counts the cache beside its input, Gemini the reasoning
// beside its output; Qwen's first versions add a hidden call of 10 and 5. In `k-two-tools` the second turn
// has figures of its own, and `n-drop` counts what each cut stream began with.
type Row = readonly [
  recording: string,
  status: RunLog["execution"]["status"],
  model: string | null,
  tokens: readonly [
    input: number | null,
    output: number | null,
    cacheRead: number | null,
    cacheWrite: number | null,
    reasoning: number | null,
    total: number | null,
  ],
  cost: number | null,
  turns: number | null,
  stopReason: string | null,
  tools: readonly (readonly [name: string, isError: boolean | null])[],
  errors: readonly string[],
];

// biome-ignore format: a table, one recording a line
const ROWS: readonly Row[] = [
  ["claude-2.1.325/a-plain", "success", "claude-opus-5-5", [1488,222,333,44,0,1710], 0.0091706, 1, "end_turn", [], []],
  ["claude-2.1.325/b-shell", "success", "claude-opus-5-5", [2976,444,666,88,0,3420], 0.0183412, 2, "end_turn", [["Bash",false]], []],
  ["claude-2.1.325/d-401", "failed", "claude-opus-5-5", [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_AUTH_FAILED","CLAUDE_ABORTED"]],
  ["claude-2.1.325/j-toolfail", "success", "claude-opus-5-5", [2976,444,666,88,0,3420], 0.0183412, 2, "end_turn", [["Bash",true]], []],
  ["claude-2.1.325/k-two-tools", "success", "claude-opus-5-5", [3118,325,944,73,72,3443], 0.0154578, 3, "end_turn", [["Bash",false],["Write",false]], []],
  ["claude-2.1.325/l-429", "failed", "claude-opus-5-5", [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_RATE_LIMIT"]],
  ["claude-2.1.325/n-drop", "failed", "claude-opus-5-5", [3333,3,999,132,3,3336], 0.0097278, 1, "stop_sequence", [], ["CLAUDE_NETWORK"]],
  ["claude-2.1.325/q-killed", "failed", "claude-opus-5-5", [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_ABORTED"]],
  ["claude-code/a-plain", "success", "claude-opus-4-8[1m]", [1488,222,333,44,null,1710], 0.0115465, 1, "end_turn", [], []],
  ["claude-code/a-plain.json", "success", "claude-opus-4-8[1m]", [1488,222,333,44,null,1710], 0.0115465, 1, "end_turn", [], []],
  ["claude-code/a-plain.partial", "success", "claude-opus-4-8[1m]", [1488,222,333,44,null,1710], 0.0115465, 1, "end_turn", [], []],
  ["claude-code/a-plain.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["claude-code/b-shell", "success", "claude-opus-4-8[1m]", [2976,444,666,88,null,3420], 0.023093, 2, "end_turn", [["Bash",false]], []],
  ["claude-code/b-shell.json", "success", "claude-opus-4-8[1m]", [2976,444,666,88,null,3420], 0.023093, 2, "end_turn", [], []],
  ["claude-code/b-shell.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["claude-code/d-401", "failed", "claude-opus-4-8[1m]", [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_AUTH_FAILED","CLAUDE_ABORTED"]],
  ["claude-code/d-401.json", "failed", null, [0,0,0,0,null,0], 0, 1, "stop_sequence", [], ["CLAUDE_AUTH_FAILED"]],
  ["claude-code/d-401.text", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_AUTH_FAILED"]],
  ["claude-code/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CLAUDE_INVALID_CONFIG"]],
  ["claude-code/j-toolfail", "success", "claude-opus-4-8[1m]", [2976,444,666,88,null,3420], 0.023093, 2, "end_turn", [["Bash",true]], []],
  ["codex/a-plain", "success", null, [1111,222,333,0,55,1333], null, null, null, [], []],
  ["codex/a-plain.text", "success", "gpt-5.5", [null,null,null,null,null,null], null, null, null, [], []],
  ["codex/b-shell", "success", null, [2222,444,666,0,110,2666], null, null, null, [["command_execution",false]], []],
  ["codex/b-shell.text", "success", "gpt-5.5", [null,null,null,null,null,null], null, null, null, [], []],
  ["codex/d-401", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CODEX_AUTH_FAILED"]],
  ["codex/d-401.text", "failed", "gpt-5.5", [null,null,null,null,null,null], null, null, null, [], ["CODEX_AUTH_FAILED"]],
  ["codex/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CODEX_INVALID_CONFIG"]],
  ["codex/j-toolfail", "success", null, [2222,444,666,0,110,2666], null, null, null, [["command_execution",true]], []],
  ["codex/k-two-tools", "success", null, [3118,325,944,73,72,3443], null, null, null, [["command_execution",false],["file_change",false]], []],
  ["codex/n-drop", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CODEX_NETWORK"]],
  ["codex/q-killed", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["CODEX_ABORTED"]],
  ["copilot/a-plain", "success", "fake-model", [null,null,null,null,null,null], null, 1, null, [], []],
  ["copilot/a-plain.text", "success", null, [null,222,333,null,55,null], null, null, null, [], []],
  ["copilot/b-shell", "success", "fake-model", [null,null,null,null,null,null], null, 2, null, [["bash",false]], []],
  ["copilot/b-shell.text", "success", null, [null,444,666,null,110,null], null, null, null, [], []],
  ["copilot/d-401", "failed", "fake-model", [null,null,null,null,null,null], null, 1, null, [], ["COPILOT_AUTH_FAILED"]],
  ["copilot/d-401.text", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["COPILOT_AUTH_FAILED"]],
  ["copilot/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["COPILOT_INVALID_CONFIG"]],
  ["copilot/j-toolfail", "success", "fake-model", [null,null,null,null,null,null], null, 2, null, [["bash",true]], []],
  ["copilot/k-two-tools", "success", "sim-model", [null,null,null,null,null,null], null, 2, null, [["bash",false],["create",false]], []],
  ["copilot/m-503", "failed", "sim-model", [null,null,null,null,null,null], null, 1, "user_abort", [], ["COPILOT_OVERLOADED"]],
  ["copilot/n-drop", "failed", "sim-model", [null,null,null,null,null,null], null, 1, null, [], ["COPILOT_NETWORK"]],
  ["copilot/q-killed", "failed", "sim-model", [null,null,null,null,null,null], null, 1, "user_initiated", [], ["COPILOT_ABORTED"]],
  ["copilot/r-killed-midway", "failed", "sim-model", [null,null,null,null,null,null], null, 1, "user_abort", [], ["COPILOT_ABORTED"]],
  ["gemini/a-plain", "success", "gemini-2.5-flash", [1111,277,333,null,55,1388], null, null, null, [], []],
  ["gemini/a-plain.json", "success", "gemini-2.5-flash", [1111,277,333,null,55,1388], null, 1, null, [], []],
  ["gemini/a-plain.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["gemini/b-shell", "success", "gemini-2.5-flash", [2222,554,666,null,110,2776], null, null, null, [["run_shell_command",null]], []],
  ["gemini/b-shell.json", "success", "gemini-2.5-flash", [2222,554,666,null,110,2776], null, 2, null, [], []],
  ["gemini/b-shell.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["gemini/d-401", "failed", "gemini-2.5-flash", [0,0,0,null,0,0], null, null, null, [], ["GEMINI_AUTH_FAILED"]],
  ["gemini/d-401.json", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["GEMINI_AUTH_FAILED"]],
  ["gemini/d-401.text", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["GEMINI_AUTH_FAILED"]],
  ["gemini/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["GEMINI_INVALID_CONFIG"]],
  ["gemini/j-toolfail", "success", "gemini-2.5-flash", [2222,554,666,null,110,2776], null, null, null, [["run_shell_command",null]], []],
  ["gemini/k-two-tools", "success", "gemini-2.5-flash", [3118,325,944,null,72,3443], null, null, null, [["run_shell_command",null],["write_file",false]], []],
  ["gemini/n-drop", "failed", "gemini-2.5-flash", [0,0,0,null,0,0], null, null, null, [], ["GEMINI_NETWORK"]],
  ["gemini/q-killed", "failed", "gemini-2.5-flash", [null,null,null,null,null,null], null, null, null, [], ["GEMINI_ABORTED"]],
  ["opencode/a-plain", "success", null, [1111,222,333,0,55,1333], 0.0057639, 1, "stop", [], []],
  ["opencode/b-shell", "success", null, [2222,444,666,0,110,2666], 0.0115278, 2, "stop", [["bash",false]], []],
  ["opencode/d-401", "failed", null, [null,null,null,null,null,null], null, 0, null, [], ["OPENCODE_AUTH_FAILED"]],
  ["opencode/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["OPENCODE_INVALID_CONFIG"]],
  ["opencode/j-toolfail", "success", null, [2222,444,666,0,110,2666], 0.0115278, 2, "stop", [["bash",true]], []],
  ["opencode/k-two-tools", "success", null, [3118,325,944,0,72,3443], 0.0116802, 2, "stop", [["write",false],["bash",false]], []],
  ["opencode/q-killed", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["OPENCODE_ABORTED"]],
  ["qwen/a-plain", "success", "fake-model", [1121,227,333,null,null,1348], null, 1, null, [], []],
  ["qwen/a-plain.json", "success", "fake-model", [1121,227,333,null,55,1348], null, 1, null, [], []],
  ["qwen/a-plain.partial", "success", "fake-model", [1121,227,333,null,null,1348], null, 1, null, [], []],
  ["qwen/a-plain.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["qwen/b-shell", "success", "fake-model", [2222,444,666,null,null,2666], null, 2, null, [["run_shell_command",null]], []],
  ["qwen/b-shell.json", "success", "fake-model", [2222,444,666,null,110,2666], null, 2, null, [["run_shell_command",null]], []],
  ["qwen/b-shell.text", "success", null, [null,null,null,null,null,null], null, null, null, [], []],
  ["qwen/d-401", "failed", "fake-model", [0,0,0,null,null,0], null, 1, null, [], ["QWEN_AUTH_FAILED"]],
  ["qwen/d-401.json", "failed", "fake-model", [0,0,0,null,0,0], null, 1, null, [], ["QWEN_AUTH_FAILED"]],
  ["qwen/d-401.text", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["QWEN_AUTH_FAILED"]],
  ["qwen/g-bad-flag", "failed", null, [null,null,null,null,null,null], null, null, null, [], ["QWEN_INVALID_CONFIG"]],
  ["qwen/j-toolfail", "success", "fake-model", [2222,444,666,null,null,2666], null, 2, null, [["run_shell_command",null]], []],
  ["qwen-0.24.4/a-plain", "success", "fake-model", [1121,227,333,null,null,1348], null, 1, null, [], []],
  ["qwen-0.24.4/b-shell", "success", "fake-model", [2222,444,666,null,null,2666], null, 2, null, [["run_shell_command",false]], []],
  ["qwen-0.24.4/d-401", "failed", "fake-model", [0,0,0,null,null,0], null, 1, null, [], ["QWEN_AUTH_FAILED"]],
  ["qwen-0.24.4/j-toolfail", "success", "fake-model", [2222,444,666,null,null,2666], null, 2, null, [["run_shell_command",true]], []],
  ["qwen-0.24.4/k-two-tools", "success", "sim-model", [3118,325,944,null,null,3443], null, 2, null, [["run_shell_command",false],["write_file",false]], []],
  ["qwen-0.24.4/l-429", "failed", "sim-model", [null,null,null,null,null,null], null, null, null, [], ["QWEN_RATE_LIMIT","QWEN_ABORTED"]],
  ["qwen-0.24.4/n-drop", "failed", "sim-model", [0,0,0,null,null,0], null, 1, null, [], ["QWEN_NETWORK"]],
  ["qwen-0.24.4/q-killed", "failed", "sim-model", [null,null,null,null,null,null], null, null, null, [], ["QWEN_ABORTED"]],
];

describe("every recording of a real CLI", () => {
  test.each(ROWS)(
    "%s gives the right log",
    (name, status, model, tokens, cost, turns, stopReason, tools, errors) => {
      const log = normalizeRecording(readRecording(name));
      expect(log.execution.status).toBe(status);
      expect(log.model_info.name).toBe(model);
      expect(Object.values(log.usage).slice(0, 6)).toEqual(tokens);
      expect(log.usage.source).toBe(tokens.some((count) => count !== null) ? "output" : "unknown");
      expect(log.cost).toEqual(cost === null ? null : { usd: cost, source: "output" });
      expect(log.turns).toBe(turns);
      expect(log.stop_reason).toBe(stopReason);
      expect(log.tool_calls.map(({ name, is_error }) => [name, is_error ?? null])).toEqual(tools);
      expect(log.errors.map(({ code }) => code)).toEqual(errors);
    },
  );

  test("is in the table", () => {
    expect(ROWS.map(([name]) => name).sort()).toEqual(listRecordings().sort());
  });

  test.each(listRecordings())("%s gives a log that fits the published schema", (name) => {
    expect(RUN_LOG.safeParse(normalizeRecording(readRecording(name))).error).toBeUndefined();
  });

  test.each(listRecordings())("%s gives a log that is frozen to its last part", (name) => {
    expect(findLoose(normalizeRecording(readRecording(name)))).toBeNull();
  });
});

function findLoose(value: unknown, path = "log"): string | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Object.isFrozen(value)) return path;
  for (const [key, part] of Object.entries(value)) {
    const loose = findLoose(part, `${path}.${key}`);
    if (loose !== null) return loose;
  }
  return null;
}

describe("a log", () => {
  test("has the answer, the tool's result and the words before it in the order in which they came", () => {
    const log = normalizeRecording(readRecording("claude-code/b-shell"));
    expect(log.messages.map(({ role, content }) => [role, content])).toEqual([
      ["assistant", "I will run a command."],
      ["tool", "hello-from-tool"],
      ["assistant", "The tool said hello-from-tool."],
    ]);
    expect(log.messages[1]?.parent).toBe(log.tool_calls[0]?.id);
  });

  test("has a tool call with its arguments, result, time and permission", () => {
    const log = normalizeRecording(readRecording("claude-2.1.325/b-shell"));
    expect(log.tool_calls).toEqual([
      {
        id: "toolu_MTgJhmcLI0OTcmef4LoiLHbe",
        name: "Bash",
        kind: "shell",
        arguments: { command: "echo hello-from-tool", description: "Run a scripted command" },
        result: "hello-from-tool",
        is_error: false,
        started_at: "2026-11-15T21:00:44.615Z",
        duration_ms: 56,
        permission: "allowed",
      },
    ]);
  });

  test("has a streamed answer once, whether or not the agent repeats it", () => {
    for (const name of [
      "claude-code/a-plain.partial",
      "qwen/a-plain.partial",
      "gemini/a-plain",
      "copilot/a-plain",
    ]) {
      const answers = normalizeRecording(readRecording(name)).messages.filter(
        ({ role }) => role === "assistant",
      );
      expect(
        answers.map(({ content }) => content),
        name,
      ).toEqual(["Hello from the fake model."]);
    }
  });

  test("has the last try of an answer that was cut and asked for again", () => {
    for (const [name, cut] of [
      ["claude-2.1.325/n-drop", "This is "],
      ["copilot/n-drop", "This is cut."],
      // It keeps what came before, and says so in its own message.
      ["qwen-0.24.4/n-drop", "This is cut.".repeat(4)],
    ] as const) {
      const { messages } = normalizeRecording(readRecording(name));
      const answers = messages.filter(({ role }) => role === "assistant");
      expect(
        answers.map(({ content }) => content),
        name,
      ).toEqual([cut]);
    }
  });

  test("says unknown of a shell command whose failure the agent calls a success", () => {
    for (const name of ["gemini/j-toolfail", "qwen/j-toolfail"])
      expect(normalizeRecording(readRecording(name)).tool_calls[0], name).not.toHaveProperty(
        "is_error",
      );
  });

  test("takes its times from the output, and where there are none, from its duration and now", () => {
    expect(normalizeRecording(readRecording("gemini/a-plain")).execution).toMatchObject({
      started_at: "2026-11-15T20:07:11.996Z",
      completed_at: "2026-11-15T20:07:12.108Z",
      duration_ms: 112,
    });
    expect(normalizeRecording(readRecording("claude-code/a-plain")).execution).toMatchObject({
      started_at: "2026-01-02T03:04:05.322Z",
      completed_at: NOW,
      duration_ms: 356,
    });
  });

  test("names session, version and provider as far as the output says them", () => {
    expect(normalizeRecording(readRecording("codex/a-plain.text"))).toMatchObject({
      agent_info: { name: "codex", version: "0.166.0", adapter_version: "1.0.0" },
      model_info: { name: "gpt-5.5", provider: "fake", source: "output", parameters: {} },
      session: { id: "01a1e0e7-8673-73f2-92db-e89b03fa9961", resumable: true },
    });
    expect(normalizeRecording(readRecording("claude-code/a-plain.text"))).toMatchObject({
      agent_info: { version: "unknown" },
      model_info: { name: null, provider: "anthropic", source: "unknown" },
      session: { id: null, resumable: false },
    });
  });

  test("has the exit code, or none after a signal", () => {
    expect(normalizeRecording(readRecording("gemini/d-401")).execution.exit_code).toBe(145);
    expect(normalizeRecording(readRecording("claude-code/d-401")).execution).toMatchObject({
      exit_code: null,
      signal: "SIGKILL",
    });
  });
});
