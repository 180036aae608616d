import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogEvent } from "../../../../src/agents/log/event.ts";
import type { OutputFormat } from "../../../../src/agents/run/adapter.ts";
import { OutputParser } from "../../../../src/agents/run/output/parser.ts";
import { normalizeOutput } from "../../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../../support/agents.ts";
import { anyCharacter } from "../../../support/any-character.ts";
import { inTier } from "../../../support/tier.ts";
import { listRecordings, normalizeRecording, readRecording } from "../read-recording.ts";

const claude = adapterOf("claude-code");

function parse(stdout: string | Buffer, format: OutputFormat = "auto", agent = claude): LogEvent[] {
  return parsePieces([Buffer.from(stdout)], format, agent);
}

function parsePieces(pieces: readonly Buffer[], format: OutputFormat, agent = claude): LogEvent[] {
  const events: LogEvent[] = [];
  const parser = new OutputParser(agent.createDialect(), format, (event) => events.push(event));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return events;
}

const SMALL = [
  ...["codex/b-shell", "gemini/a-plain", "gemini/a-plain.json", "opencode/a-plain"],
  ...["claude-code/a-plain.json", "copilot/b-shell.text", "qwen/d-401"],
];

describe("the borders of chunks", () => {
  test.each(SMALL)("%s: two pieces, cut at any byte, give the same log", (name) => {
    const recording = readRecording(name);
    const whole = JSON.stringify(normalizeRecording(recording));
    for (let at = 0; at <= recording.stdout.length; at += 1) {
      const pieces = [recording.stdout.subarray(0, at), recording.stdout.subarray(at)];
      expect(JSON.stringify(normalizeRecording(recording, pieces))).toBe(whole);
    }
  });

  test.each(listRecordings())("%s: pieces of seven bytes give the same log", (name) => {
    const recording = readRecording(name);
    const pieces = Array.from({ length: Math.ceil(recording.stdout.length / 7) }, (_, at) =>
      recording.stdout.subarray(at * 7, at * 7 + 7),
    );
    expect(normalizeRecording(recording, pieces)).toEqual(normalizeRecording(recording));
  });

  test("any pieces of any output with characters of any length give the same events", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: anyCharacter }), { maxLength: 6 }),
        fc.array(fc.nat({ max: 400 }), { maxLength: 8 }),
        (texts, cuts) => {
          const lines = texts.map((text) =>
            JSON.stringify({
              type: "assistant",
              session_id: "s",
              message: { content: [{ type: "text", text }] },
            }),
          );
          const bytes = Buffer.from(lines.join("\n"));
          const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
            (a, b) => a - b,
          );
          const pieces = borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
          expect(parsePieces(pieces, "structured")).toEqual(parse(bytes, "structured"));
        },
      ),
      { numRuns: inTier(70, 200) },
    );
  });
});

describe("noise between events", () => {
  const GARBAGE = [
    "not json",
    "{broken",
    "}",
    "[1,2]",
    "[]",
    "null",
    '"text"',
    "  ",
    "\u001b[31mred\u001b[0m",
    "{ }x",
    "\u0000",
  ];

  test.each(GARBAGE)("%j between the lines changes nothing but the errors", (garbage) => {
    for (const name of ["claude-code/b-shell", "codex/b-shell", "copilot/j-toolfail"]) {
      const recording = readRecording(name);
      const clean = normalizeRecording(recording);
      const lines = recording.stdout.toString("utf8").trimEnd().split("\n");
      const noisy = Buffer.from(`${lines.join(`\n${garbage}\n`)}\n${garbage}\n`);
      const log = normalizeRecording(recording, noisy);
      expect({ ...log, errors: [] }).toEqual({ ...clean, errors: [] });
      for (const { code } of log.errors) expect(code).toMatch(/_PARSE_ERROR$/);
    }
  });

  test("is reported with its words, and only so often", () => {
    const recording = readRecording("codex/a-plain");
    const noise = Array.from({ length: 500 }, (_, at) => `noise ${at}`).join("\n");
    const log = normalizeRecording(
      recording,
      Buffer.concat([recording.stdout, Buffer.from(noise)]),
    );
    expect(log.errors[0]?.message).toContain("noise 0");
    expect(log.errors.length).toBeLessThan(50);
    expect(log.execution.status).toBe("success");
  });

  test("any bytes at all give a log and never an exception", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("claude-code", "codex", "gemini", "opencode", "copilot", "qwen", "command"),
        (bytes, agent) => {
          const log = normalizeOutput(adapterOf(agent), bytes, { exitCode: 0 });
          expect(log.version).toBe(1);
        },
      ),
      { numRuns: inTier(100, 300) },
    );
  });

  test("any JSON under the known names gives a log and never an exception", () => {
    const types = [
      "system",
      "assistant",
      "user",
      "result",
      "stream_event",
      "item.completed",
      "turn.completed",
      "message",
      "tool_use",
      "tool_result",
      "step_finish",
      "error",
      "tool.execution_complete",
      "assistant.message",
      "init",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom("claude-code", "codex", "gemini", "opencode", "copilot", "qwen"),
        fc.array(
          fc.tuple(
            fc.constantFrom(...types),
            fc.dictionary(
              fc.constantFrom(
                "message",
                "subtype",
                "data",
                "part",
                "item",
                "usage",
                "result",
                "content",
                "stats",
                "error",
                "modelUsage",
                "event",
                "timestamp",
              ),
              fc.jsonValue(),
            ),
          ),
          { maxLength: 5 },
        ),
        (agent, records) => {
          const lines = records.map(([type, fields]) =>
            JSON.stringify({ ...fields, type, session_id: "s", sessionID: "s" }),
          );
          const log = normalizeOutput(adapterOf(agent), Buffer.from(lines.join("\n")), {
            exitCode: 0,
          });
          expect(log.errors.every(({ message }) => message !== "")).toBe(true);
        },
      ),
      { numRuns: inTier(100, 300) },
    );
  });
});

describe("the order of keys", () => {
  const reverse = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reverse);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, part]) => [key, reverse(part)]),
    );
  };

  test.each([
    "claude-code/b-shell",
    "codex/b-shell",
    "gemini/b-shell",
    "opencode/b-shell",
    "copilot/b-shell",
    "qwen/b-shell",
  ])("%s turned round gives the same log", (name) => {
    const recording = readRecording(name);
    const lines = recording.stdout.toString("utf8").trimEnd().split("\n");
    const turned = lines.map((line) => JSON.stringify(reverse(JSON.parse(line)))).join("\n");
    expect(normalizeRecording(recording, Buffer.from(turned))).toEqual(
      normalizeRecording(recording),
    );
  });
});

describe("a format that is not known beforehand", () => {
  test("an answer that is itself JSON is an answer", () => {
    const [event] = parse('{"name":"x","count":3}\n').filter(({ kind }) => kind === "message");
    expect(event).toMatchObject({ kind: "message", content: '{"name":"x","count":3}' });
  });

  test("a text whose last line is the mark of a cut is cut, and the mark is no part of it", () => {
    const log = normalizeOutput(
      claude,
      Buffer.from("Half an answer\n[OUTPUT TRUNCATED at 20 bytes]\n"),
    );
    expect(log.messages.map(({ content }) => content)).toEqual(["Half an answer"]);
    expect(log.errors.map(({ code }) => code)).toEqual(["CLAUDE_OUTPUT_TRUNCATED"]);
  });

  test("the mark's words inside a text are only words", () => {
    const text = "It prints\n[OUTPUT TRUNCATED at 20 bytes]\nwhen it is full: [OUTPUT TRUNCATED";
    const log = normalizeOutput(claude, Buffer.from(text));
    expect(log.messages.map(({ content }) => content)).toEqual([text]);
    expect(log.errors).toEqual([]);
  });

  test("a stream that was cut keeps what came before, and its mark is no noise", () => {
    const { stdout } = readRecording("codex/b-shell");
    const cut = `${stdout.toString("utf8").split("\n").slice(0, 4).join("\n")}\n[OUTPUT TRUNCATED at 9 bytes]\n`;
    const log = normalizeOutput(adapterOf("codex"), Buffer.from(cut), { exitCode: 0 });
    expect(log.errors.map(({ code }) => code)).toEqual(["CODEX_OUTPUT_TRUNCATED", "CODEX_ABORTED"]);
    expect(log.tool_calls).toHaveLength(1);
  });
});
