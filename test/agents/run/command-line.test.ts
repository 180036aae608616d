import { describe, expect, test } from "vitest";
import type { AgentAdapter, AgentCommand } from "../../../src/agents/run/adapter.ts";
import { findFlag } from "../../../src/agents/run/capabilities.ts";
import { ADAPTERS, adapterOf } from "../../support/agents.ts";

const PLACE = { agentVersion: null, isRoot: false, env: {} };

function build(
  agent: string | AgentAdapter,
  fields: object = {},
  env: Record<string, string> = {},
): AgentCommand {
  const adapter = typeof agent === "string" ? adapterOf(agent) : agent;
  const check = adapter.checkConfig({ prompt: "do it", ...fields }, PLACE);
  if (check.kind === "invalid") throw new Error(JSON.stringify(check.problems));
  return adapter.buildCommand({
    workspaceDir: "/workspace",
    config: check.config,
    timeout: 300_000,
    env,
    runId: "run",
    logDir: "/log",
  });
}

describe("the command line of each agent", () => {
  test.each([
    [
      "claude-code",
      {},
      ["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"],
    ],
    ["claude-code", { output_format: "json" }, ["-p", "--output-format", "json"]],
    [
      "claude-code",
      { output_format: "text", agent_name: "rev", model: "opus", permission_mode: "ask" },
      [
        "-p",
        "--output-format",
        "text",
        "--agent",
        "rev",
        "--model",
        "opus",
        "--permission-mode",
        "default",
      ],
    ],
    [
      "claude-code",
      {
        output_format: "text",
        allowed_tools: ["Read", "Bash(git:*)"],
        disallowed_tools: ["WebFetch"],
      },
      [
        "-p",
        "--output-format",
        "text",
        "--allowedTools=Read",
        "--allowedTools=Bash(git:*)",
        "--disallowedTools=WebFetch",
      ],
    ],
    [
      "claude-code",
      {
        output_format: "text",
        max_turns: 3,
        resume: "abc",
        add_dirs: ["a b"],
        mcp_config: { a: 1 },
        settings: "s.json",
      },
      [
        "-p",
        "--output-format",
        "text",
        "--max-turns",
        "3",
        '--mcp-config={"a":1}',
        "--settings",
        "s.json",
        "--resume=abc",
        "--add-dir=a b",
      ],
    ],
    [
      "claude-code",
      { output_format: "text", system_prompt: "-be brief" },
      ["-p", "--output-format", "text", "--system-prompt=-be brief"],
    ],
    [
      "claude-code",
      { output_format: "text", extra_args: ["--effort", "high"] },
      ["-p", "--output-format", "text", "--effort", "high"],
    ],
    [
      "codex",
      {},
      [
        "exec",
        "--json",
        "--skip-git-repo-check",
        "-c",
        "features.unbounded_connection_retries=false",
        "-c",
        "check_for_update_on_startup=false",
        "-",
      ],
    ],
    [
      "codex",
      {
        output_format: "text",
        model: "gpt-5.5",
        permission_mode: "plan",
        append_system_prompt: 'say "hi"\n',
      },
      [
        "exec",
        "--color",
        "never",
        "--skip-git-repo-check",
        "-c",
        "features.unbounded_connection_retries=false",
        "-c",
        "check_for_update_on_startup=false",
        "--model",
        "gpt-5.5",
        "-c",
        'developer_instructions="say \\"hi\\"\\n"',
        "--sandbox",
        "read-only",
        "-",
      ],
    ],
    [
      "codex",
      { output_format: "text", resume: "id-1" },
      [
        "exec",
        "--color",
        "never",
        "--skip-git-repo-check",
        "-c",
        "features.unbounded_connection_retries=false",
        "-c",
        "check_for_update_on_startup=false",
        "resume",
        "id-1",
        "-",
      ],
    ],
    [
      "gemini",
      { model: "gemini-2.5-flash", permission_mode: "auto", allowed_tools: ["a"], add_dirs: ["x"] },
      [
        "--output-format",
        "stream-json",
        "--skip-trust",
        "--model",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "--allowed-tools=a",
        "--include-directories=x",
      ],
    ],
    [
      "opencode",
      { model: "anthropic/claude-opus-5-5", permission_mode: "auto", resume: "ses_1" },
      [
        "run",
        "--format",
        "json",
        "--model",
        "anthropic/claude-opus-5-5",
        "--auto",
        "--session",
        "ses_1",
      ],
    ],
    ["opencode", { permission_mode: "plan" }, ["run", "--format", "json", "--agent", "plan"]],
    [
      "copilot",
      {
        permission_mode: "auto",
        allowed_tools: ["shell(git:*)"],
        disallowed_tools: ["write"],
        mcp_config: "mcp.json",
      },
      [
        "--output-format",
        "json",
        "--no-auto-update",
        "--no-ask-user",
        "--no-color",
        "--usage-output-file",
        "/log/copilot-usage.json",
        "--allow-all-tools",
        "--allow-tool=shell(git:*)",
        "--deny-tool=write",
        "--additional-mcp-config",
        "@mcp.json",
      ],
    ],
    [
      "qwen",
      { permission_mode: "auto", system_prompt: "s", disallowed_tools: ["edit"], max_turns: 2 },
      [
        "--output-format",
        "stream-json",
        "--include-partial-messages",
        "--system-prompt",
        "s",
        "--approval-mode",
        "yolo",
        "--exclude-tools=edit",
        "--max-session-turns",
        "2",
      ],
    ],
    ["command", { argv: ["my-agent", "--fast"] }, ["--fast"]],
  ])("%s with %j", (agent, fields, args) => {
    const command = build(agent, fields);
    expect(command.args).toEqual(args);
    expect(command.stdin).toBe("do it");
    expect(command.cwd).toBe("/workspace");
    expect(command.timeout).toBe(300_000);
  });

  test("the prompt is never among the arguments", () => {
    for (const adapter of ADAPTERS.filter(({ program }) => program !== null))
      expect(build(adapter).args.join(" "), adapter.name).not.toContain("do it");
  });

  test("every flag that is written is in the agent's own table", () => {
    const settings = { model: "opus", permission_mode: "plan" };
    for (const agent of ["claude-code", "codex", "gemini", "copilot", "qwen"]) {
      const { flags } = adapterOf(agent).capabilities(null);
      const written = build(agent, settings).args.filter((word) => /^-[-\w]/.test(word));
      for (const word of written) expect(findFlag(flags, word), `${agent} ${word}`).toBeDefined();
    }
  });

  test("the same words every time, and nothing of the input is changed", () => {
    const fields = Object.freeze({ allowed_tools: Object.freeze(["Read"]), model: "opus" });
    expect(build("claude-code", fields)).toEqual(build("claude-code", { ...fields }));
  });
});

describe("what does not go by flags", () => {
  test("a long system prompt goes by file", () => {
    const text = "x".repeat(20_000);
    const command = build("claude-code", { output_format: "text", system_prompt: text });
    expect(command.args.slice(-2)).toEqual(["--system-prompt-file", "/log/system-prompt.md"]);
    expect(command.files).toEqual([{ path: "/log/system-prompt.md", text }]);
  });

  test("a system prompt goes by the file that a variable or a key names", () => {
    expect(build("gemini", { system_prompt: "s" })).toMatchObject({
      env: { GEMINI_SYSTEM_MD: "/log/system-prompt.md" },
      files: [{ path: "/log/system-prompt.md", text: "s" }],
    });
    expect(build("codex", { system_prompt: "s" }).args).toContain(
      'model_instructions_file="/log/system-prompt.md"',
    );
  });

  test("a limit on tokens goes by the environment where there is no flag", () => {
    expect(build("claude-code", { max_tokens: 5 }).env.CLAUDE_CODE_MAX_OUTPUT_TOKENS).toBe("5");
    expect(build("opencode", { max_tokens: 5 }).env.OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX).toBe(
      "5",
    );
  });

  test("the caller's environment wins over the adapter's defaults", () => {
    expect(build("claude-code").env.CLAUDE_CODE_MAX_RETRIES).toBe("2");
    const env = { CLAUDE_CODE_MAX_RETRIES: "9", HOME: "/home/dev" };
    expect(build("claude-code", {}, env).env).toMatchObject(env);
  });
});

describe("what an agent cannot honour", () => {
  test.each([
    ["codex", { max_tokens: 5 }, "max_tokens"],
    ["codex", { agent_name: "a" }, "agent_name"],
    ["gemini", { append_system_prompt: "a" }, "append_system_prompt"],
    ["gemini", { disallowed_tools: ["a"] }, "disallowed_tools"],
    ["opencode", { allowed_tools: ["a"] }, "allowed_tools"],
    ["copilot", { system_prompt: "a" }, "system_prompt"],
    ["qwen", { temperature: 0.1 }, "temperature"],
    ["command", { argv: ["x"], model: "m" }, "model"],
  ])("%s refuses %j", (agent, fields, path) => {
    const check = adapterOf(agent).checkConfig({ prompt: "p", ...fields }, PLACE);
    expect(check).toMatchObject({ kind: "invalid", problems: [{ path }] });
  });

  test("opencode refuses to plan as another agent", () => {
    const config = { prompt: "p", agent_name: "build", permission_mode: "plan" };
    expect(adapterOf("opencode").checkConfig(config, PLACE)).toMatchObject({
      problems: [{ path: "permission_mode" }],
    });
  });

  test("a program without a name is refused", () => {
    for (const argv of [undefined, [], [""], "ls"])
      expect(adapterOf("command").checkConfig({ prompt: "p", argv }, PLACE)).toMatchObject({
        kind: "invalid",
      });
  });
});
