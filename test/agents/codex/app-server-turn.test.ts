import { expect, test } from "vitest";
import { TurnReader } from "../../../src/agents/codex/app-server-turn.ts";
import { createCodexDialect } from "../../../src/agents/codex/parse.ts";
import type { LogEvent } from "../../../src/agents/log/event.ts";

const readAll = (
  ...messages: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>])[]
): readonly LogEvent[] => {
  const reader = new TurnReader(null);
  return messages.flatMap(([method, params]) => reader.read(method, params));
};

test.each([
  ["usageLimitExceeded", "You have hit a wall", "RATE_LIMIT"],
  ["rateLimitExceeded", "no more", "RATE_LIMIT"],
  [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "no more", "RATE_LIMIT"],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, "no more", "AUTH_FAILED"],
  [{ responseStreamDisconnected: { httpStatusCode: null } }, "gone", "NETWORK"],
  ["serverOverloaded", "busy", "OVERLOADED"],
  ["unauthorized", "no", "AUTH_FAILED"],
  ["modelNotFound", "no", "INVALID_CONFIG"],
  ["cyberPolicy", "no", "REFUSED"],
  ["other", "You've hit your usage limit", "RATE_LIMIT"],
  ["constructor", "whatever", "UNKNOWN"],
  [null, "whatever", "UNKNOWN"],
])("a turn that failed by %j, %s, is %s, and says so once", (codexErrorInfo, message, reason) => {
  const error = { message, codexErrorInfo };
  const events = readAll(
    ["error", { error, willRetry: false }],
    ["turn/completed", { turn: { status: "failed", error } }],
  );
  expect(events).toMatchObject([
    { kind: "error", reason, message },
    { kind: "final", isSuccess: false, stopReason: "failed" },
  ]);
});

test("a try that is made again is no failure", () => {
  const error = { message: "Reconnecting... 2/5", codexErrorInfo: null };
  expect(readAll(["error", { error, willRetry: true }])).toMatchObject([
    { kind: "retry", attempt: 2 },
  ]);
});

test("items say in a conversation what they say in a run", () => {
  const spellings = [
    [
      {
        ...{ type: "commandExecution", id: "c", command: "ls", status: "failed" },
        ...{ aggregatedOutput: "no\n", exitCode: 2 },
      },
      {
        ...{ type: "command_execution", id: "c", command: "ls", status: "failed" },
        ...{ aggregated_output: "no\n", exit_code: 2 },
      },
    ],
    [
      {
        ...{ type: "fileChange", id: "f", status: "completed" },
        changes: [{ path: "a", kind: { type: "update", move_path: null }, diff: "@@" }],
      },
      {
        ...{ type: "file_change", id: "f", status: "completed" },
        changes: [{ path: "a", kind: "update" }],
      },
    ],
    [
      { type: "mcpToolCall", id: "m", server: "s", tool: "t", arguments: {}, status: "inProgress" },
      {
        type: "mcp_tool_call",
        id: "m",
        server: "s",
        tool: "t",
        arguments: {},
        status: "in_progress",
      },
    ],
    [
      {
        type: "collabAgentToolCall",
        id: "g",
        tool: "spawnAgent",
        prompt: "go",
        status: "completed",
      },
      { type: "collab_tool_call", id: "g", tool: "spawnAgent", prompt: "go", status: "completed" },
    ],
    [
      { type: "reasoning", id: "r", summary: ["one"], content: ["two"] },
      { type: "reasoning", id: "r", text: "one\ntwo" },
    ],
    [
      { type: "agentMessage", id: "a", text: "Hello." },
      { type: "agent_message", id: "a", text: "Hello." },
    ],
  ];
  for (const [spoken, printed] of spellings)
    for (const phase of ["started", "completed"])
      expect(readAll([`item/${phase}`, { item: spoken }])).toEqual(
        createCodexDialect().readRecord({ type: `item.${phase}`, item: printed }),
      );
});
