// What an administrator writes for everybody: a repository that switches hooks off does not reach it.
import { describe, expect, test } from "vitest";
import { installerOf } from "../support/agents.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { driveHooked } from "./drive-hooked.ts";
import { findLabCli, type LabAgent, missingMessage } from "./lab.ts";

interface Case {
  readonly agent: LabAgent;
  /** By which a repository switches off the hooks of a user. */
  readonly project: Readonly<Record<string, string>>;
  /** What makes the repository's word count, and a user's hooks be called. */
  readonly trusted?: (root: string) => readonly string[];
}

const trustedByCodex = (root: string) => [
  "--dangerously-bypass-hook-trust",
  ...["-c", `projects={${JSON.stringify(root)}={trust_level="trusted"}}`],
];

// biome-ignore format: a table, one agent a line
const CASES: readonly Case[] = [
  { agent: "claude-code", project: { ".claude/settings.json": '{"disableAllHooks":true}' } },
  { agent: "codex", project: { ".codex/config.toml": "[features]\nhooks = false\n" }, trusted: trustedByCodex },
  { agent: "gemini", project: { ".gemini/settings.json": '{"hooksConfig":{"enabled":false}}' } },
  { agent: "qwen", project: { ".qwen/settings.json": '{"disableAllHooks":true}' } },
  { agent: "copilot", project: { ".github/copilot/settings.json": '{"disableAllHooks":true}' } },
];

describe.each(CASES)("a repository that tells $agent $project", ({ agent, ...given }) => {
  const cli = findLabCli(agent);
  if (cli === null) test.skip(missingMessage(agent));
  else if (!hasBubblewrap) test.skip("skipped: the machine's files are put in place by bubblewrap");
  else
    test("switches off a user's hooks, and not those of the machine", {
      timeout: 200_000,
    }, async () => {
      const installer = installerOf(agent);
      const own = await driveHooked({
        cli,
        installer,
        scope: "user",
        ...given,
        extraEnv: REPO_HOOKS,
      });
      expect(own.payloads.length, own.account).toBe(0);
      const managed = await driveHooked({
        cli,
        installer,
        scope: "managed",
        ...given,
        extraEnv: REPO_HOOKS,
      });
      expect(managed.exitCode, managed.account).toBe(0);
      expect(JSON.stringify(managed.payloads), managed.account).toContain("echo hooked");
    });
});

/** Without it Copilot would not read a project's hooks at all. */
const REPO_HOOKS = { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" };
