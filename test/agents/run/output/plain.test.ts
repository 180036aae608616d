import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripAnsi } from "../../../../src/agents/log/text.ts";
import { normalizeOutput } from "../../../../src/agents/run/output/read.ts";
import { adapterOf } from "../../../support/agents.ts";
import { readRecording } from "../read-recording.ts";

const read = (text: string, agent = "claude-code") =>
  normalizeOutput(adapterOf(agent), Buffer.from(text), { format: "text" });

describe("plain-text output", () => {
  test.each([
    ["Model: claude-opus-5-5", "claude-opus-5-5"],
    ["model:   sonnet  ", "sonnet"],
    ["MODEL: opus", "opus"],
    ["Using Model: Claude Sonnet 4.5", "Claude Sonnet 4.5"],
    ["\u001b[1mModel: \u001b[32mopus\u001b[0m", "opus"],
    ["The model: is a word", null],
    ["no name here", null],
  ])("%j names the model %j", (line, model) => {
    expect(read(line).model_info.name).toBe(model);
  });

  test.each([
    ["Claude Code v2.1.197", "2.1.197"],
    ["2.1.197 (Claude Code)", "2.1.197"],
    ["Claude Code CLI v2.3.4", "2.3.4"],
    ["claude code V2.2.0-beta.1", "2.2.0-beta.1"],
    ["version 3", "unknown"],
  ])("%j names the version %j", (line, version) => {
    expect(read(line).agent_info.version).toBe(version);
  });

  test("token counts with commas are read, a side that is missing stays unknown", () => {
    expect(read("Input tokens: 1,234\noutput tokens: 56").usage).toMatchObject({
      input_tokens: 1234,
      output_tokens: 56,
      total_tokens: 1290,
      source: "output",
    });
    expect(read("Output Tokens: 7").usage).toMatchObject({
      input_tokens: null,
      output_tokens: 7,
      total_tokens: null,
    });
  });

  test("no tool line is lost, and names may have dashes, dots and colons", () => {
    const log = read(
      ["[TOOL: Bash] git status", "words", '[tool: mcp.server:do-it] {"a":1}', "[TOOL: Read]"].join(
        "\n",
      ),
    );
    expect(log.tool_calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["Bash", "git status"],
      ["mcp.server:do-it", '{"a":1}'],
      ["Read", ""],
    ]);
    expect(new Set(log.tool_calls.map(({ id }) => id)).size).toBe(3);
  });

  test("the whole text is the answer, blank lines and carriage returns as they mean", () => {
    expect(read("one\r\n\r\ntwo\n").messages.map(({ content }) => content)).toEqual(["one\n\ntwo"]);
  });

  test("the command adapter succeeds by its exit code alone", () => {
    expect(read("done", "command").execution.status).toBe("success");
    const failed = normalizeOutput(adapterOf("command"), Buffer.from("oh"), { exitCode: 7 });
    expect(failed.execution).toMatchObject({ status: "failed", exit_code: 7 });
    expect(failed.errors.map(({ code }) => code)).toEqual(["COMMAND_UNKNOWN"]);
  });

  test("JSON that any program prints is its answer", () => {
    expect(read('{"type":"result"}', "command").messages[0]?.content).toBe('{"type":"result"}');
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPE = /[\u001b\u0080-\u009f]/;

describe("escape sequences", () => {
  test.each([
    ["colours", "\u001b[1;31mred\u001b[0m"],
    ["256 colours with colons", "\u001b[38:5:196mred\u001b[m"],
    ["cursor and erase", "\u001b[2K\u001b[1Gred\u001b[?25h"],
    ["a title, ended by a bell", "\u001b]0;title\u0007red"],
    [
      "a link, ended by a string terminator",
      "\u001b]8;;https://x.example\u001b\\red\u001b]8;;\u001b\\",
    ],
    ["a device string", "\u001bP1$r0m\u001b\\red"],
    ["one-byte introducers", "\u009b31mred\u009b0m"],
    ["charsets and keypad modes", "\u001b(B\u001b=red\u001b>"],
    ["one that never ends", "red\u001b[31"],
    ["a lone escape", "red\u001b"],
  ])("%s are taken out", (_kind, text) => {
    expect(stripAnsi(text)).toBe("red");
  });

  test("text without them is left as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!ESCAPE.test(text));
        expect(stripAnsi(text)).toBe(text);
      }),
    );
  });

  test("nothing is left of them, wherever they stand", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("\u001b", "[", "]", "31", "m", ";", "a", "\u0007", "\\", "\u009b", " "),
        ),
        (parts) => {
          expect(stripAnsi(parts.join(""))).not.toMatch(ESCAPE);
        },
      ),
    );
  });

  test("a tool's result and an answer are clean in the log", () => {
    const lines = [
      {
        type: "assistant",
        session_id: "s",
        message: { content: [{ type: "tool_use", id: "1", name: "Bash", input: {} }] },
      },
      {
        type: "user",
        session_id: "s",
        message: {
          content: [{ type: "tool_result", tool_use_id: "1", content: "\u001b[31mred\u001b[0m" }],
        },
      },
      {
        type: "assistant",
        session_id: "s",
        message: { content: [{ type: "text", text: "\u001b[1mbold\u001b[0m" }] },
      },
    ];
    const log = normalizeOutput(
      adapterOf("claude-code"),
      Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")),
    );
    expect(log.tool_calls[0]?.result).toBe("red");
    expect(log.messages.at(-1)?.content).toBe("bold");
  });
});

describe("JSON that breaks off is an error and no answer", () => {
  test.each([
    ["claude-code", '{"type":"system","subtype":"init","session_id":"s","mod'],
    ["claude-code", '{"type":"result","subtype":"success","is_error":false,"result":"do'],
    ["claude-code", 'warning: slow\n[{"type":"system","subtype":"in'],
    ["gemini", '{\n  "session_id": "s",\n  "response": "It is do'],
    ["codex", '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.comp'],
    ["qwen", `{"type":"result","result":"${"x".repeat(2 * 1024 * 1024)}`],
  ])("%s: %.60j", (name, stdout) => {
    const log = normalizeOutput(adapterOf(name), Buffer.from(stdout), { exitCode: 0 });
    expect(log.execution.status).toBe("failed");
    expect(log.messages).toEqual([]);
    const reasons = log.errors.map(({ code }) => code.replace(/^[A-Z]+_/, ""));
    expect(reasons).toEqual(expect.arrayContaining(["PARSE_ERROR", "ABORTED"]));
  });

  // Behind a bracket that closes an inner object a cut looks most like an end.
  test.each([
    ...["claude-code/a-plain", "claude-code/a-plain.json", "codex/k-two-tools", "copilot/a-plain"],
    ...[
      "gemini/b-shell",
      "gemini/a-plain.json",
      "opencode/d-401",
      "qwen/a-plain",
      "qwen/a-plain.json",
    ],
  ])("%s, wherever its last line is cut", (name) => {
    const { adapter, stdout } = readRecording(name);
    const text = stdout.toString("utf8");
    const found = [...text.matchAll(/[\]}"{[](?=[^\n])/g)].map(({ index }) => index + 1);
    const cuts = found.filter((_, at) => at % Math.ceil(found.length / 150) === 0);
    for (const at of cuts) {
      const lineStart = text.lastIndexOf("\n", at - 1) + 1;
      const isOneDocument = !text.slice(0, at).includes("\n{");
      for (const from of isOneDocument ? [0] : [0, lineStart]) {
        const cut = Buffer.from(text.slice(from, at));
        const log = normalizeOutput(adapter, cut, { exitCode: 0 });
        const codes = log.errors.map(({ code }) => code.replace(/^[A-Z]+_/, ""));
        const seen = { status: log.execution.status, codes, messages: log.messages };
        expect(seen, cut.toString().slice(-200)).toMatchObject({ status: "failed" });
        expect(codes).toContain("PARSE_ERROR");
        for (const { content } of log.messages) expect(content).not.toMatch(/^\s*\[?\s*\{\s*"/);
      }
    }
  });

  test.each(['The answer is {"a": 1', '{"a": 1}', '{ "a": 1, … }', "{{ name }}", '{\n  "a": 1\n}'])(
    "%j is text",
    (stdout) => {
      const log = normalizeOutput(adapterOf("claude-code"), Buffer.from(stdout), { exitCode: 0 });
      expect(log.execution.status).toBe("success");
      expect(log.messages[0]?.content).toBe(stdout);
    },
  );
});
