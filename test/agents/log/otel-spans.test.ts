import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attribute, Span } from "../../../src/agents/log/otel-spans.ts";
import { providerName, toOtelSpans } from "../../../src/agents/log/otel-spans.ts";
import type { LogToolCall, RunLog } from "../../../src/agents/log/run-log.ts";
import { normalizeRecording, readRecording } from "../run/read-recording.ts";
import { anyLog } from "./transcript/any-log.ts";
import { fullLog, sampleLog } from "./transcript/sample-log.ts";

const spansOf = (log: RunLog): readonly Span[] =>
  toOtelSpans(log).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );
const rootOf = (log: RunLog): Span | undefined => spansOf(log)[0];
const plain = ({ attributes }: { attributes: readonly Attribute[] } = { attributes: [] }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const endedAs = (status: RunLog["execution"]["status"]): Partial<RunLog> => ({
  execution: { ...sampleLog().execution, status },
});

test("a recorded run is one span with one below it for its call", () => {
  const log = normalizeRecording(readRecording("claude-2.1.325/b-shell"));
  const [root, tool, ...others] = spansOf(log);
  expect(others).toEqual([]);
  expect(root).toMatchObject({
    name: "invoke_agent claude-code",
    kind: 1,
    startTimeUnixNano: "1794776444455000000",
    endTimeUnixNano: "1794776444700000000",
    status: {},
  });
  expect(root).not.toHaveProperty("parentSpanId");
  expect(plain(root)).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.agent.name": "claude-code",
    "gen_ai.agent.version": "2.1.325",
    "gen_ai.conversation.id": log.session.id,
    "gen_ai.request.model": "claude-opus-5-5",
    "gen_ai.response.model": "claude-opus-5-5",
    "gen_ai.response.finish_reasons": { values: [{ stringValue: "end_turn" }] },
    "gen_ai.usage.input_tokens": "2976",
    "gen_ai.usage.output_tokens": "444",
    "gen_ai.usage.cache_read.input_tokens": "666",
    "gen_ai.usage.cache_creation.input_tokens": "88",
    "gen_ai.usage.reasoning.output_tokens": "0",
    "process.exit.code": "0",
    "adjutant.run.id": "run",
    "adjutant.turns": "2",
    "adjutant.cost.usd": 0.0183412,
  });
  expect(tool).toMatchObject({
    traceId: root?.traceId,
    parentSpanId: root?.spanId,
    name: "execute_tool Bash",
    startTimeUnixNano: "1794776444615000000",
    endTimeUnixNano: "1794776444671000000",
    status: {},
  });
  expect(plain(tool)).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "Bash",
    "gen_ai.tool.call.id": "toolu_MTgJhmcLI0OTcmef4LoiLHbe",
    "adjutant.tool.kind": "shell",
    "adjutant.tool.permission": "allowed",
  });
});

describe("the ids", () => {
  test("are the same for the same run and others for another", () => {
    const ids = (log: RunLog) => spansOf(log).map(({ traceId, spanId }) => [traceId, spanId]);
    expect(ids(fullLog())).toEqual(ids(fullLog()));
    const other = ids({ ...fullLog(), run_id: "run-2" });
    for (const [at, [trace, span]] of ids(fullLog()).entries()) {
      expect(other[at]?.[0]).not.toBe(trace);
      expect(other[at]?.[1]).not.toBe(span);
    }
  });

  test("come from the run's id by sha256", () => {
    expect(rootOf(sampleLog({ run_id: "run-1" }))).toMatchObject({
      traceId: "7a4838759ed737d194f468d4082ecc36",
      spanId: "f49dd6bc7092bec0",
    });
  });
});

test("what is not known has no attribute; only the provider must have a name", () => {
  expect(plain(rootOf(sampleLog()))).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "unknown",
    "gen_ai.agent.name": "codex",
    "process.exit.code": "0",
    "adjutant.run.id": "run-1",
  });
});

test("a model that was only asked for is not said to have answered", () => {
  const names = plain(rootOf(fullLog()));
  expect(names).toMatchObject({ "gen_ai.request.model": "opus" });
  expect(names).not.toHaveProperty("gen_ai.response.model");
});

test.each([
  ["bedrock", "aws.bedrock"],
  ["vertex", "gcp.vertex_ai"],
  ["google", "gcp.gen_ai"],
  ["openai", "openai"],
  ["Anthropic", "anthropic"],
  [null, "unknown"],
])("the provider %s is %s in the conventions", (provider, name) => {
  expect(providerName(provider)).toBe(name);
});

describe("a run that failed", () => {
  const errors: RunLog["errors"] = [
    { code: "CODEX_AUTH_FAILED", message: "who are you", timestamp: "2026-11-05T14:03:30.000Z" },
    { code: "CODEX_ABORTED", message: "gone", timestamp: "2026-11-05T14:03:31.000Z" },
  ];

  test.each([
    ["failed", errors, "CODEX_AUTH_FAILED"],
    ["failed", [], "_OTHER"],
    ["timeout", errors, "timeout"],
    ["cancelled", [], "cancelled"],
    ["success", errors, undefined],
  ] as const)("as %s has its type", (status, some, type) => {
    const root = rootOf(sampleLog({ ...endedAs(status), errors: some }));
    expect(plain(root)["error.type"]).toBe(type);
    expect(root?.status.code).toBe(type === undefined ? undefined : 2);
  });

  test("says its first error and has each as an event", () => {
    const root = rootOf(sampleLog({ ...endedAs("failed"), errors }));
    expect(root?.status).toEqual({ code: 2, message: "who are you" });
    expect(root?.events.map((event) => [event.name, event.timeUnixNano, plain(event)])).toEqual([
      [
        "exception",
        "1793887410000000000",
        { "exception.type": "CODEX_AUTH_FAILED", "exception.message": "who are you" },
      ],
      [
        "exception",
        "1793887411000000000",
        { "exception.type": "CODEX_ABORTED", "exception.message": "gone" },
      ],
    ]);
  });
});

describe("a tool call", () => {
  const RUN = ["1793887402100000000", "1793887485100000000"];
  const spanOf = (call: Partial<LogToolCall>): Span | undefined =>
    spansOf(
      sampleLog({
        tool_calls: [{ id: "1", name: "Bash", kind: "shell", arguments: {}, ...call }],
      }),
    )[1];

  test.each([
    [
      "both known",
      { started_at: "2026-11-05T14:03:30.000Z", duration_ms: 1.5 },
      ["1793887410000000000", "1793887410001500000"],
    ],
    ["only its start", { started_at: "2026-11-05T14:03:30.000Z" }, ["1793887410000000000", RUN[1]]],
    ["only its length", { duration_ms: 5 }, RUN],
    ["neither", {}, RUN],
    [
      "a start after the run's end",
      { started_at: "2026-11-05T15:00:00.000Z" },
      ["1793890800000000000", "1793890800000000000"],
    ],
  ])("has its own times as far as known, else the run's: %s", (_, call, times) => {
    const span = spanOf(call);
    expect([span?.startTimeUnixNano, span?.endTimeUnixNano]).toEqual(times);
  });

  test.each([
    [{ is_error: true }, "tool_error"],
    [{ permission: "denied" }, "permission_denied"],
    [{ is_error: false, permission: "allowed" }, undefined],
    [{}, undefined],
  ] as const)("with %j has the error %s", (call, type) => {
    expect(plain(spanOf(call))["error.type"]).toBe(type);
    expect(spanOf(call)?.status).toEqual(type === undefined ? {} : { code: 2 });
  });

  test("keeps what it was given and what it gave back to itself", () => {
    const span = spanOf({ arguments: { command: "cat secret" }, result: "top secret" });
    expect(JSON.stringify(span)).not.toContain("secret");
  });
});

test("any log gives spans that OTLP can carry", () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const spans = spansOf(log);
      const [root] = spans;
      expect(spans).toHaveLength(log.tool_calls.length + 1);
      expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
      for (const span of spans) {
        expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
        expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
        expect(span.traceId).toBe(root?.traceId);
        for (const time of [span.startTimeUnixNano, span.endTimeUnixNano])
          expect(BigInt.asUintN(64, BigInt(time))).toBe(BigInt(time));
        expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      }
      expect(JSON.stringify(spans)).not.toMatch(/\\ud[89a-f]/);
    }),
  );
});
