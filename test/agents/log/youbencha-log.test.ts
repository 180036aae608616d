import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toYoubenchaLog } from "../../../src/agents/log/youbencha-log.ts";
import { normalizeRecording, readRecording } from "../run/read-recording.ts";
import { anyLog } from "./transcript/any-log.ts";
import { fullLog, sampleLog } from "./transcript/sample-log.ts";

const FIELDS = [
  ...["agent_info", "model_info", "execution", "messages", "tool_calls", "usage", "errors"],
];

test("a recorded run has youBencha's fields", () => {
  const log = toYoubenchaLog(normalizeRecording(readRecording("claude-2.1.325/b-shell")));
  expect(log).toEqual({
    agent_info: { name: "claude-code", version: "2.1.325", adapter_version: "1.0.0" },
    model_info: { name: "claude-opus-5-5", provider: "anthropic", parameters: {} },
    execution: {
      started_at: "2026-11-15T21:00:44.455Z",
      completed_at: "2026-11-15T21:00:44.700Z",
      duration_ms: 245,
      exit_code: 0,
      status: "success",
      timed_out: false,
    },
    messages: [
      {
        role: "assistant",
        content: "I will run a command.",
        timestamp: "2026-11-15T21:00:44.611Z",
      },
      { role: "tool", content: "hello-from-tool", timestamp: "2026-11-15T21:00:44.671Z" },
      {
        role: "assistant",
        content: "The tool said hello-from-tool.",
        timestamp: "2026-11-15T21:00:44.700Z",
      },
    ],
    tool_calls: [
      {
        name: "Bash",
        arguments: '{"command":"echo hello-from-tool","description":"Run a scripted command"}',
        result: "hello-from-tool",
      },
    ],
    usage: { input_tokens: 2976, output_tokens: 444, total_tokens: 3420 },
    errors: [],
  });
});

describe("what youBencha has no word for", () => {
  test("is 0 for tokens and unknown for the model", () => {
    const { usage, model_info } = toYoubenchaLog(sampleLog());
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
    expect(model_info).toEqual({ name: "unknown", provider: "unknown", parameters: {} });
  });

  test("is a failure with an exit code of 1 when the run was cancelled", () => {
    const execution = { ...sampleLog().execution, exit_code: null, status: "cancelled" } as const;
    expect(toYoubenchaLog(sampleLog({ execution })).execution).toMatchObject({
      exit_code: 1,
      status: "failed",
    });
  });

  test("is left out: the signal, a message's call, a call's id", () => {
    const log = toYoubenchaLog(fullLog());
    expect(log.execution).not.toHaveProperty("signal");
    expect(log.messages[2]).toEqual({ role: "tool", content: "a\nb" });
    expect(log.tool_calls[1]).toEqual({ name: "Task", arguments: "find callers", result: "" });
    expect(log.tool_calls[2]).toEqual({ name: "Write", arguments: "{}" });
  });
});

test("any log has all fields and not one null", () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const converted = toYoubenchaLog(log);
      expect(Object.keys(converted)).toEqual(FIELDS);
      const { usage, execution, model_info, tool_calls } = converted;
      for (const value of [...Object.values(usage), execution.exit_code])
        expect(value).toBeTypeOf("number");
      for (const value of [model_info.name, ...tool_calls.map((call) => call.arguments)])
        expect(value).toBeTypeOf("string");
    }),
  );
});
