import fc from "fast-check";
import type { RunLog } from "../../../../src/agents/log/run-log.ts";
import { anyCharacter } from "../../../support/any-character.ts";

/** What breaks out of quotes, tags, fences, lines, terminals and encodings. */
const NASTY = [
  "<script>alert(1)</script>",
  "</pre></details><img src=x onerror=alert(1)>",
  "<!--",
  "-->",
  "]]>",
  "</style>",
  "`",
  "```",
  "````\n```js",
  "~~~",
  "\n    ",
  "\n# heading\n",
  "\n</details>\n",
  "|",
  "\\",
  "'",
  '"',
  "&lt;",
  "&",
  "@someone #12",
  "https://example.com/a?b=1&c=<d>",
  "\u001b[31mred\u001b[0m",
  "\u001b]8;;https://example.com\u0007link",
  "\u009b1m",
  "\0",
  "\u0007\b\u007f",
  "\r\n",
  "\r",
  "\t",
  "\u2028",
  "\u202egnp.exe",
  "\ud800",
  "\udc00",
  "\ufffe",
  "日本語",
  "👩‍👩‍👧",
  "",
];

const nastyText = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: anyCharacter, maxLength: 8 })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const text = fc.oneof(nastyText, fc.string(), fc.lorem({ maxCount: 40 }));
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const count = nullable(fc.nat());
const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
const time = fc
  .date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const callId = fc.constantFrom("one", "two", "three", "`<four>`");
const json = fc.oneof(text, fc.jsonValue(), fc.dictionary(text, fc.oneof(text, fc.jsonValue())));

const message = fc.record(
  {
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    content: text,
    timestamp: time,
    parent: callId,
  },
  { requiredKeys: ["role", "content"] },
);

const toolCall = fc.record(
  {
    id: callId,
    name: text,
    kind: fc.constantFrom("shell", "read", "write", "edit", "mcp", "agent", "other"),
    arguments: json,
    result: text,
    is_error: fc.boolean(),
    started_at: time,
    duration_ms: amount,
    permission: fc.constantFrom("allowed", "denied"),
  },
  { requiredKeys: ["id", "name", "kind", "arguments"] },
);

const error = fc.record(
  {
    message: text.map((some) => `!${some}`),
    timestamp: time,
    code: fc.constantFrom("CODEX_UNKNOWN", "CLAUDE_TIMEOUT"),
    stack_trace: text,
    context: fc.dictionary(text, fc.jsonValue()),
  },
  { requiredKeys: ["message", "timestamp", "code"] },
);

/** Any log that fits the schema. */
export const anyLog: fc.Arbitrary<RunLog> = fc.record({
  version: fc.constant(1 as const),
  run_id: text.map((some) => `r${some}`),
  agent_info: fc.record({ name: text, version: text, adapter_version: text }),
  model_info: fc.record({
    name: nullable(text),
    provider: nullable(text),
    parameters: fc.dictionary(text, fc.jsonValue()),
    source: fc.constantFrom("output", "config", "unknown"),
  }),
  command: nullable(fc.record({ executable: text, args: fc.array(text) })),
  execution: fc.record(
    {
      started_at: time,
      completed_at: time,
      duration_ms: amount,
      exit_code: nullable(fc.integer()),
      signal: text,
      status: fc.constantFrom("success", "failed", "timeout", "cancelled"),
      timed_out: fc.boolean(),
    },
    {
      requiredKeys: [
        ...(["started_at", "completed_at", "duration_ms"] as const),
        ...(["exit_code", "status", "timed_out"] as const),
      ],
    },
  ),
  messages: fc.array(message, { maxLength: 6 }),
  tool_calls: fc.array(toolCall, { maxLength: 4 }),
  usage: fc.record({
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
    total_tokens: count,
    source: fc.constantFrom("output", "estimated", "unknown"),
  }),
  cost: nullable(fc.record({ usd: amount, source: fc.constantFrom("output", "estimated") })),
  turns: count,
  stop_reason: nullable(text),
  session: fc.record({ id: nullable(text), resumable: fc.boolean() }),
  files_changed: fc.array(text, { maxLength: 3 }),
  errors: fc.array(error, { maxLength: 3 }),
  environment: fc.record({
    os: text,
    node_version: text,
    adjutant_version: text,
    working_directory: text,
  }),
});
