import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LogEntry, orderEntries } from "../../../src/agents/log/collect-entries.ts";
import type { LogMessage, LogToolCall, RunLog } from "../../../src/agents/log/run-log.ts";
import { normalizeRecording, readRecording } from "../run/read-recording.ts";
import { anyLog } from "./transcript/any-log.ts";
import { sampleLog } from "./transcript/sample-log.ts";

const say = (content: string, rest: Partial<LogMessage> = {}): LogMessage => ({
  role: "assistant",
  content,
  ...rest,
});
const answer = (parent: string): LogMessage => ({ role: "tool", content: `${parent}!`, parent });
const call = (id: string, rest: Partial<LogToolCall> = {}): LogToolCall => ({
  id,
  name: "Bash",
  kind: "shell",
  arguments: {},
  result: `${id}!`,
  ...rest,
});
const at = (second: number): string => `2026-11-05T14:03:${second}.000Z`;

const nameEntry = (entry: LogEntry): string => {
  if (entry.kind === "message") return entry.message.content;
  const inside = entry.inside.map(({ content }) => content);
  return inside.length === 0 ? entry.call.id : `${entry.call.id}(${inside.join(" ")})`;
};
const order = (messages: LogMessage[], tool_calls: LogToolCall[], rest: Partial<RunLog> = {}) =>
  orderEntries(sampleLog({ messages, tool_calls, ...rest })).map(nameEntry);
const failed: Partial<RunLog> = { execution: { ...sampleLog().execution, status: "failed" } };

describe("a tool call stands", () => {
  test("where its answer came", () => {
    expect(order([say("a"), answer("1"), say("b")], [call("1")])).toEqual(["a", "1", "b"]);
  });

  test("where it was called, when answers come in another order", () => {
    const messages = [say("a"), answer("2"), answer("1"), say("b")];
    expect(order(messages, [call("1"), call("2")])).toEqual(["a", "1", "2", "b"]);
  });

  test("before what its sub-agent says, which stands inside it", () => {
    const messages = [say("a"), say("sub", { parent: "1" }), answer("1"), say("b")];
    expect(order(messages, [call("1")])).toEqual(["a", "1(sub)", "b"]);
  });

  test("by the clock, when nothing answers it", () => {
    const messages = [say("a", { timestamp: at(10) }), say("b", { timestamp: at(20) })];
    const open = call("1", { started_at: at(15) });
    expect(order(messages, [open], failed)).toEqual(["a", "1", "b"]);
  });

  test("where it was answered whatever the clock says", () => {
    const messages = [say("a", { timestamp: at(10) }), answer("1"), say("b")];
    expect(order(messages, [call("1", { started_at: at(11) })])).toEqual(["a", "1", "b"]);
    expect(order(messages, [call("1", { started_at: at(9) })])).toEqual(["a", "1", "b"]);
  });

  test("at the end of a run that was cut, before the answer of one that was not", () => {
    expect(order([say("a"), say("b")], [call("1")], failed)).toEqual(["a", "b", "1"]);
    expect(order([say("a"), say("b")], [call("1")])).toEqual(["a", "1", "b"]);
  });
});

test("a tool's words that are not its call's result are kept", () => {
  const other = { role: "tool", content: "other", parent: "1" } as const;
  expect(order([other], [call("1")])).toEqual(["1(other)"]);
  expect(order([answer("gone")], [])).toEqual(["gone!"]);
});

test("a message without a call stands by itself, also beside a call without an id", () => {
  expect(order([say("a"), say("b")], [call("")])).toEqual(["a", "", "b"]);
});

test.each(["claude-code", "codex", "gemini", "opencode", "copilot", "qwen"])(
  "%s: a real run ends with its answer, the call before it",
  (agent) => {
    const entries = orderEntries(normalizeRecording(readRecording(`${agent}/b-shell`)));
    expect(entries.slice(-2).map(({ kind }) => kind)).toEqual(["call", "message"]);
  },
);

test("whatever the log, every call is there once, in order, and every word is kept", () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const entries = orderEntries(log);
      const calls = entries.flatMap((entry) => (entry.kind === "call" ? [entry.call] : []));
      expect(calls).toEqual(log.tool_calls);
      const said = entries.flatMap((entry) =>
        entry.kind === "call" ? entry.inside : [entry.message],
      );
      const results = new Set(log.tool_calls.map(({ result }) => result));
      const missing = log.messages.filter((message) => !said.includes(message));
      for (const { role, content } of missing) {
        expect(role).toBe("tool");
        expect(results).toContain(content);
      }
      const top = entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
      expect(top).toEqual(log.messages.filter((message) => top.includes(message)));
    }),
  );
});
