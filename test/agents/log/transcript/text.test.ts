import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogToolCall, RunLog } from "../../../../src/agents/log/run-log.ts";
import { writeTextTranscript } from "../../../../src/agents/log/transcript/text.ts";
import { displayWidth } from "../../../../src/core/terminal/text-columns.ts";
import { listRecordings, normalizeRecording, readRecording } from "../../run/read-recording.ts";
import { anyLog } from "./any-log.ts";
import { fullLog, sampleLog } from "./sample-log.ts";
import { UNPRINTABLE } from "./unprintable.ts";

const withResult = (result: string): RunLog => {
  const call: LogToolCall = { id: "1", name: "Bash", kind: "shell", arguments: {}, result };
  return sampleLog({ tool_calls: [call] });
};

test("a run reads from top to bottom", () => {
  expect(writeTextTranscript(fullLog(), { width: 80 })).toBe(`\
agent     claude-code 2.1.325
model     opus (anthropic), as configured
status    timeout, ended by SIGTERM, stop reason end_turn
started   2026-11-05 14:03:22 UTC
duration  1 min 23 s
turns     2
tokens    2,976 in (666 from cache, 88 to cache), 444 out (10 reasoning), 3,420
          in all, estimated
cost      $0.0183, estimated
run       run-1
session   session-1
folder    /workspace

user
  Fix the test.

assistant
  I look.

  \`\`\`ts
  const a = 1;
  \`\`\`

tool Bash · failed · 4.2 s
  command: npm test
  timeout: 5
  │ a
  │ b

tool Task
  find callers
  assistant
    Two callers.

assistant
  Done.

tool Write · denied · no result in the log

files changed
  src/a.ts

errors
  CLAUDE_TIMEOUT: the agent ran out of time
  after 83 s
`);
});

test("a recorded run reads as it went", () => {
  const log = normalizeRecording(readRecording("copilot/j-toolfail"));
  expect(writeTextTranscript(log, { width: 60 })).toBe(`\
agent     copilot, version unknown
model     fake-model (github)
status    success
started   2026-11-15 20:22:30 UTC
duration  469 ms
turns     2
tokens    unknown
cost      unknown
run       run
session   55bf3415-2cad-402f-ad1a-e48d99971b42

user
  Please do the scripted task.

tool bash · failed · 66 ms
  command: echo to-stderr >&2; exit 3
  description: Run a scripted command
  │ to-stderr
  │ <shellId: 0 completed with exit code 3>

assistant
  The command failed with 3.
`);
});

describe("what is not known", () => {
  test.each(["version unknown", "model     unknown", "turns     unknown", "tokens    unknown"])(
    "is said: %s",
    (words) => {
      expect(writeTextTranscript(sampleLog())).toContain(words);
    },
  );

  test("is never 0: neither a time that nobody took nor a cost that nobody named", () => {
    const { execution } = sampleLog();
    const text = writeTextTranscript(sampleLog({ execution: { ...execution, duration_ms: 0 } }));
    expect(text).toMatch(/^duration +unknown$/m);
    expect(text).toMatch(/^cost +unknown$/m);
  });

  test("is said of the one side of the tokens of which it is true", () => {
    const usage = { ...sampleLog().usage, output_tokens: 222, source: "output" } as const;
    expect(writeTextTranscript(sampleLog({ usage }))).toMatch(/^tokens +unknown in, 222 out$/m);
  });

  test("differs from a real 0", () => {
    const usage = { ...fullLog().usage, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const text = writeTextTranscript(sampleLog({ usage, cost: { usd: 0, source: "output" } }));
    expect(text).toMatch(/^tokens +0 in/m);
    expect(text).toMatch(/^cost +\$0$/m);
  });
});

describe("a long result", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);

  test("is shown by its beginning and its end, with a notice between", () => {
    expect(writeTextTranscript(withResult(lines.join("\n")))).toContain(
      "  │ line 10\n  │ [80 lines left out]\n  │ line 91\n",
    );
  });

  test("that is one long line is cut, with a notice", () => {
    const text = writeTextTranscript(withResult("x".repeat(10_000)));
    expect(text).toContain(`${"x".repeat(500)}… [9,500 more characters]\n`);
  });
});

test("an argument takes one line, whatever it is", () => {
  const given = { content: `first\nsecond\n${"x".repeat(500)}`, list: [1, { a: null }] };
  const call: LogToolCall = { id: "1", name: "Write", kind: "write", arguments: given };
  const log = sampleLog({ tool_calls: [call] });
  expect(writeTextTranscript(log, { width: 40 })).toContain(
    '\n  content: first⏎second⏎xxxxxxxxxxxxxxx…\n  list: [1,{"a":null}]\n',
  );
  expect(writeTextTranscript(log)).toMatch(/content: first⏎second⏎x+… \[\d+ more characters\]\n/);
});

describe("the width", () => {
  const say = (content: string) => sampleLog({ messages: [{ role: "assistant", content }] });

  test("is kept by prose, under a list item with its margin, and by nothing in a code block", () => {
    const item = `- ${"word ".repeat(10)}`.trimEnd();
    const code = `const long = ${"a + ".repeat(20)}b;`;
    expect(writeTextTranscript(say(`${item}\n\`\`\`\n${code}\n\`\`\``), { width: 30 })).toContain(
      `\n  - word word word word word\n    word word word word word\n  \`\`\`\n  ${code}\n`,
    );
  });

  test("leaves a word whole that is longer", () => {
    const path = `/very/long/${"path/".repeat(20)}end`;
    expect(writeTextTranscript(say(`see ${path} there`), { width: 40 })).toContain(path);
  });

  test("is never passed where words are short", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 40, max: 90 }), (some, width) => {
        const text = writeTextTranscript(say(some.join(" ")), { width });
        for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

test("a message cannot pass for something else: all it says is indented", () => {
  const content = "hello\ntool Bash\nerrors\n\r\nuser\rassistant\u2028errors";
  const text = writeTextTranscript(sampleLog({ messages: [{ role: "assistant", content }] }));
  const heads = text
    .split("\n\n")
    .slice(1)
    .join("\n")
    .split("\n")
    .filter((line) => /^\S/.test(line));
  expect(heads).toEqual(["assistant"]);
});

test("any log gives a text that a terminal can be trusted with", () => {
  const width = fc.option(fc.integer({ min: 1, max: 120 }));
  fc.assert(
    fc.property(anyLog, width, (log, cells) => {
      const text = writeTextTranscript(log, { width: cells });
      expect(text).not.toMatch(UNPRINTABLE);
      expect(text).toMatch(/^agent /);
    }),
  );
});

test.each(listRecordings())("%s can be read", (name) => {
  const log = normalizeRecording(readRecording(name));
  const text = writeTextTranscript(log, { width: 80 });
  for (const { name: tool } of log.tool_calls) expect(text).toContain(`\ntool ${tool}`);
  for (const { code } of log.errors) expect(text).toContain(`  ${code}: `);
});
