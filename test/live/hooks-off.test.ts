// Every form known by which a repository, or a variable of the person, keeps a real CLI from calling hooks: we see each.
import { describe, expect, test } from "vitest";
import { installerOf } from "../support/agents.ts";
import { driveHooked } from "./drive-hooked.ts";
import { findLabCli, type LabAgent, missingMessage } from "./lab.ts";

interface Form {
  readonly agent: LabAgent;
  readonly project?: Readonly<Record<string, string>>;
  readonly startIn?: string;
  readonly extraEnv?: Readonly<Record<string, string>>;
}

const OFF = '{"disableAllHooks":true}';
const GEMINI = ".gemini/settings.json";
const QWEN = ".qwen/settings.json";

// biome-ignore format: a table, one form a line
const FORMS: readonly Form[] = [
  { agent: "claude-code", project: { "sub/.claude/settings.json": OFF }, startIn: "sub" },
  { agent: "claude-code", extraEnv: { CLAUDE_CODE_SIMPLE: "1" } },
  { agent: "claude-code", extraEnv: { CLAUDE_CODE_SAFE_MODE: "1" } },
  { agent: "codex", project: { ".codex/config.toml": "[features]\ncodex_hooks = false\n" } },
  { agent: "codex", project: { "a/.codex/config.toml": "[features]\nhooks = false\n", "a/b/c": "" }, startIn: "a/b" },
  { agent: "gemini", project: { [GEMINI]: '{"hooksConfig":{"enabled":"false"}}' } },
  { agent: "gemini", project: { [GEMINI]: '{"hooksConfig":{"enabled":0}}' } },
  { agent: "gemini", project: { [GEMINI]: '{"hooksConfig":{"disabled":"adjutant"}}' } },
  { agent: "gemini", project: { [GEMINI]: '{"hooks":null}' } },
  { agent: "gemini", project: { [GEMINI]: '{"hooks":[]}' } },
  { agent: "gemini", project: { [`sub/${GEMINI}`]: '{"hooksConfig":{"enabled":false}}' }, startIn: "sub" },
  { agent: "qwen", project: { [QWEN]: '{"disableAllHooks":"false"}' } },
  { agent: "qwen", project: { [QWEN]: '{"env":{"QWEN_CODE_SIMPLE":"1"}}' } },
  { agent: "qwen", project: { ".env": "QWEN_CODE_SAFE_MODE=1\n" } },
  { agent: "qwen", project: { [`sub/${QWEN}`]: OFF }, startIn: "sub" },
  { agent: "qwen", extraEnv: { QWEN_CODE_SIMPLE: "1" } },
  { agent: "copilot", project: { ".claude/settings.json": OFF } },
  { agent: "copilot", project: { ".claude/settings.local.json": OFF } },
  { agent: "copilot", project: { ".github/copilot/settings.json": '{"disable_all_hooks":true}' } },
  { agent: "opencode", extraEnv: { OPENCODE_PURE: "1" } },
];

const TRUSTED = {
  codex: (root: string) => [
    "--dangerously-bypass-hook-trust",
    ...["-c", `projects={${JSON.stringify(root)}={trust_level="trusted"}}`],
  ],
};

/** Without it Copilot would not read a project's files at all. */
const REPO_HOOKS = { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" };

describe.each(FORMS)("$agent with $project $extraEnv", ({ agent, extraEnv, ...form }) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else
    test("calls no hook, and we say why", { timeout: 120_000 }, async () => {
      const { payloads, switches, exitCode, account } = await driveHooked({
        ...{ cli, installer: installerOf(agent), scope: "user", ...form },
        ...(agent === "codex" ? { trusted: TRUSTED.codex } : {}),
        extraEnv: { ...REPO_HOOKS, ...extraEnv },
      });
      expect(exitCode, account).toBe(0);
      expect(JSON.stringify(payloads)).not.toContain("echo hooked");
      expect(switches.length, account).toBe(1);
    });
});
