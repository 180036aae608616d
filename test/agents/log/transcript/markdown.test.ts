import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogToolCall, RunLog } from "../../../../src/agents/log/run-log.ts";
import { writeMarkdownTranscript } from "../../../../src/agents/log/transcript/markdown.ts";
import { inTier } from "../../../support/tier.ts";
import { anyLog } from "./any-log.ts";
import { scanMarkdown, withoutCode } from "./markdown-scan.ts";
import { fullLog, sampleLog } from "./sample-log.ts";
import { UNPRINTABLE } from "./unprintable.ts";

const say = (content: string): RunLog => sampleLog({ messages: [{ role: "assistant", content }] });
const withCall = (call: Partial<LogToolCall>): RunLog =>
  sampleLog({
    tool_calls: [{ id: "1", name: "Bash", kind: "shell", arguments: {}, ...call }],
  });

test("a run reads from top to bottom", () => {
  expect(writeMarkdownTranscript(fullLog())).toBe(`\
## \`claude-code\` · timeout

\`\`\`
agent     claude-code 2.1.325
model     opus (anthropic), as configured
status    timeout, ended by SIGTERM, stop reason end_turn
started   2026-11-05 14:03:22 UTC
duration  1 min 23 s
turns     2
tokens    2,976 in (666 from cache, 88 to cache), 444 out (10 reasoning), 3,420 in all, estimated
cost      $0.0183, estimated
run       run-1
session   session-1
folder    /workspace
\`\`\`

### user

\`\`\`
Fix the test.
\`\`\`

### assistant

\`\`\`\`
I look.

\`\`\`ts
const a = 1;
\`\`\`
\`\`\`\`

### tool \`Bash\` · failed · 4.2 s

\`\`\`
command: npm test
timeout: 5
\`\`\`

<details><summary>result, 2 lines</summary>

\`\`\`
a
b
\`\`\`

</details>

### tool \`Task\`

\`\`\`
find callers
\`\`\`

**assistant**, inside this call

\`\`\`
Two callers.
\`\`\`

result, empty

### assistant

\`\`\`
Done.
\`\`\`

### tool \`Write\` · denied · no result in the log

### files changed

- \`src/a.ts\`

### errors

\`CLAUDE_TIMEOUT\`

\`\`\`
the agent ran out of time
after 83 s
\`\`\`
`);
});

describe("what was said stays in its fence", () => {
  test.each([
    ["a fence", "```\ncode\n```"],
    ["a longer fence", "`````\ncode\n`````"],
    ["a fence that never ends", "```js\ncode"],
    ["a fence inside a line", "say ``` or ```` here"],
    ["a fence of tildes", "~~~\ncode\n~~~"],
    ["a heading", "# Not a heading"],
    ["markup", "</details><script>alert(1)</script>"],
    ["a mention and a reference", "@someone fixes #12"],
    ["a picture", "![x](https://example.com/x.png)"],
  ])("%s", (_, content) => {
    const { blocks, outside, isOpen } = scanMarkdown(writeMarkdownTranscript(say(content)));
    expect(isOpen).toBe(false);
    expect(blocks).toContain(content);
    expect(outside.filter((line) => line !== "")).toEqual([
      "## `codex` · success",
      "### assistant",
    ]);
  });
});

describe("a name from outside stays in its code", () => {
  test.each([
    ["Bash", "`Bash`"],
    ["a`b", "``a`b``"],
    ["`a``b`", "``` `a``b` ```"],
    ["<img src=x>", "`<img src=x>`"],
    ["two\nlines", "`two⏎lines`"],
    ["", "(empty)"],
  ])("%j as %s", (name, code) => {
    expect(writeMarkdownTranscript(withCall({ name }))).toContain(`\n### tool ${code} · `);
  });
});

test("a long result is cut with a notice", () => {
  const result = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join("\n");
  const text = writeMarkdownTranscript(withCall({ result }));
  expect(text).toContain("<summary>result, 100 lines</summary>");
  expect(text).toContain("\nline 20\n[60 lines left out]\nline 81\n");
});

test("long prose is broken into lines, as code blocks do not wrap by themselves", () => {
  const { blocks } = scanMarkdown(writeMarkdownTranscript(say("word ".repeat(100).trim())));
  const lines = blocks.at(-1)?.split("\n") ?? [];
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  expect(lines.join(" ")).toBe("word ".repeat(100).trim());
});

const OWN_LINES =
  /^(?:|#{2,3} [\w ·.,()]*|\*\*\w+\*\*, inside this call|<details><summary>result, [\d,]+ lines?<\/summary>|<\/details>|result, empty|- (?:\(empty\))?|\(empty\))$/;

test("any log gives Markdown whose fences end and that has nothing of the log outside of code", () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const text = writeMarkdownTranscript(log);
      const { outside, isOpen } = scanMarkdown(text);
      expect(isOpen).toBe(false);
      expect(text).not.toMatch(UNPRINTABLE);
      for (const line of outside) expect(withoutCode(line)).toMatch(OWN_LINES);
      const opened = outside.filter((line) => line.startsWith("<details>"));
      expect(outside.filter((line) => line === "</details>")).toHaveLength(opened.length);
    }),
    { numRuns: inTier(100, 300) },
  );
});
