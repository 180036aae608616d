import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { MARKER_HEAD } from "../../../src/hooks/pipeline/guard-marker.ts";
import { HOOK_AGENT_NAMES, INSTALLERS } from "../../support/agents.ts";
import { type TestProgram, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { openHooksProgram } from "./hooks-program.ts";

const SETTINGS = "home/.claude/settings.json";
const read = ({ folder }: TestProgram, path: string) => readFileSync(join(folder, path), "utf8");
const guard = (opened: TestProgram, extra = "") =>
  writeFiles(opened.configDir, {
    "hooks.yaml": `hooks:\n  - { name: g, on: before_tool, run: { argv: [./g] }${extra} }\n`,
  });

describe("install", () => {
  test("without a name lists what is here and what is installed", async () => {
    const opened = openHooksProgram("claude", "codex");
    await opened.adj("install", "codex");
    const listed = await opened.adj("install");
    expect(listed.result.exitCode).toBe(0);
    const rows = textOf(listed).split("\n");
    expect(rows[0]).toMatch(/^AGENT\s+VERSION\s+USER\s+PROJECT\s+MANAGED\s+PROGRAM$/);
    expect(rows[1]).toMatch(/^claude-code\s+2\.1\.325\s+absent\s+absent\s+absent\s+\/.*\/claude$/);
    expect(rows[2]).toMatch(/^codex\s+2\.1\.325\s+installed\s+absent/);
    expect(rows[3]).toMatch(/^gemini\s+not here/);
    expect(listed.result.metadata?.agents).toHaveLength(INSTALLERS.length);
  });

  test("writes the file, prints what the agent honours, and gives both as data", async () => {
    const opened = openHooksProgram();
    const outcome = await opened.adj("install", "claude-code");
    const file = join(opened.folder, SETTINGS);
    expect(textOf(outcome)).toContain(`claude-code: wrote ${file}`);
    expect(textOf(outcome)).toMatch(/before_tool\s+PreToolUse\s+blocks\s+args, result, permission/);
    expect(textOf(outcome)).toContain("virtual commands: on PATH from the start of a session");
    expect(outcome.result.metadata).toMatchObject({
      agents: [{ agent: "claude-code", scope: "user", file, did: "created" }],
    });
    const again = await opened.adj("install", "claude-code");
    expect(textOf(again)).toContain(`${file} has the hooks already`);
  });

  test("calls the copy in the data folder for a user, and `adj` by PATH in a project", async () => {
    const opened = openHooksProgram();
    const client = join(opened.env.HOME, ".local/share/adjutant/client/adj-hook");
    await opened.adj("install", "claude-code");
    await opened.adj("install", "claude-code", "--project");
    expect(existsSync(client)).toBe(true);
    const { hooks } = JSON.parse(read(opened, SETTINGS));
    const args = ["claude-code", "PreToolUse"];
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ command: client, args });
    await opened.adj("install", "codex");
    expect(read(opened, "home/.codex/hooks.json")).toContain(`"${client} codex PreToolUse"`);
    expect(read(opened, "project/.claude/settings.json")).toContain(
      '"command": "adj hook claude-code"',
    );
  });

  test("moves entries that call the client of an earlier version, which goes on answering", async () => {
    const opened = openHooksProgram();
    const old = join(opened.stateDir, "client");
    writeFiles(old, { "adj-hook": "the old text\n", program: "/gone/adj\n" });
    const handler = { type: "command", command: `${old}/adj-hook codex`, timeout: 60 };
    const hooks = { PreToolUse: [{ hooks: [handler] }] };
    writeFiles(opened.folder, { "home/.codex/hooks.json": JSON.stringify({ hooks }) });
    await opened.adj("install", "codex");
    expect(read(opened, "home/.codex/hooks.json")).not.toContain(old);
    expect(readFileSync(join(old, "adj-hook"), "utf8")).toBe("the old text\n");
    expect(readFileSync(join(old, "program"), "utf8")).toMatch(/\/bin\/adj\n$/);
  });

  test("writes a secret for HTTP into no file that others can read", async () => {
    const opened = openHooksProgram();
    writeFiles(opened.folder, { [SETTINGS]: "{}" });
    chmodSync(join(opened.folder, SETTINGS), 0o640);
    const refused = await opened.adj("install", "claude-code", "--http");
    expect(refused.error?.message).toContain("others can read it, and `--http` writes a secret");
    expect(read(opened, SETTINGS)).toBe("{}");
    chmodSync(join(opened.folder, SETTINGS), 0o600);
    await opened.adj("install", "claude-code", "--http");
    expect(read(opened, SETTINGS)).toContain("Bearer ");
  });

  test("makes the agent fail closed at the steps that have blocking guards, and only there", async () => {
    const opened = openHooksProgram();
    guard(opened);
    await opened.adj("install", "claude-code");
    const { hooks } = JSON.parse(read(opened, SETTINGS));
    expect(hooks.PreToolUse[0].hooks[0].onFailure).toBe("block");
    expect(hooks.Stop[0].hooks[0].onFailure).toBeUndefined();
    guard(opened, ", on_error: skip");
    await opened.adj("install", "claude-code");
    expect(read(opened, SETTINGS)).not.toContain("onFailure");
  });

  test("in a project without guards keeps what the guards of another one need", async () => {
    const opened = openHooksProgram();
    const other = join(opened.folder, "other");
    mkdirSync(other);
    const client = join(opened.env.HOME, ".local/share/adjutant/client");
    await opened.adj("install", "claude-code");
    const set = ["set", opened.configDir, other, "before_tool=*"].join("\t");
    const marker = join(client, "guards");
    const before = existsSync(marker) ? readFileSync(marker, "utf8") : MARKER_HEAD;
    writeFileSync(marker, `${before}${set}\n`);
    await opened.adj("install", "claude-code");
    const failing = () => JSON.parse(read(opened, SETTINGS)).hooks.PreToolUse[0].hooks[0].onFailure;
    expect(failing()).toBe("block");
    rmSync(other, { recursive: true });
    await opened.adj("install", "claude-code");
    expect(failing()).toBeUndefined();
  });

  test("with --dry-run shows the change and makes none", async () => {
    const opened = openHooksProgram();
    const outcome = await opened.adj("install", "gemini", "--dry-run");
    expect(textOf(outcome)).toContain(
      `would write ${join(opened.env.HOME, ".gemini/settings.json")}`,
    );
    expect(textOf(outcome)).toContain('+    "BeforeTool": [');
    expect(existsSync(join(opened.env.HOME, ".gemini"))).toBe(false);
    expect(existsSync(join(opened.env.HOME, ".local/share/adjutant"))).toBe(false);
  });

  test("with --all takes the agents that are here", async () => {
    const opened = openHooksProgram("gemini", "qwen");
    const outcome = await opened.adj("install", "--all");
    expect(outcome.result.metadata).toMatchObject({
      agents: [{ agent: "gemini" }, { agent: "qwen" }],
    });
  });

  test("honours the agents' own variables", async () => {
    const opened = openHooksProgram();
    const at = (name: string) => join(opened.folder, name);
    const outcome = await opened.run(
      ["install", "claude-code", "codex", "gemini", "qwen", "copilot", "opencode"],
      {
        env: {
          ...opened.env,
          CLAUDE_CONFIG_DIR: at("c"),
          CODEX_HOME: at("x"),
          GEMINI_CLI_HOME: at("g"),
          QWEN_HOME: at("q"),
          COPILOT_HOME: at("o"),
          XDG_CONFIG_HOME: at("xdg"),
        },
      },
    );
    expect(outcome.result.metadata).toMatchObject({
      agents: [
        { file: at("c/settings.json") },
        { file: at("x/hooks.json") },
        { file: at("g/.gemini/settings.json") },
        { file: at("q/settings.json") },
        { file: at("o/hooks/adjutant.json") },
        { file: at("xdg/opencode/plugins/adjutant.js") },
      ],
    });
  });

  test("with --http lets the agent call the resident, but not at session start nor at the end of a turn", async () => {
    const opened = openHooksProgram();
    await opened.adj("install", "claude-code", "--http");
    const { hooks } = JSON.parse(read(opened, SETTINGS));
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({
      type: "http",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/hook\/claude-code$/),
      headers: { Authorization: expect.stringMatching(/^Bearer .{20}/) },
      onFailure: "block",
    });
    for (const event of ["SessionStart", "Stop", "SubagentStop"])
      expect(hooks[event][0].hooks[0].type).toBe("command");
    expect(textOf(await opened.adj("install", "claude-code", "--http"))).toContain("already");
    const entry = join(opened.stateDir, "resident-http");
    expect(existsSync(entry)).toBe(true);
    await opened.adj("uninstall", "claude-code");
    expect(existsSync(join(opened.folder, SETTINGS))).toBe(false);
    expect(existsSync(entry)).toBe(false);
    await opened.adj("install", "claude-code", "--http", "--dry-run");
    expect(existsSync(entry)).toBe(false);
  });

  // biome-ignore format: a table, one line each
  test.each([
    [["claude-code", "--user", "--project"], "ArgumentsInvalid", "exclude each other"],
    [["codex", "--http"], "ArgumentsInvalid", "`--http` is not possible on `codex`"],
    [["qwen", "--http"], "ArgumentsInvalid", "`--http` is not possible on `qwen`"],
    [["claude-code", "--http", "--project"], "ArgumentsInvalid", "exclude each other"],
    [["gemini", "--shims-only"], "ArgumentsInvalid", "`--shims-only` is not possible on `gemini`"],
    [["clade-code"], "AgentUnknown", "unknown agent `clade-code`; did you mean `claude-code`?"],
  ])("refuses %j", async (words, code, message) => {
    const opened = openHooksProgram();
    const outcome = await opened.adj("install", ...words);
    expect(outcome.error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(existsSync(join(opened.env.HOME, ".claude"))).toBe(false);
  });

  test.each([
    ["install", "codex"],
    ["uninstall", "codex"],
  ])("%s is not for an agent to do", async (...words) => {
    const opened = openHooksProgram();
    const outcome = await opened.run(words, { env: { ...opened.env, CLAUDECODE: "1" } });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "Required" } });
    expect(existsSync(join(opened.env.HOME, ".codex"))).toBe(false);
  });

  test("tells what is still to be done", async () => {
    const opened = openHooksProgram();
    const codex = await opened.adj("install", "codex");
    expect(textOf(codex)).toContain("next: start `codex` once and trust the hooks");
    const gemini = await opened.adj("install", "gemini", "--project");
    expect(textOf(gemini)).toContain("next: put `adj` on PATH");
    expect(textOf(gemini)).toContain("a `PATH=…` in front");
  });
});

describe("uninstall", () => {
  test("gives the file back and says so", async () => {
    const opened = openHooksProgram();
    const file = join(opened.folder, SETTINGS);
    mkdirSync(dirname(file));
    writeFileSync(file, '{ "model": "x" }');
    await opened.adj("install", "claude-code");
    const tried = await opened.adj("uninstall", "claude-code", "--dry-run");
    expect(textOf(tried)).toContain(`would take the entries out of ${file}
`);
    const outcome = await opened.adj("uninstall", "claude-code");
    expect(textOf(outcome)).toBe(`claude-code: took the entries out of ${file}`);
    expect(readFileSync(file, "utf8")).toBe('{ "model": "x" }');
    const again = await opened.adj("uninstall", "claude-code");
    expect(textOf(again)).toBe(`claude-code: nothing of Adjutant in ${file}`);
  });

  test("with --all takes everything away, the plugin too", async () => {
    const opened = openHooksProgram();
    await opened.adj("install", ...INSTALLERS.map(({ agent }) => agent));
    const outcome = await opened.adj("uninstall", "--all");
    expect(outcome.result.metadata).toMatchObject({
      agents: INSTALLERS.map(({ agent }) => ({ agent, did: "removed" })),
    });
  });

  test("wants to know from whom", async () => {
    expect((await openHooksProgram().adj("uninstall")).error).toMatchObject({
      code: "ArgumentsInvalid",
    });
  });
});

test("every agent with a codec has an installer", () => {
  expect(INSTALLERS.map(({ agent }) => agent).toSorted()).toEqual([...HOOK_AGENT_NAMES].toSorted());
});
