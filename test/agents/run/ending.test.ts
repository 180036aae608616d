import { describe, expect, test } from "vitest";
import {
  classifyFailure,
  ERROR_REASONS,
  formatErrorCode,
} from "../../../src/agents/log/error-reasons.ts";
import { normalizeOutput } from "../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../support/agents.ts";
import { readRecording } from "./read-recording.ts";

interface Ending {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stderr?: string;
}

function endOf(
  name: string,
  ending: Ending,
  edit: (lines: string[]) => string[] = (lines) => lines,
) {
  const { adapter, stdout } = readRecording(name);
  const lines = edit(stdout.toString("utf8").trimEnd().split("\n"));
  const log = normalizeOutput(adapter, Buffer.from(lines.join("\n")), { stderr: "", ...ending });
  return [log.execution.status, ...log.errors.map(({ code }) => code)];
}

const withoutLast = (lines: string[]) => lines.slice(0, -1);
const stopped = (lines: string[]) => [
  ...lines.slice(0, -1),
  '{"type":"abort","data":{"reason":"user_initiated"},"timestamp":"2026-11-15T20:20:54.161Z"}',
  ...lines.slice(-1),
];

describe("exit codes that lie", () => {
  test("Qwen Code exits with 0 after a refused key", () => {
    expect(endOf("qwen/d-401", { exitCode: 0 })).toEqual(["failed", "QWEN_AUTH_FAILED"]);
  });

  test("Claude Code exits with 0 after SIGINT, without its result", () => {
    expect(endOf("claude-code/b-shell", { exitCode: 0 }, withoutLast)).toEqual([
      "failed",
      "CLAUDE_ABORTED",
    ]);
  });

  test("Copilot exits with 0 and a result after SIGTERM", () => {
    expect(endOf("copilot/a-plain", { exitCode: 0 }, stopped)).toEqual([
      "failed",
      "COPILOT_ABORTED",
    ]);
  });

  test("Gemini CLI exits with the HTTP status modulo 256", () => {
    expect(endOf("gemini/d-401", { exitCode: 145 })).toEqual(["failed", "GEMINI_AUTH_FAILED"]);
  });

  test("Gemini CLI exits with 0 after SIGTERM, without its result", () => {
    expect(endOf("gemini/a-plain", { exitCode: 0 }, withoutLast)).toEqual([
      "failed",
      "GEMINI_ABORTED",
    ]);
  });

  test("opencode's last step must have stopped by itself", () => {
    expect(endOf("opencode/b-shell", { exitCode: 0 }, withoutLast)).toEqual([
      "failed",
      "OPENCODE_ABORTED",
    ]);
    const cut = (lines: string[]) =>
      lines.map((line) => line.replace('"reason":"stop"', '"reason":"length"'));
    expect(endOf("opencode/b-shell", { exitCode: 0 }, cut)).toEqual(["failed", "OPENCODE_ABORTED"]);
  });

  test("Codex without the end of its turn has not succeeded", () => {
    expect(endOf("codex/b-shell", { exitCode: 0 }, withoutLast)).toEqual([
      "failed",
      "CODEX_ABORTED",
    ]);
  });

  test.each(["claude-code", "codex", "gemini", "opencode", "copilot", "qwen"])(
    "%s: a word of success does not outweigh an exit code or a signal",
    (agent) => {
      expect(endOf(`${agent}/a-plain`, { exitCode: 3 })[0]).toBe("failed");
      const prefix = adapterOf(agent).codePrefix;
      expect(endOf(`${agent}/a-plain`, { signal: "SIGKILL" })).toEqual([
        "failed",
        `${prefix}_ABORTED`,
      ]);
    },
  );

  test("a reconnect that worked leaves no error", () => {
    const retried = (lines: string[]) => [
      ...lines.slice(0, 2),
      '{"type":"error","message":"Reconnecting... 1/5 (unexpected status 429 Too Many Requests)"}',
      ...lines.slice(2),
    ];
    expect(endOf("codex/a-plain", { exitCode: 0 }, retried)).toEqual(["success"]);
  });

  test("a run that died while it waited to try again says what it waited for", () => {
    expect(endOf("claude-code/d-401", { signal: "SIGTERM" })).toEqual([
      ...["failed", "CLAUDE_AUTH_FAILED", "CLAUDE_ABORTED"],
    ]);
  });

  test("Gemini's status stands on stderr where its message has none", () => {
    const vague = (lines: string[]) => [
      ...lines.slice(0, 2),
      '{"type":"result","timestamp":"2026-11-15T20:07:24.120Z","status":"error","error":{"type":"unknown","message":"[API Error: no]"},"stats":{}}',
    ];
    const stderr = "Attempt 1 failed with status 503. Retrying with backoff...\n";
    expect(endOf("gemini/d-401", { exitCode: 247, stderr }, vague)).toEqual([
      "failed",
      "GEMINI_OVERLOADED",
    ]);
  });

  test("Claude Code's own limits have their code", () => {
    const limited = (lines: string[]) => [
      ...lines.slice(0, -1),
      '{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"s","num_turns":3,"usage":{},"errors":["Reached maximum number of turns (3)"]}',
    ];
    expect(endOf("claude-code/b-shell", { exitCode: 1 }, limited)).toEqual([
      "failed",
      "CLAUDE_MAX_TURNS",
    ]);
  });
});

describe("the reason behind a failure", () => {
  test.each([
    [{ status: 401 }, "AUTH_FAILED"],
    [{ status: 403 }, "AUTH_FAILED"],
    [{ status: 429 }, "RATE_LIMIT"],
    [{ status: 503 }, "OVERLOADED"],
    [{ status: 529 }, "OVERLOADED"],
    [{ status: 400, text: "bad request" }, "UNKNOWN"],
    [{ word: "rate_limit" }, "RATE_LIMIT"],
    [{ word: "server_error", text: "whatever" }, "OVERLOADED"],
    [
      { text: "unexpected status 401 Unauthorized: no, url: http://127.0.0.1:42901/v1" },
      "AUTH_FAILED",
    ],
    [{ text: '[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]' }, "RATE_LIMIT"],
    [{ text: "API Error: 529 overloaded_error" }, "OVERLOADED"],
    [{ text: "connect ECONNREFUSED 127.0.0.1:50301" }, "NETWORK"],
    [{ text: "stream disconnected before completion" }, "NETWORK"],
    [{ text: "TypeError: fetch failed" }, "NETWORK"],
    [{ text: "error: unknown option '--no-such-flag'" }, "INVALID_CONFIG"],
    // What codex 0.166, gemini 0.61 and qwen 0.24 say without a key.
    [{ text: "Missing environment variable: `CODEX_SIM_API_KEY`." }, "AUTH_FAILED"],
    [
      {
        text: "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.",
      },
      "AUTH_FAILED",
    ],
    [
      {
        text: "Missing API key for OpenAI-compatible auth. Set settings.security.auth.apiKey, or set the 'OPENAI_API_KEY' environment variable.",
      },
      "AUTH_FAILED",
    ],
    [{ text: "Missing environment variable: `HOME`." }, "UNKNOWN"],
    [{ text: "line 503 of file.ts" }, "UNKNOWN"],
    [{ text: null }, "UNKNOWN"],
  ])("%j is %s", (signs, reason) => {
    expect(classifyFailure(signs)).toBe(reason);
  });

  test("every code has the published form", () => {
    for (const reason of ERROR_REASONS)
      expect(formatErrorCode("CLAUDE", reason)).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });
});
