import { describe, expect, test } from "vitest";
import { addSyncMark, readSyncMark } from "../../../src/markdown/native/sync-changes.ts";
import { relayText } from "../../../src/markdown/native/translate-command.ts";
import { FORMATS, formatOf } from "../../support/agents.ts";
import { translate } from "./translate.ts";

const bodyOf = (text: string) => text.split("---\n").slice(2).join("---\n");
const promptOf = (agent: string, body: string, frontMatter = "") => {
  const { kind, why, text } = translate(formatOf(agent), body, frontMatter);
  return kind === "relay" ? `relay: ${why}` : agent === "gemini" ? text : bodyOf(text);
};

describe("a body of text and words becomes the agent's own", () => {
  // biome-ignore format: a table, one case a line
  test.each([
    ["claude-code", "Review {{ args }}.\n", "Review $ARGUMENTS.\n"],
    ["claude-code", "{{ args[0] }} and {{ arg2 }}", "$0 and $1"],
    ["claude-code", "the {{ args[0] }}th", "the $ARGUMENTS[0]th"],
    ["claude-code", "costs $5, not $ARGUMENTS", "costs \\$5, not \\$ARGUMENTS"],
    ["claude-code", "a {{- args -}} b", "a$ARGUMENTSb"],
    ["claude-code", "{% raw %}{{ x }}{% endraw %} and \\{{ y", "{{ x }} and {{ y"],
    ["opencode", "{{ args[0] }} of {{ args }}", "$1 of $ARGUMENTS"],
    ["qwen", "Review {{ args }}.", "Review {{args}}."],
    ["gemini", "Review {{ args }}.", `description = "For a test"\nprompt = '''\nReview {{args}}.'''\n`],
    ["gemini", "It's '''", `description = "For a test"\nprompt = "It's '''"\n`],
    ["codex", "Review it for $1.", "Review it for $1."],
    ["codex", "Review {{ args }}.", "Review [the words that the user gave with this skill]."],
    ["copilot", "Mail @all, \\!`ls`", "Mail @all, !`ls`"],
  ])("%s: %j", (agent, body, expected) => {
    expect(promptOf(agent, body)).toBe(expected);
  });

  test("a named word is that word", () => {
    const names = "args: [file, focus]";
    expect(promptOf("claude-code", "{{ focus }} in {{ file }}", names)).toBe("$1 in $0");
    expect(promptOf("opencode", "{{ focus }} in {{ file }}", names)).toBe("$2 in $1");
  });
});

describe("all else is a relay that says why", () => {
  // biome-ignore format: a table, one case a line
  test.each([
    ["claude-code", "See @./a.md", "", "it imports `@./a.md`"],
    ["claude-code", "!`git diff`", "", "it runs `git diff`"],
    ["claude-code", "{{ focus }}", "inputs: { focus: { default: all } }", "it asks for `focus`"],
    ["claude-code", "{{ focus }}", "", "it asks for `focus`"],
    ["claude-code", "x", "inputs: { loud: { type: boolean } }", "it asks for `loud`"],
    ["claude-code", "{% if args %}x{% endif %}", "", "it uses Liquid"],
    ["claude-code", "{{ args | size }}", "", "it uses Liquid"],
    ["claude-code", "{{ git.branch }}", "", "it uses `{{ git.branch }}`"],
    ["claude-code", "{{ stdin }}", "", "it uses `{{ stdin }}`"],
    ["claude-code", "x", "pre: date", "it has steps before or after it"],
    ["claude-code", "x", "post: [date]", "it has steps before or after it"],
    ["claude-code", "x", "system-prompt: Be kind", "it has a `system-prompt`"],
    ["claude-code", "x", "$2: model", "it maps words to flags"],
    ["claude-code", "x", "agent: command\nargv: [cat]", "it is run by `command`"],
    ["claude-code", "x", "cassette: explain-repository", "it is run by `replay`"],
    ["claude-code", "type \\!`ls`", "", "`claude-code` would read more than text into its text"],
    ["claude-code", "ask \\@/team", "", "`claude-code` would read more than text into its text"],
    ["claude-code", "{% raw %}\\{% endraw %}{{ args }}", "", "`claude-code` would read more than text into its text"],
    ["claude-code", "Look!{{ args }}", "", "`claude-code` would read more than text into its text"],
    ["claude-code", "at {% raw %}@{% endraw %}{{ args }}", "", "`claude-code` would read more than text into its text"],
    ["claude-code", "{{ args }}[0]", "", "`claude-code` would read more than text into its text"],
    ["opencode", "costs $5", "", "`opencode` would read more than text into its text"],
    ["opencode", "`$ARGUMENTS`", "", "`opencode` would read more than text into its text"],
    ["opencode", "{{ args }}`ls`", "", "`opencode` would read more than text into its text"],
    ["gemini", "{{ args[0] }}", "", "`gemini` has no place for a single word"],
    ["gemini", "\\{{args}}", "", "`gemini` would read more than text into its text"],
    ["gemini", "!{% raw %}{{% endraw %}ls}", "", "`gemini` would read more than text into its text"],
    ["gemini", "Go!{{ args }}", "", "`gemini` would read more than text into its text"],
    ["qwen", "mail \\@{me}", "", "`qwen` would read more than text into its text"],
    ["codex", "{{ args[1] }}", "", "`codex` has no place for a single word"],
    ["copilot", "type [the words that the user gave with this skill]", "", "`copilot` would read more than text into its text"],
    ["codex", "Drop it.", "safety: destructive", "it is destructive, so a person is asked"],
    ["claude-code", "\n", "", "its text is empty"],
  ])("%s: %j %j", (agent, body, frontMatter, why) => {
    const native = translate(formatOf(agent), body, frontMatter);
    expect(native.why).toBe(why);
    expect(native.kind).toBe("relay");
    expect(native.text).toContain(relayText("it"));
  });

  test.each(FORMATS)("a relay is one line that $agent takes as it is", (format) => {
    const { text } = translate(format, "!`date`");
    const [source] = format.sourcesOf("project", { env: {}, home: "/", root: "/" });
    const { body = "", fields = {} } = source?.read(text, "it") ?? {};
    expect(body.trim().split("\n")).toHaveLength(1);
    expect(format.readBody(body, fields)).toEqual({
      parts: [{ kind: "text", text: `${relayText("it")}\n` }],
      problems: [],
    });
    expect(text).not.toMatch(/\$ARGUMENTS|\{\{args\}\}/);
  });
});

describe("front matter", () => {
  const FRONT = 'argument-hint: "[file]"\nmodel: opus\nallowed-tools: [Read, "Bash(git diff:*)"]';

  test("says what the command is, and to the agent it was written for also how", () => {
    const own = translate(formatOf("claude-code"), "x", `agent: claude\n${FRONT}`);
    expect(own.text).toBe(
      `---\ndescription: "For a test"\nargument-hint: "[file]"\nmodel: "opus"\nallowed-tools:\n  - "Read"\n  - "Bash(git diff:*)"\n---\nx`,
    );
    expect(own.leftOut).toEqual([]);
    const other = translate(formatOf("qwen"), "x", `agent: claude\n${FRONT}`);
    expect(other.text).toBe(`---\ndescription: "For a test"\nargument-hint: "[file]"\n---\nx`);
    expect(other.leftOut).toEqual(["model", "allowed-tools"]);
  });

  test("names a skill", () => {
    const { text } = translate(formatOf("codex"), "x");
    expect(text).toBe(`---\nname: "it"\ndescription: "For a test"\n---\nx`);
  });

  test("keeps a destructive command from being called by the model alone", () => {
    const { text } = translate(formatOf("claude-code"), "x", "safety: destructive");
    expect(text).toContain("disable-model-invocation: true");
  });
});

describe("the mark", () => {
  test.each(FORMATS)("is a comment to $agent and breaks with any change", (format) => {
    const { text } = translate(format, "Say {{ args }}\n");
    const marked = addSyncMark(text, format.markLine, "project");
    const [source] = format.sourcesOf("project", { env: {}, home: "/", root: "/" });
    expect(source?.read(marked, "it")).toEqual(source?.read(text, "it"));
    expect(readSyncMark(marked)).toEqual({ kind: "generated", scope: "project" });
    expect(readSyncMark(`${marked} `)).toEqual({ kind: "edited", scope: "project" });
    expect(readSyncMark(marked.replace("a test", "another"))).toMatchObject({ kind: "edited" });
    expect(readSyncMark(text)).toEqual({ kind: "unmarked" });
  });
});
