import { describe, expect, it, test } from "vitest";
import { AGENT_FIELDS } from "../../../src/markdown/file/keys.ts";
import { AGENT_SUFFIXES } from "../../../src/markdown/file/named-agent.ts";
import { ADAPTERS } from "../../support/agents.ts";
import { refuse, translate } from "./ask-translation.ts";

it("knows a short name for every agent there is", () => {
  expect([...AGENT_SUFFIXES.values()]).toEqual(ADAPTERS.map(({ name }) => name));
  expect([...AGENT_SUFFIXES.keys()]).toEqual(ADAPTERS.map(({ name, program }) => program ?? name));
});

it("knows the fields that only one agent has", () => {
  expect([...AGENT_FIELDS]).toEqual(["argv", "offer-files", "cassette", "pace"]);
  expect(translate("claude-code", { argv: ["cat"], pace: "real" }).args).toEqual([]);
});

describe("portable keys are settings of the agent", () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "claude-code",
      {
        "agent-name": "reviewer",
        model: "opus",
        "system-prompt": "a",
        "append-system-prompt": "b",
        "allowed-tools": ["Read", "Bash(git diff:*)"],
        "denied-tools": "WebFetch",
        permission: "plan",
        "max-tokens": 100,
        "max-turns": 3,
        "output-format": "json",
        resume: "abc",
      },
      {
        agent_name: "reviewer",
        model: "opus",
        system_prompt: "a",
        append_system_prompt: "b",
        allowed_tools: ["Read", "Bash(git diff:*)"],
        disallowed_tools: ["WebFetch"],
        permission_mode: "plan",
        max_tokens: 100,
        max_turns: 3,
        output_format: "json",
        resume: "abc",
      },
    ],
    [
      "codex",
      { model: "gpt-5.5", permission: "auto" },
      { model: "gpt-5.5", permission_mode: "auto" },
    ],
    ["gemini", { "allowed-tools": ["write_file"] }, { allowed_tools: ["write_file"] }],
    [
      "opencode",
      { "agent-name": "build", "max-tokens": 9 },
      { agent_name: "build", max_tokens: 9 },
    ],
    ["copilot", { "denied-tools": ["write"] }, { disallowed_tools: ["write"] }],
    ["qwen", { "max-turns": 2 }, { max_turns: 2 }],
    ["command", { argv: ["cat", "-"] }, { argv: ["cat", "-"] }],
    ["acp", { argv: ["x"], "offer-files": true }, { argv: ["x"], offer_files: true }],
    ["replay", { cassette: "c", model: "m", "max-turns": 2, verbose: true }, { cassette: "c" }],
  ])("%s", (agent, frontMatter, settings) => {
    expect(translate(agent, frontMatter)).toEqual({ args: [], env: {}, settings, unsetEnv: [] });
  });
});

describe("all other keys are flags of the agent", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["claude-code", { verbose: true, effort: "high" }, ["--verbose", "--effort", "high"]],
    ["claude-code", { "add-dir": ["../a", "b,c"] }, ["--add-dir=../a", "--add-dir=b,c"]],
    ["claude-code", { allowedTools: "Read" }, ["--allowedTools=Read"]],
    ["claude-code", { n: "night run" }, ["-n", "night run"]],
    ["claude-code", { debug: "api" }, ["--debug=api"]],
    ["claude-code", { debug: true }, ["--debug"]],
    ["claude-code", { "append-system-prompt-file": "-x" }, ["--append-system-prompt-file=-x"]],
    ["codex", { c: ["a=1", "b=2"], oss: true }, ["-c", "a=1", "-c", "b=2", "--oss"]],
    ["codex", { image: ["a.png", "b.png"] }, ["--image=a.png", "--image=b.png"]],
    ["gemini", { extensions: ["a"], debug: true }, ["--extensions=a", "--debug"]],
    ["opencode", { variant: "high", file: ["x"] }, ["--variant", "high", "--file=x"]],
    [
      "copilot",
      { "allow-all-paths": true, "log-level": "all" },
      ["--allow-all-paths", "--log-level", "all"],
    ],
    ["qwen", { "add-dir": ["x"], "auth-type": "openai" }, ["--add-dir=x", "--auth-type", "openai"]],
    ["command", { n: 3, anything: ["a", "b"] }, ["-n", "3", "--anything", "a", "--anything", "b"]],
  ])("%s %j", (agent, frontMatter, args) => {
    expect(translate(agent, frontMatter).args).toEqual(args);
  });
});

describe("Adjutant's own keys reach no agent", () => {
  it("whatever they say", () => {
    const own = {
      adjutant: 1,
      agent: "claude",
      aliases: ["r"],
      category: "x",
      "argument-hint": "x",
      examples: ["x"],
      critical: true,
      "inherit-env": true,
      post_optional: true,
      cassette: "c",
      timeout: "5m",
      cwd: "..",
      inputs: {},
      env: { A: 1, B: true, GONE: null },
      pre: "x",
      post: "y",
      effect: "read",
      safety: "read_only",
      description: "d",
      version: "1.0.0",
      args: ["a"],
      context_window: 5,
      $focus: "x",
    };
    expect(translate("claude-code", own)).toEqual({
      args: [],
      env: { A: "1", B: "true" },
      settings: {},
      unsetEnv: ["GONE"],
    });
  });

  it("and neither does what the template has", () => {
    const templateVars = new Set(["verbose"]);
    const { args } = translate("claude-code", { verbose: "x", effort: "low" }, { templateVars });
    expect(args).toEqual(["--effort", "low"]);
  });
});

describe("flags are merged by what they are, not by how they are written", () => {
  const defaults = { verbose: true, model: "haiku", "add-dir": ["a"], effort: "low" };
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[], unknown]>([
    ["defaults count", {}, {}, ["--verbose", "--add-dir=a", "--effort", "low"], "haiku"],
    [
      "the file wins, in the default's place",
      { effort: "max", model: "opus" },
      {},
      ["--verbose", "--add-dir=a", "--effort", "max"],
      "opus",
    ],
    [
      "null and false remove",
      { verbose: null, "add-dir": false, model: null, effort: null },
      {},
      [],
      undefined,
    ],
    [
      "a list replaces a list",
      { "add-dir": ["b", "c"] },
      {},
      ["--verbose", "--effort", "low", "--add-dir=b", "--add-dir=c"],
      "haiku",
    ],
    [
      "a flag replaces the setting that would be the same flag",
      { "--model": "sonnet" },
      {},
      ["--verbose", "--add-dir=a", "--effort", "low", "--model", "sonnet"],
      undefined,
    ],
    [
      "the command line wins over both",
      { effort: "max" },
      { "--effort": "high", model: "opus", "--verbose": false },
      ["--add-dir=a", "--effort", "high"],
      "opus",
    ],
  ])("%s", (_, frontMatter, flags, args, model) => {
    const translated = translate("claude-code", frontMatter, { defaults, flags });
    expect(translated.args).toEqual(args);
    expect(translated.settings.model).toBe(model);
  });

  it("aliases are the same flag", () => {
    const flags = { "--allowed-tools": "Edit" };
    const translated = translate("claude-code", { "allowed-tools": ["Read"] }, { flags });
    expect(translated).toMatchObject({ args: ["--allowed-tools=Edit"], settings: {} });
    const short = translate("claude-code", { n: "a" }, { flags: { "--name": "b" } });
    expect(short.args).toEqual(["--name", "b"]);
  });

  it("a mode is the flag it becomes", () => {
    const flags = { "--permission-mode": "acceptEdits" };
    const translated = translate("claude-code", { permission: "plan" }, { flags });
    expect(translated).toMatchObject({
      args: ["--permission-mode", "acceptEdits"],
      settings: {},
    });
  });

  it("a word that becomes a flag wins over the file", () => {
    const translated = translate("claude-code", { $2: "model", model: "opus" }, { positions: 2 });
    expect(translated.settings).toEqual({});
    const without = translate("claude-code", { $2: "model", model: "opus" }, { positions: 1 });
    expect(without.settings).toEqual({ model: "opus" });
  });

  it("the same flag twice in one place is an error", () => {
    expect(refuse("claude-code", { model: "opus", "--model": "sonnet" })).toEqual([
      {
        source: "file",
        path: ["--model"],
        part: "key",
        message: "`model` and `--model` set the same flag",
        hint: null,
      },
    ]);
  });
});
