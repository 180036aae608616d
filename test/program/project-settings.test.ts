import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bashCall, makeHookedHome } from "../hooks/resident/hooked-home.ts";
import { longTest } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

const GUARD = "hooks: [{ name: no, on: before_tool, run: { builtin: deny } }]\n";

/** An agent that tells with which words and variables it was started. */
function withAgent(home: Home, program: string): NodeJS.ProcessEnv {
  home.write({
    [`bin/${program}`]: `#!/bin/sh\n[ "$1" = --version ] && { echo 9.9.9; exit; }\necho "$@" >${home.folder}/started\nenv >>${home.folder}/started\n`,
  });
  chmodSync(join(home.folder, "bin", program), 0o755);
  return {
    ...home.env,
    PATH: `${home.folder}/bin:${home.env.PATH}`,
    ANTHROPIC_API_KEY: "x",
    CODEX_API_KEY: "x",
    GEMINI_API_KEY: "x",
    OPENAI_API_KEY: "x",
  };
}

describe("agent run where the project's own files have a word", () => {
  test("does not start where the project switches hooks off while guards are in force, unless told", async () => {
    const home = makeHome();
    const env = withAgent(home, "claude");
    home.write({
      "config/hooks.yaml": GUARD,
      "project/.claude/settings.json": '{"disableAllHooks":true}',
    });
    const words = ["agent", "run", "claude-code", "--prompt", "hi"];
    const refused = await home.adjIn({ env }, ...words);
    expect(refused.stderr).toMatch(
      /is not started: `disableAllHooks` is true in `.*settings.json`.*--allow-hooks-off/,
    );
    expect(refused.exitCode).toBe(126);
    expect(existsSync(join(home.folder, "started"))).toBe(false);
    await home.adjIn({ env }, ...words, "--allow-hooks-off");
    expect(existsSync(join(home.folder, "started"))).toBe(true);
  });

  test("looks at the folder that the agent is started in, below the root", async () => {
    const home = makeHome();
    const env = withAgent(home, "claude");
    home.write({
      "config/hooks.yaml": GUARD,
      "project/.git/HEAD": "ref: refs/heads/main\n",
      "project/sub/.claude/settings.json": '{"disableAllHooks":true}',
    });
    const there = { env, cwd: join(home.folder, "project", "sub") };
    const words = ["agent", "run", "claude-code", "--prompt", "hi"];
    const refused = await home.adjIn(there, ...words);
    expect(refused.stderr).toContain("is not started: `disableAllHooks` is true in");
    expect(existsSync(join(home.folder, "started"))).toBe(false);
    const told = await home.adjIn(there, ...words, "--allow-hooks-off");
    expect(told.stderr).toContain("does not take `sub/.claude/settings.json`");
    expect(readFileSync(join(home.folder, "started"), "utf8")).toContain("--setting-sources user");
  });

  test("does not start where the project has the guards look at other files, unless told", async () => {
    const home = makeHome();
    const env = withAgent(home, "claude");
    const settings = '{"env":{"A":"1","ADJ_CONFIG_DIR":"/none"}}';
    home.write({ "config/hooks.yaml": GUARD, "project/.claude/settings.json": settings });
    const words = ["agent", "run", "claude-code", "--prompt", "hi"];
    const refused = await home.adjIn({ env }, ...words);
    expect(refused.stderr).toMatch(
      /is not started: `env` sets `ADJ_CONFIG_DIR` in `.*settings.json`, so your guards would look at other files/,
    );
    expect(existsSync(join(home.folder, "started"))).toBe(false);
    await home.adjIn({ env }, ...words, "--allow-hooks-off");
    expect(existsSync(join(home.folder, "started"))).toBe(true);
  });

  test("starts an agent without an untrusted project's settings, or not at all", async () => {
    const home = makeHome();
    const env = { ...withAgent(home, "claude"), ...withAgent(home, "gemini") };
    home.write({ "project/.mcp.json": "{}", "project/.gemini/settings.json": "{}" });
    const run = (agent: string, ...flags: string[]) =>
      home.adjIn({ env }, "agent", "run", agent, "--prompt", "hi", ...flags);
    expect((await run("claude-code")).stderr).toContain(
      "does not take `.mcp.json`; `--project-settings` lets them count",
    );
    expect(readFileSync(join(home.folder, "started"), "utf8")).toContain(
      "--setting-sources user --strict-mcp-config",
    );
    const gemini = await run("gemini");
    expect(gemini.stderr).toContain(
      "`gemini` is not started: the project is not trusted and has `.gemini/settings.json`",
    );
    expect(gemini.exitCode).toBe(126);
    await run("claude-code", "--project-settings");
    expect(readFileSync(join(home.folder, "started"), "utf8")).not.toContain("--setting-sources");
  });
});

describe("Markdown commands and trials where the project's own files have a word", () => {
  const OFF = { "project/.claude/settings.json": '{"disableAllHooks":true}' };

  longTest("a Markdown command is refused like `agent run`, and started when told", async () => {
    const home = makeHome();
    const env = withAgent(home, "claude");
    home.write({
      "config/hooks.yaml": GUARD,
      "config/commands/hi.claude.md": "---\ndescription: d\n---\nSay hi.\n",
      ...OFF,
    });
    const refused = await home.adjIn({ env }, "hi");
    expect(refused.stderr).toMatch(/`disableAllHooks` is true in .*--allow-hooks-off/);
    expect(refused.exitCode).toBe(126);
    const started = join(home.folder, "started");
    expect(existsSync(started)).toBe(false);
    const told = await home.adjIn({ env }, "hi", "--allow-hooks-off");
    expect(told.stderr).toContain("does not take `.claude/settings.json`; `--project-settings`");
    expect(readFileSync(started, "utf8")).toContain("--setting-sources user");
    await home.adjIn({ env }, "hi", "--allow-hooks-off", "--project-settings");
    expect(readFileSync(started, "utf8")).not.toContain("--setting-sources");
  });

  test("a trial is refused in a workspace that switches hooks off, and starts without its settings when told", async () => {
    const home = makeHome();
    const env = withAgent(home, "claude");
    home.write({
      "config/hooks.yaml": GUARD,
      "project/work/.claude/settings.json": '{"disableAllHooks":true}',
      "project/work/a.txt": "a\n",
      "project/suite.yaml": SUITE,
    });
    const words = ["bench", "suite.yaml"];
    const refused = await home.adjIn({ env }, ...words);
    expect(`${refused.stdout}${refused.stderr}`).toContain("so it would call none of your guards");
    const started = join(home.folder, "started");
    expect(existsSync(started)).toBe(false);
    await home.adjIn({ env }, ...words, "--allow-hooks-off");
    expect(readFileSync(started, "utf8")).toContain("--setting-sources user");
  });

  test("`trust` says that the project switches an agent's hooks off", async () => {
    const home = makeHome();
    home.write({ "project/.adjutant/hooks.yaml": GUARD, ...OFF });
    const { stdout, stderr } = await home.adj("trust");
    expect(`${stdout}${stderr}`).toMatch(
      /careful: `disableAllHooks` is true in .*settings.json, so `claude-code` calls no hooks here at all/,
    );
  });
});

const SUITE = `
name: s
sandbox: none
agents: [{ id: c, agent: claude-code }]
cases: [{ id: one, prompt: hi, workspace: { template: ./work }, evaluators: [{ run: "true" }] }]
limits: { infra_retries: 0 }
`;

describe("the start of a session in a project whose hooks do not count", () => {
  const start = (cwd: string) => ({
    session_id: "s",
    cwd,
    hook_event_name: "SessionStart",
    source: "startup",
  });

  test("is told to the person, in the agent's own form", async () => {
    const home = makeHookedHome({ "project/.adjutant/hooks.yaml": GUARD });
    const told = /Adjutant: this project is not trusted, so its hooks do not count/;
    for (const agent of ["claude-code", "codex", "qwen"])
      expect((await home.hook(agent, start(home.project))).json.systemMessage).toMatch(told);
    const copilot = await home.hook("copilot", {
      sessionId: "s",
      cwd: home.project,
      timestamp: 1,
      source: "new",
    });
    expect(copilot.stdout).toContain("Tell the person first of all, from Adjutant: this project");
    expect((await home.hook("claude-code", bashCall(home, "ls"))).json).toEqual({});
  });
});
