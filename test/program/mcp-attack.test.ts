// An agent that wants to grant itself something through MCP.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { PERSON_USES } from "../../src/core/command/person.ts";
import { findToken, issueToken } from "../../src/server/mcp/tokens.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { longTest } from "../support/tier.ts";
import { callTool, openClient } from "./mcp-client.ts";
import { makeSessionHome } from "./session-home.ts";

const COMMANDS = `
wipe: { description: Wipe it, shell: sh, command: "echo > wiped", safety: destructive }
`;
const REVIEW = `---
description: Review a change
agent: replay
inputs:
  focus:
    description: what to look at
---
Review it, above all {{ focus }}. !\`touch ran\`
`;

async function openAll() {
  const home = makeSessionHome();
  home.write({ "config/commands.yaml": COMMANDS, "config/commands/review.md": REVIEW });
  const client = await openClient(home, { words: ["mcp", "--all"] });
  return { home, client };
}

/** What every command that grants would be called with. */
const GRANTS: readonly (readonly [name: string, given: Readonly<Record<string, unknown>>])[] = [
  ["config", { action: "set", words: ["model", "x"] }],
  ["config", { action: "set", key: "model", value: "x" }],
  ["install", { agents: ["codex"] }],
  ["install", { agents: ["codex"], mcp: true }],
  ["install", { all: true }],
  ["uninstall", { agents: ["codex"] }],
  ["uninstall", { all: true, mcp: true }],
  ["mode", { to: "auto" }],
  ["mode", { reset: true }],
  ["trust", {}],
  ["mcp", { action: "trust", words: ["true"] }],
  ["log", { prune: "1d", force: true }],
  ["resident", { action: "stop" }],
  ["serve", { action: "stop" }],
  ["hooks", { action: "init" }],
  ["new", { name: "x", user: true }],
  ["params", { words: ["permission=bypass"] }],
  ["params", { action: "set", words: ["permission_mode=bypass"] }],
];

const tryTool = async (client: Client, name: string, given: Readonly<Record<string, unknown>>) => {
  try {
    return await callTool(client, name, given);
  } catch (error) {
    return { isError: true, text: error instanceof Error ? error.message : "" };
  }
};

describe("through MCP an agent grants itself nothing", () => {
  longTest("by any command that is for a person, offered or not", async () => {
    const { home, client } = await openAll();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    for (const [name, use] of Object.entries(PERSON_USES))
      if (use === true) expect(names).not.toContain(name);
    for (const [name, given] of GRANTS)
      expect(await tryTool(client, name, given), `${name} ${JSON.stringify(given)}`).toMatchObject({
        isError: true,
      });
    for (const more of [{ yes: true }, { "--yes": true }, { args: ["--yes"] }, { force: true }])
      for (const name of ["config", "trust", "mode"])
        expect(await tryTool(client, name, { ...more })).toMatchObject({ isError: true });
    expect(existsSync(join(home.folder, ".codex"))).toBe(false);
    expect((await home.adj("mode")).stdout).toContain("ask (from the settings)");
    expect((await home.adj("config")).stdout).not.toMatch(/model.*\bx\b/);
  });

  longTest("by words behind a command that wants consent", async () => {
    const { home, client } = await openAll();
    for (const args of [["--yes"], ["-y"], ["--", "--yes"], ["--force"]]) {
      const asked = await callTool(client, "wipe", { args, background: true });
      await home.question();
      const { run_id } = asked;
      expect(await callTool(client, "adj_wait", { run_id, seconds: 0 })).toMatchObject({
        status: "waiting",
      });
      await callTool(client, "adj_cancel", { run_id });
    }
    for (const more of [{ yes: true }, { "--yes": true }, { args: "--yes" }, { args: [{}] }])
      expect(await tryTool(client, "wipe", more)).toMatchObject({ isError: true });
    expect(existsSync(join(home.project, "wiped"))).toBe(false);
  });

  longTest(
    "by how a Markdown command is run, nor by what a prompt's arguments are called",
    async () => {
      const { home, client } = await openAll();
      const odd = [
        "no-dry-run",
        "dry-run=false --x",
        "hash",
        "permission",
        "agent",
        "yes",
        "",
        "a b",
      ];
      for (const key of odd)
        await expect(
          client.getPrompt({ name: "review", arguments: { focus: "x", [key]: "false" } }),
        ).rejects.toThrow(/no argument/);
      await client.getPrompt({ name: "review", arguments: { focus: "--no-dry-run" } });
      expect(existsSync(join(home.project, "ran"))).toBe(false);
      const { tools } = await client.listTools();
      const { properties } = tools.find(({ name }) => name === "review")?.inputSchema ?? {};
      expect(Object.keys(properties ?? {}).toSorted()).toEqual(["background", "focus"]);
      for (const key of ["permission", "permission_mode", "permissionMode", "agent", "yes"])
        await tryTool(client, "review", { focus: "x", [key]: "bypass" });
      const runs = (await home.events()).filter(({ type }) => type.startsWith("AgentRun"));
      expect(JSON.stringify(runs)).not.toContain("bypass");
    },
  );

  longTest("by addresses that lead elsewhere", async () => {
    const { home, client } = await openAll();
    home.write({ secret: "the secret" });
    const uris = [
      ...["adj://runs/../log", "adj://runs/..%2f..%2fsecret/log", "adj://runs/--help/log"],
      ...["adj://runs/a/b/log", "adj://bench/../report", "adj://bench/.../report"],
      ...["adj://bench/-o/report", "adj://workflows/--all/state", "adj://calls/../output"],
      ...["adj://calls/c00000000000g/output", "file:///etc/passwd", "adj://config/secret"],
    ];
    for (const uri of uris)
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 });
    for (const run_id of ["../secret", "c000000000000/../../secret", "", 7, null])
      expect(await tryTool(client, "adj_wait", { run_id })).toMatchObject({ isError: true });
  });
});

test("tokens in a file that others can read or write count for nothing", () => {
  const stateDir = temporaryFolder();
  const place = { cwd: "/a", root: "/a", isAll: false };
  const token = issueToken(stateDir, place);
  expect(findToken(stateDir, token)).toMatchObject(place);
  expect(findToken(stateDir, `${token}x`)).toBeNull();
  for (const mode of [0o644, 0o620, 0o602]) {
    chmodSync(join(stateDir, "mcp-tokens.json"), mode);
    expect(findToken(stateDir, token)).toBeNull();
  }
});
