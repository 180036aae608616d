import { describe, expect, test } from "vitest";
import { toOtelSpans } from "../../src/agents/export/otel-spans.ts";
import { toYoubenchaLog } from "../../src/agents/export/youbencha-log.ts";
import type { RunLog } from "../../src/agents/run-log.ts";
import { writeHtmlTranscript } from "../../src/agents/transcript/html-transcript.ts";
import { writeMarkdownTranscript } from "../../src/agents/transcript/markdown-transcript.ts";
import { writeTextTranscript } from "../../src/agents/transcript/text-transcript.ts";
import { normalizeRecording, readRecording } from "./read-recording.ts";

const shell = () => normalizeRecording(readRecording("copilot/j-toolfail"));
const failed = () => normalizeRecording(readRecording("gemini/d-401"));

const say = (log: RunLog, content: string): RunLog => ({
  ...log,
  messages: [{ role: "assistant", content }],
  tool_calls: [],
});

describe("a transcript as text", () => {
  test("reads from top to bottom", () => {
    expect(writeTextTranscript(shell(), { width: 60 })).toBe(`run      run
agent    copilot
model    fake-model
status   success
started  2026-11-15T20:22:30.072Z
took     469 ms
turns    2
session  55bf3415-2cad-402f-ad1a-e48d99971b42

user:
  Please do the scripted task.

> bash echo to-stderr >&2; exit 3
  failed
  | to-stderr
  | <shellId: 0 completed with exit code 3>

assistant:
  The command failed with 3.`);
  });

  test("names tokens and cost where they are known, and every error", () => {
    const text = writeTextTranscript(normalizeRecording(readRecording("claude-code/b-shell")));
    expect(text).toMatch(/^tokens +2,976 in \(666 cached\), 444 out$/m);
    expect(text).toMatch(/^cost +\$0\.0231$/m);
    expect(writeTextTranscript(failed())).toContain("! GEMINI_AUTH_FAILED: [API Error:");
  });

  test("wraps words and leaves long ones whole", () => {
    const path = `/very/long/${"path/".repeat(20)}end`;
    const text = writeTextTranscript(say(shell(), `see ${path} and then ${"word ".repeat(30)}`), {
      width: 40,
    });
    expect(text).toContain(path);
    for (const line of text.split("\n").filter((line) => line.startsWith("  word")))
      expect(line.length).toBeLessThanOrEqual(40);
  });

  test("shows the first lines of a long result", () => {
    const log = shell();
    const [call] = log.tool_calls;
    if (call === undefined) throw new Error("the recording has a call");
    const result = Array.from({ length: 100 }, (_, at) => `line ${at}`).join("\n");
    const text = writeTextTranscript({ ...log, tool_calls: [{ ...call, result }] });
    expect(text).toContain("| line 19\n  | … 80 more lines");
  });

  test("has a call that never came back at its end", () => {
    const log = { ...shell(), messages: [] };
    expect(writeTextTranscript(log)).toMatch(/> bash echo to-stderr/);
  });
});

describe("a transcript as Markdown", () => {
  test("keeps an answer's own headings and fences inside", () => {
    const text = writeMarkdownTranscript(say(shell(), "# Not a heading\n```\ncode\n```"));
    expect(text).toContain("> # Not a heading\n> ```\n> code\n> ```");
    expect(text.split("\n").filter((line) => line.startsWith("# "))).toEqual(["# Run of copilot"]);
  });

  test("fences a result that has fences itself", () => {
    const log = shell();
    const text = writeMarkdownTranscript({
      ...log,
      tool_calls: log.tool_calls.map((call) => ({ ...call, result: "```\ninner\n```" })),
    });
    expect(text).toContain("````\n```\ninner\n```\n````");
  });

  test("does not let a value break its table", () => {
    const log = { ...shell(), run_id: "a|b\nc" };
    expect(writeMarkdownTranscript(log)).toContain("| run | a\\|b c |");
  });
});

describe("a transcript as a page", () => {
  const EVIL = `<script>alert(1)</script><img src=x onerror="alert(2)">&'"`;

  test("shows what was said and never obeys it", () => {
    const log = shell();
    const page = writeHtmlTranscript({
      ...log,
      run_id: EVIL,
      agent_info: { ...log.agent_info, name: EVIL },
      messages: [{ role: "assistant", content: EVIL }, ...log.messages],
      tool_calls: log.tool_calls.map((call) => ({
        ...call,
        name: EVIL,
        arguments: EVIL,
        result: EVIL,
      })),
      errors: [{ message: EVIL, code: "X", timestamp: "2026-01-01T00:00:00.000Z" }],
    });
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("needs nothing from elsewhere and follows light and dark", () => {
    const page = writeHtmlTranscript(shell());
    expect(page).not.toMatch(/\b(?:src|href)=/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page).toContain('name="viewport"');
  });
});

describe("other forms of a log", () => {
  test("youBencha's has its fields and 0 for unknown tokens", () => {
    const log = toYoubenchaLog(shell());
    expect(Object.keys(log)).toEqual([
      ...["agent_info", "model_info", "execution", "messages", "tool_calls", "usage", "errors"],
    ]);
    expect(log.usage).toEqual({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
    expect(log.tool_calls).toEqual([
      {
        name: "bash",
        arguments: { command: "echo to-stderr >&2; exit 3", description: "Run a scripted command" },
        result: "to-stderr\n<shellId: 0 completed with exit code 3>",
      },
    ]);
  });

  test("OpenTelemetry's has a span for the run and one below it for each call", () => {
    const log = normalizeRecording(readRecording("claude-2.1.325/j-toolfail"));
    const spans = toOtelSpans(log).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const [root, tool] = spans;
    expect(spans).toHaveLength(2);
    expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(root?.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(tool).toMatchObject({
      traceId: root?.traceId,
      parentSpanId: root?.spanId,
      name: "execute_tool Bash",
    });
    expect(root?.attributes).toEqual(
      expect.arrayContaining([
        { key: "gen_ai.operation.name", value: { stringValue: "invoke_agent" } },
        { key: "gen_ai.usage.input_tokens", value: { intValue: "2976" } },
        { key: "gen_ai.response.model", value: { stringValue: "claude-opus-5-5" } },
      ]),
    );
    expect(tool?.status.code).toBe(2);
    const length = BigInt(tool?.endTimeUnixNano ?? 0) - BigInt(tool?.startTimeUnixNano ?? 0);
    expect(length).toBe(65_000_000n);
    expect(toOtelSpans(log)).toEqual(toOtelSpans(log));
  });

  test("OpenTelemetry's says nothing of what is unknown, and what went wrong", () => {
    const [root] = toOtelSpans(failed()).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const keys = root?.attributes.map(({ key }) => key) ?? [];
    expect(keys).not.toContain("adjutant.cost.usd");
    expect(root?.attributes).toContainEqual({
      key: "error.type",
      value: { stringValue: "GEMINI_AUTH_FAILED" },
    });
    expect(root?.status.code).toBe(2);
  });
});
