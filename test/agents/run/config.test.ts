import { describe, expect, test } from "vitest";
import { claudeCodeAdapter } from "../../../src/agents/claude-code/run.ts";
import type { ConfigContext } from "../../../src/agents/run/adapter.ts";

const PLACE: ConfigContext = { agentVersion: null, isRoot: false, env: {} };

const problemsOf = (config: unknown, place: ConfigContext = PLACE): string[] => {
  const check = claudeCodeAdapter.checkConfig(config, place);
  return check.kind === "valid"
    ? []
    : check.problems.map(({ path, message }) => `${path}: ${message}`);
};

const withPrompt = (fields: object) => ({ prompt: "do it", ...fields });
const long = (length: number) => "x".repeat(length);

describe("what Claude Code's configuration takes", () => {
  test.each([
    ["a prompt", { prompt: "hi" }],
    ["the longest prompt", { prompt: long(1_000_000) }],
    ["a prompt file", { prompt_file: "p.md" }],
    ["a prompt file with a dot", { prompt_file: "./p.md" }],
    ["a prompt file that goes up and comes back", { prompt_file: "a/../p.md" }],
    ["an agent's name", withPrompt({ agent_name: "code-reviewer_2" })],
    ["opus", withPrompt({ model: "opus" })],
    ["sonnet", withPrompt({ model: "sonnet" })],
    ["haiku", withPrompt({ model: "haiku" })],
    ["an alias with a suffix", withPrompt({ model: "opus[1m]" })],
    ["a full id", withPrompt({ model: "claude-opus-4-8" })],
    ["a full id with a suffix", withPrompt({ model: "claude-opus-4-8[1m]" })],
    ["an id of Vertex", withPrompt({ model: "claude-sonnet-4@20250514" })],
    ["an id of Bedrock", withPrompt({ model: "us.anthropic.claude-opus-4-20250514-v1:0" })],
    [
      "an ARN",
      withPrompt({ model: "arn:aws:bedrock:us-east-1:1:inference-profile/anthropic.claude" }),
    ],
    ["the longest system prompt", withPrompt({ system_prompt: long(50_000) })],
    ["the longest addition to it", withPrompt({ append_system_prompt: long(10_000) })],
    ["plan", withPrompt({ permission_mode: "plan" })],
    ["ask", withPrompt({ permission_mode: "ask" })],
    ["allowlist", withPrompt({ permission_mode: "allowlist" })],
    ["auto", withPrompt({ permission_mode: "auto" })],
    ["its own name for a mode", withPrompt({ permission_mode: "acceptEdits" })],
    [
      "tools",
      withPrompt({
        allowed_tools: [
          "Read",
          "Bash(git:*)",
          "Bash(npm run test:*)",
          "mcp__github",
          "mcp__github__get-issue",
          "mcp__x__*",
        ],
      }),
    ],
    ["denied tools", withPrompt({ disallowed_tools: ["WebFetch(domain:example.com)"] })],
    ["the fewest tokens", withPrompt({ max_tokens: 1 })],
    ["the most tokens", withPrompt({ max_tokens: 200_000 })],
    ["turns", withPrompt({ max_turns: 3 })],
    [
      "servers as a path, as text and as a map",
      withPrompt({ mcp_config: "mcp.json", settings: '{"a":1}' }),
    ],
    ["servers as a map", withPrompt({ mcp_config: { mcpServers: {} } })],
    ["a session to resume", withPrompt({ resume: "980dd7bc-062b-4196-ad3a-4446b5c89144" })],
    ["further folders", withPrompt({ add_dirs: ["../lib", "/opt/data"] })],
    [
      "further flags",
      withPrompt({ extra_args: ["--effort", "high", "--bare", "--debug=hooks", "--resume"] }),
    ],
    [
      "a temperature that is to be dropped",
      withPrompt({ temperature: 0.5, allow_unsupported: true }),
    ],
    ["another output format", withPrompt({ output_format: "text" })],
  ])("%s", (_what, config) => {
    expect(problemsOf(config, { ...PLACE, promptFileText: "do it" })).toEqual([]);
  });
});

const MODEL =
  "model: must be `opus`, `sonnet`, `haiku`, a full id such as `claude-opus-5-5`, or a cloud id";
const EXACTLY_ONE = "prompt: Exactly one of prompt or prompt_file must be provided";
const INSIDE = "prompt_file: must be a relative path inside the workspace";
const TOOL = "must be a tool such as `Read`, `Bash(git:*)` or `mcp__server__tool`";
const MODES =
  "permission_mode: must be one of `plan`, `ask`, `allowlist`, `auto`, `default`, `acceptEdits`, `dontAsk`, `bypassPermissions`";

describe("what it refuses, and in which words", () => {
  test.each([
    ["no prompt at all", {}, [EXACTLY_ONE]],
    ["both prompts", { prompt: "a", prompt_file: "b" }, [EXACTLY_ONE]],
    ["an empty prompt", { prompt: "" }, ["prompt: must have 1 to 1,000,000 characters"]],
    [
      "a prompt that is too long",
      { prompt: long(1_000_001) },
      ["prompt: must have 1 to 1,000,000 characters"],
    ],
    ["a prompt that is no text", { prompt: 5 }, ["prompt: must be text"]],
    ["a NUL in the prompt", { prompt: "a\0b" }, ["prompt: must not contain a NUL character"]],
    ["a prompt file outside", { prompt_file: "a/../../x" }, [INSIDE]],
    ["an absolute prompt file", { prompt_file: "/etc/passwd" }, [INSIDE]],
    ["the folder above as prompt file", { prompt_file: ".." }, [INSIDE]],
    [
      "a long name of a prompt file",
      { prompt_file: long(501) },
      ["prompt_file: must have 1 to 500 characters"],
    ],
    [
      "an agent's name with a slash",
      withPrompt({ agent_name: "a/b" }),
      ["agent_name: must be 1 to 100 letters, digits, `_` and `-`"],
    ],
    [
      "an agent's name of 101 letters",
      withPrompt({ agent_name: long(101) }),
      ["agent_name: must be 1 to 100 letters, digits, `_` and `-`"],
    ],
    ["another maker's model", withPrompt({ model: "gpt-5" }), [MODEL]],
    ["a model like a flag", withPrompt({ model: "--yolo" }), [MODEL]],
    ["a model with a broken suffix", withPrompt({ model: "opus[1m" }), [MODEL]],
    [
      "a long system prompt",
      withPrompt({ system_prompt: long(50_001) }),
      ["system_prompt: must have 1 to 50,000 characters"],
    ],
    [
      "a long addition to it",
      withPrompt({ append_system_prompt: long(10_001) }),
      ["append_system_prompt: must have 1 to 10,000 characters"],
    ],
    ["a mode it does not have", withPrompt({ permission_mode: "yolo" }), [MODES]],
    ["an inherited name as a mode", withPrompt({ permission_mode: "constructor" }), [MODES]],
    [
      "tools as one text",
      withPrompt({ allowed_tools: "Read,Bash" }),
      ["allowed_tools: must be a list"],
    ],
    [
      "a tool that is none",
      withPrompt({ allowed_tools: ["Read", "rm -rf"] }),
      [`allowed_tools[1]: ${TOOL}`],
    ],
    [
      "a tool like a flag",
      withPrompt({ disallowed_tools: ["--x"] }),
      [`disallowed_tools[0]: ${TOOL}`],
    ],
    [
      "no tokens",
      withPrompt({ max_tokens: 0 }),
      ["max_tokens: must be a whole number from 1 to 200,000"],
    ],
    [
      "too many tokens",
      withPrompt({ max_tokens: 200_001 }),
      ["max_tokens: must be a whole number from 1 to 200,000"],
    ],
    [
      "half a token",
      withPrompt({ max_tokens: 1.5 }),
      ["max_tokens: must be a whole number from 1 to 200,000"],
    ],
    ["tokens as text", withPrompt({ max_tokens: "100" }), ["max_tokens: must be a number"]],
    [
      "a temperature",
      withPrompt({ temperature: 0.5 }),
      [
        "temperature: Claude Code has no control for the temperature; remove it, or set `allow_unsupported: true` to run without it",
      ],
    ],
    [
      "a temperature out of range, even when it is dropped",
      withPrompt({ temperature: 1.5, allow_unsupported: true }),
      ["temperature: must be from 0 to 1"],
    ],
    [
      "broken JSON",
      withPrompt({ mcp_config: "{broken" }),
      ["mcp_config: looks like JSON and is not valid JSON"],
    ],
    [
      "a session id with a space",
      withPrompt({ resume: "a b" }),
      ["resume: must be the id of a session"],
    ],
    [
      "an unknown key",
      withPrompt({ modle: "opus" }),
      ["modle: unknown key; did you mean `model`?"],
    ],
    ["a key like nothing", withPrompt({ zzzz: 1 }), ["zzzz: unknown key"]],
    [
      "an unknown flag",
      withPrompt({ extra_args: ["--efort", "high"] }),
      [
        "extra_args[0]: unknown flag `--efort`; did you mean `--effort`?",
        "extra_args[1]: `high` is not a flag",
      ],
    ],
    [
      "a bare word",
      withPrompt({ extra_args: ["hello"] }),
      ["extra_args[0]: `hello` is not a flag"],
    ],
    [
      "a flag without its value",
      withPrompt({ extra_args: ["--effort"] }),
      ["extra_args[0]: `--effort` needs a value"],
    ],
    [
      "a flag that is Adjutant's",
      withPrompt({ extra_args: ["--output-format", "text"] }),
      ["extra_args[0]: `--output-format` is set by Adjutant"],
    ],
    [
      "its short form too",
      withPrompt({ extra_args: ["-p"] }),
      ["extra_args[0]: `--print` is set by Adjutant"],
    ],
    [
      "a format it does not have",
      withPrompt({ output_format: "xml" }),
      ["output_format: must be one of `stream-json`, `json`, `text`"],
    ],
    ["no map", "prompt", [": must be a map", EXACTLY_ONE]],
  ])("%s", (_what, config, expected) => {
    expect(problemsOf(config)).toEqual(expected);
  });

  test("everything that is wrong is said at once", () => {
    const config = {
      model: "gpt",
      max_tokens: 0,
      nope: 1,
      allowed_tools: ["-"],
      extra_args: ["x"],
    };
    expect(problemsOf(config).map((problem) => problem.split(":", 1)[0])).toEqual([
      ...["model", "allowed_tools[0]", "max_tokens", "nope", "prompt", "extra_args[0]"],
    ]);
  });

  test("under root a mode that the CLI refuses, unless it is told that this is a sandbox", () => {
    const config = withPrompt({ permission_mode: "auto" });
    const root = { ...PLACE, isRoot: true };
    expect(problemsOf(config, root)).toEqual([
      "permission_mode: `claude-code` refuses `auto` for root; run it as another user, or set `IS_SANDBOX=1` inside a sandbox",
    ]);
    expect(problemsOf(config, { ...root, env: { IS_SANDBOX: "1" } })).toEqual([]);
    expect(problemsOf(withPrompt({ permission_mode: "acceptEdits" }), root)).toEqual([]);
  });

  test("a flag that this version does not have yet", () => {
    const config = withPrompt({ extra_args: ["--restricted"] });
    expect(problemsOf(config, { ...PLACE, agentVersion: "2.1.325" })).toEqual([]);
    expect(problemsOf(config, { ...PLACE, agentVersion: "2.1.197" })).toEqual([
      "extra_args[0]: unknown flag `--restricted`",
    ]);
  });
});

describe("a valid configuration", () => {
  test("is frozen and does not follow what was handed in", () => {
    const raw = { prompt: "do it", allowed_tools: ["Read"] };
    const check = claudeCodeAdapter.checkConfig(raw, PLACE);
    raw.allowed_tools.push("Bash");
    if (check.kind === "invalid") throw new Error("it is valid");
    expect(check.config.settings.allowed_tools).toEqual(["Read"]);
    expect(Object.isFrozen(check.config.settings.allowed_tools)).toBe(true);
  });

  test("names what was dropped", () => {
    const check = claudeCodeAdapter.checkConfig(
      withPrompt({ temperature: 1, allow_unsupported: true }),
      PLACE,
    );
    expect(check).toMatchObject({
      kind: "valid",
      config: { dropped: ["temperature"], settings: {} },
    });
  });

  test("may have a longer prompt where Adjutant assembled it", () => {
    const config = { prompt: long(3_000_000) };
    expect(problemsOf(config, { ...PLACE, isPromptBounded: false })).toEqual([]);
  });

  test("takes the text of its prompt file, within the same bounds", () => {
    const place = { ...PLACE, promptFileText: "from the file" };
    expect(claudeCodeAdapter.checkConfig({ prompt_file: "p.md" }, place)).toMatchObject({
      config: { prompt: "from the file" },
    });
    expect(problemsOf({ prompt_file: "p.md" }, { ...PLACE, promptFileText: "" })).toEqual([
      "prompt_file: must hold 1 to 1,000,000 characters",
    ]);
  });
});
