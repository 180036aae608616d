import { describe, expect, test } from "vitest";
import {
  importNativeCommand,
  readNativeName,
} from "../../../src/markdown/native/import-command.ts";
import { formatOf } from "../../support/agents.ts";

const PLACE = { env: {}, home: "/home", root: "/project" };
const FILES: Readonly<Record<string, string>> = { "docs/a.md": "../../docs/a.md", "~/b": "~/b" };

function take(agent: string, text: string, layout = "files") {
  const format = formatOf(agent);
  const source = format.sourcesOf("project", PLACE).find((one) => one.layout === layout);
  const native = source?.read(text, "it");
  if (native === undefined) throw new Error(`no ${layout} of ${agent}`);
  const taken = importNativeCommand({
    ...native,
    format,
    name: "it",
    importPath: (path) => FILES[path] ?? null,
  });
  return { ...taken, body: taken?.text.split("---\n").slice(2).join("---\n") };
}

const markdown = (body: string, frontMatter = "description: It") =>
  `---\n${frontMatter}\n---\n${body}`;

describe("placeholders and directives", () => {
  // biome-ignore format: a table, one case a line
  test.each([
    ["claude-code", "Fix $ARGUMENTS now", "Fix {{ args }} now"],
    ["claude-code", "$0, $ARGUMENTS[1]", "{{ args[0] }}, {{ args[1] }}"],
    ["claude-code", "costs \\$5", "costs $5"],
    ["claude-code", "On:\n!`git diff`\nend", "On:\n!`git diff`\nend"],
    ["claude-code", "(!`ls`)", "(\\!`ls`)"],
    ["claude-code", "```!\ngit log\n```", "!`git log`"],
    ["claude-code", "See @docs/a.md.", "See @../../docs/a.md."],
    ["claude-code", "Ask @alice, {{ x }}", "Ask @alice, \\{{ x }}"],
    ["claude-code", "Say `$ARGUMENTS`.", "{% raw %}Say `{% endraw %}{{ args }}{% raw %}`.{% endraw %}"],
    ["opencode", "$1 and !`ls` in @docs/a.md", "{{ args[0] }} and !`ls` in @../../docs/a.md"],
    ["qwen", "Fix {{args}}: !{git diff} @{~/b}", "Fix {{ args }}: !`git diff` @~/b"],
    ["qwen", "$ARGUMENTS and !`ls`", "$ARGUMENTS and \\!`ls`"],
    ["codex", "Use $1 and !`ls`", "Use $1 and \\!`ls`"],
  ])("%s: %j", (agent, body, expected) => {
    const layout = agent === "codex" ? "skills" : "files";
    const taken = take(agent, markdown(body), layout);
    expect(taken.body).toBe(expected);
  });

  test("named words of Claude Code become words by their number", () => {
    const { body, problems } = take(
      "claude-code",
      markdown("$focus in $file", "arguments: [file, focus]"),
    );
    expect(body).toBe("{{ args[1] }} in {{ args[0] }}");
    expect(problems).toEqual([]);
  });

  test("TOML is read", () => {
    const { text } = take("gemini", 'description = "It"\nprompt = """\nFix {{args}}\n"""\n');
    expect(text).toBe("---\ndescription: It\n---\nFix {{ args }}\n");
  });
});

describe("what could not be carried over is told", () => {
  // biome-ignore format: a table, one case a line
  test.each([
    ["claude-code", "!`git log $ARGUMENTS`", "`$ARGUMENTS` within `!`git log $ARGUMENTS``"],
    ["claude-code", "Read @$ARGUMENTS", "what is typed could complete a directive"],
    ["claude-code", "Read @docs/gone.md", "`@docs/gone.md` is no file that can be imported here"],
    ["claude-code", `In \${CLAUDE_PROJECT_DIR}`, `\`$\{CLAUDE_PROJECT_DIR}\``],
    ["qwen", "!{grep {{args}} .}", "`{{args}}` within `!{grep {{args}} .}`"],
    ["qwen", "!{grep", "`!{` is not closed"],
    ["opencode", "$0", "`$0`, which stands for nothing there"],
  ])("%s: %j", (agent, body, problem) => {
    expect(take(agent, markdown(body)).problems).toEqual([problem]);
  });

  test("keys without a counterpart", () => {
    const { problems } = take(
      "claude-code",
      markdown("x", "description: It\neffort: high\nhooks: {}"),
    );
    expect(problems).toEqual(["the key `effort`", "the key `hooks`"]);
  });
});

describe("front matter", () => {
  test("of the agent alone names the agent", () => {
    const front = "allowed-tools: Read, Bash(git add:*, x)\nmodel: opus\ndescription: It";
    expect(take("claude-code", markdown("x", front)).text).toBe(
      "---\ndescription: It\nallowed-tools:\n  - Read\n  - Bash(git add:*, x)\nmodel: opus\nagent: claude-code\n---\nx",
    );
  });

  test("that is no YAML to us is read as the agents read it", () => {
    const front = "argument-hint: [file] [focus]\ndescription: Fix: a file";
    expect(take("claude-code", markdown("x", front)).text).toBe(
      '---\ndescription: "Fix: a file"\nargument-hint: "[file] [focus]"\n---\nx',
    );
  });

  test("a list is the hint it was meant to be", () => {
    const { text } = take("claude-code", markdown("x", "description: It\nargument-hint: [file]"));
    expect(text).toContain('argument-hint: "[file]"');
  });

  test("without a description has the first line of the text", () => {
    expect(take("claude-code", "\n## Fix it\n\nNow.").text).toMatch(/^---\ndescription: Fix it\n/);
  });

  test("of a skill says its name once", () => {
    const { text, problems } = take(
      "claude-code",
      markdown("x", "name: it\ndescription: It"),
      "skills",
    );
    expect(text).toBe("---\ndescription: It\n---\nx");
    expect(problems).toEqual([]);
  });
});

test.each([
  ["sub/deep", "sub-deep"],
  ["Fix_Issue", "fix-issue"],
  ["sync", null],
  ["日本", null],
])("the name of %s is %s", (path, name) => {
  const reading = readNativeName(path);
  expect(reading.kind === "name" ? reading.name : null).toBe(name);
});
