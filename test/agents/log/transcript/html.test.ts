import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogToolCall, RunLog } from "../../../../src/agents/log/run-log.ts";
import { writeHtmlTranscript } from "../../../../src/agents/log/transcript/html.ts";
import { inTier } from "../../../support/tier.ts";
import { listRecordings, normalizeRecording, readRecording } from "../../run/read-recording.ts";
import { anyLog } from "./any-log.ts";
import { type Scanned, scanHtml } from "./html-scan.ts";
import { fullLog, sampleLog } from "./sample-log.ts";
import { UNPRINTABLE } from "./unprintable.ts";

const scan = (log: RunLog): Scanned => scanHtml(writeHtmlTranscript(log));
const say = (content: string): RunLog => sampleLog({ messages: [{ role: "assistant", content }] });
const withCall = (call: Partial<LogToolCall>): RunLog =>
  sampleLog({
    tool_calls: [{ id: "1", name: "Bash", kind: "shell", arguments: {}, ...call }],
  });
const count = ({ tags }: Scanned, name: string): number =>
  tags.filter((tag) => tag.name === name).length;

describe("a page", () => {
  test("has everything that is in the log", () => {
    const { text } = scan(fullLog());
    for (const words of [
      ...["claude-code 2.1.325", "opus (anthropic), as configured", "1 min 23 s", "$0.0183"],
      ...["2,976 in (666 from cache, 88 to cache)", "Fix the test.", "const a = 1;", "failed"],
      ...["npm test", "a\nb", "find callers", "Two callers.", "denied", "no result in the log"],
      ...["src/a.ts", "CLAUDE_TIMEOUT", "the agent ran out of time\nafter 83 s", "at run"],
    ])
      expect(text).toContain(words);
  });

  test("says what is unknown", () => {
    expect(scan(sampleLog()).text).toMatch(/turns\s*unknown\s*tokens\s*unknown\s*cost\s*unknown/);
  });

  test("may neither run a script nor fetch anything", () => {
    const { tags } = scan(fullLog());
    expect(tags.map(({ attributes }) => attributes.get("content"))).toContain(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    const page = writeHtmlTranscript(fullLog());
    expect(page).not.toMatch(/https?:|\/\/|url\(|@import|<script|javascript:/i);
  });

  test("is light or dark as its reader likes, and fits a telephone", () => {
    const page = writeHtmlTranscript(fullLog());
    expect(page).toContain("@media (prefers-color-scheme: dark)");
    expect(page).toContain('name="viewport" content="width=device-width, initial-scale=1"');
  });

  test("leads to its errors where there are any", () => {
    const { tags } = scan(fullLog());
    expect(tags.find(({ name }) => name === "a")?.attributes.get("href")).toBe("#errors");
    expect(tags.some(({ attributes }) => attributes.get("id") === "errors")).toBe(true);
    expect(count(scan(sampleLog()), "a")).toBe(0);
  });
});

describe("what was said", () => {
  test.each([
    ["a script", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["the end of its own element", "</div></li></pre>x", "</div></li></pre>x"],
    ["quotes", `"double" 'single'`, `"double" 'single'`],
    ["what looks escaped", "&lt;b&gt; &amp;", "&lt;b&gt; &amp;"],
    ["control characters", "a\0b\u0007c", "a\ufffdb\ufffdc"],
    ["colours of a terminal", "\u001b[31mred\u001b[0m", "red"],
    ["a line end of another system", "a\r\nb\rc", "a\nb\nc"],
    ["a change of direction", "a\u202eb", "a\ufffdb"],
    ["half a character", "a\ud800b", "a\ufffdb"],
  ])("is shown and not obeyed: %s", (_, content, shown) => {
    for (const log of [say(content), withCall({ result: content }), withCall({ name: content })]) {
      const { text, tags } = scan(log);
      expect(text).toContain(shown);
      expect(tags.map(({ name }) => name)).not.toContain("script");
    }
  });

  test("has no bare quotes, so that it could stand in an attribute, too", () => {
    expect(writeHtmlTranscript(say(`"double" 'single'`))).toContain(
      "&quot;double&quot; &#39;single&#39;",
    );
  });

  test("has its code blocks as code, without their fences", () => {
    const scanned = scan(say("look:\n```ts\nconst a = 1;\n```\ndone"));
    expect(count(scanned, "pre")).toBe(1);
    expect(scanned.text).toContain("const a = 1;");
    expect(scanned.text).not.toContain("```");
  });

  test("keeps the blank line that a code block begins with", () => {
    expect(writeHtmlTranscript(say("```\n\nsecond\n```"))).toContain("<pre>\n\nsecond</pre>");
  });
});

describe("a tool's result", () => {
  const isOpen = (log: RunLog): boolean[] =>
    scan(log)
      .tags.filter(({ name }) => name === "details")
      .map(({ attributes }) => attributes.has("open"));

  test("is folded, whole, and says how long it is", () => {
    const result = Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`).join("\n");
    const log = withCall({ result });
    expect(isOpen(log)).toEqual([false]);
    expect(scan(log).text).toContain("result, 3,000 lines");
    expect(scan(log).text).toContain(result);
  });

  test("is open where the call failed, unless it is long", () => {
    expect(isOpen(withCall({ result: "no", is_error: true }))).toEqual([true]);
    expect(isOpen(withCall({ result: "no\n".repeat(99), is_error: true }))).toEqual([false]);
  });
});

test("an argument of several lines is folded, a short one is not", () => {
  const { text, tags } = scan(withCall({ arguments: { path: "a.ts", content: "one\ntwo" } }));
  expect(text).toContain("path a.ts");
  expect(text).toContain("content, 2 lines");
  expect(tags.filter(({ name }) => name === "details")).toHaveLength(1);
});

const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  lang: /^en$/,
  charset: /^utf-8$/,
  "http-equiv": /^Content-Security-Policy$/,
  name: /^viewport$/,
  content:
    /^(?:default-src 'none'; style-src 'unsafe-inline'|width=device-width, initial-scale=1)$/,
  class: /^[a-z ]+$/,
  id: /^errors$/,
  href: /^#errors$/,
  datetime: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  open: /^$/,
};
const TAGS = new Set([
  ...["html", "head", "meta", "title", "body", "main", "header", "section", "div", "span", "p"],
  ...["h1", "h2", "h3", "dl", "dt", "dd", "ol", "ul", "li", "a", "time", "code", "pre"],
  ...["details", "summary"],
]);

test("any log gives a page with our own tags and attributes only, every one closed", () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const page = writeHtmlTranscript(log);
      const { tags } = scanHtml(page);
      expect(page).not.toMatch(UNPRINTABLE);
      for (const { name, attributes } of tags) {
        expect(TAGS).toContain(name);
        for (const [attribute, value] of attributes)
          expect(value).toMatch(ATTRIBUTES[attribute] ?? /^no attribute of ours$/);
      }
      expect(tags.filter(({ name }) => name === "section").length).toBeGreaterThan(0);
    }),
    { numRuns: inTier(100, 300) },
  );
});

test.each(listRecordings())("%s can be read", (name) => {
  const log = normalizeRecording(readRecording(name));
  const { text } = scan(log);
  for (const { result = "" } of log.tool_calls) expect(text).toContain(result.trimEnd());
  for (const { message } of log.errors) expect(text).toContain(message);
});
