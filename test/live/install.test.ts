// What is installed must be what the real CLIs take: with one bad key some drop a whole file without a word.
import { describe, expect, test } from "vitest";
import type {
  ConfigSyntax,
  EntryInstaller,
  HookInstaller,
} from "../../src/agents/steps/installer.ts";
import { hookAgentOf, INSTALLERS, installerOf } from "../support/agents.ts";
import { driveHooked, type HookedDrive } from "./drive-hooked.ts";
import { findLabCli, type LabAgent, type LabCli, missingMessage } from "./lab.ts";

const STEPS = ["session_start", "before_prompt", "before_tool", "after_tool", "before_turn_end"];

interface Case {
  readonly agent: LabAgent;
  readonly extraArgs?: readonly string[];
  readonly extraEnv?: Readonly<Record<string, string>>;
}

/** What a person's trust would allow. */
// biome-ignore format: a table, one agent a line
const CASES: readonly Case[] = [
  { agent: "claude-code" },
  { agent: "codex", extraArgs: ["--dangerously-bypass-hook-trust"] },
  { agent: "gemini" },
  { agent: "qwen" },
  { agent: "copilot", extraEnv: { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: "true" } },
  { agent: "opencode" },
];

describe.each(CASES)("hooks installed for $agent", ({ agent, ...extra }) => {
  const cli = findLabCli(agent);
  if (cli === null) {
    test.skip(missingMessage(agent));
    return;
  }
  const installer = installerOf(agent);
  test.each(["user", "project"] as const)("are called by the real CLI (%s)", async (scope) => {
    const drive = await driveHooked({ cli, installer, scope, ...extra });
    expect(drive.exitCode, drive.account).toBe(0);
    expect(stepsIn(drive, cli), drive.account).toEqual(expect.arrayContaining(STEPS));
    expect(JSON.stringify(drive.payloads)).toContain("echo hooked");
  });
});

/** As without a network: every registry is behind a proxy that is not there. */
const NOWHERE = "http://127.0.0.1:9";
const NO_NETWORK = {
  ...{ HTTPS_PROXY: NOWHERE, HTTP_PROXY: NOWHERE, https_proxy: NOWHERE, http_proxy: NOWHERE },
  ...{ NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" },
  // The scripted model has it so; a person's npm does not know that it is offline.
  npm_config_offline: "false",
};

test("opencode starts with the plugin and answers where no registry can be reached", async () => {
  const cli = findLabCli("opencode");
  if (cli === null) return;
  const installer = installerOf("opencode");
  const drive = await driveHooked({ cli, installer, scope: "user", extraEnv: NO_NETWORK });
  expect(drive.exitCode, drive.account).toBe(0);
  expect(stepsIn(drive, cli), drive.account).toEqual(expect.arrayContaining(STEPS));
});

function stepsIn({ payloads }: HookedDrive, { agent }: LabCli): (string | null)[] {
  const place = { env: {}, cwd: "/", correlationId: "c", time: "t" };
  return payloads.map((payload) => hookAgentOf(agent).readStep(payload, place)?.step ?? null);
}

const ODD: Readonly<Record<keyof ConfigSyntax, (own: string) => string>> = {
  comments: (own) => `// a note\n${own}`,
  trailingCommas: (own) => own.replace(/\}\s*$/, own.includes(":") ? ",}" : '"description":"",}'),
  mark: (own) => `\ufeff${own}`,
};
const SYNTAX = ["comments", "trailingCommas", "mark"] as const;
const isEntries = (one: HookInstaller): one is EntryInstaller => one.kind === "entries";

const ODD_CASES = INSTALLERS.filter(isEntries).flatMap((installer) =>
  SYNTAX.map((syntax) => ({
    installer,
    syntax,
    agent: installer.agent,
    isRead: installer.syntax[syntax],
    extra: CASES.find(({ agent }) => agent === installer.agent) ?? {},
  })),
);

describe("what a CLI reads beside plain JSON is what install takes", () => {
  test.each(ODD_CASES)("$agent, $syntax: $isRead", async ({ installer, syntax, isRead, extra }) => {
    const cli = CASES.map(({ agent }) => findLabCli(agent)).find(
      (one) => one?.agent === installer.agent,
    );
    if (!cli) return;
    const takesAll = { comments: true, trailingCommas: true, mark: true };
    const drive = await driveHooked({
      cli,
      ...extra,
      installer: { ...installer, syntax: takesAll },
      scope: "user",
      before: (own) => ODD[syntax](own ?? JSON.stringify(installer.seed)),
    });
    expect(drive.payloads.length > 0, drive.account).toBe(isRead);
  });
});
