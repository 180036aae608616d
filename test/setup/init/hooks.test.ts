import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asList } from "../../../src/agents/log/json-fields.ts";
import { asRecord } from "../../../src/core/project/json-value.ts";
import { inspectTrust } from "../../../src/core/project/trust/inspect.ts";
import { listRules } from "../../../src/setup/init/hook-rules.ts";
import { openHooksProgram } from "../../hooks/commands/hooks-program.ts";
import { HOOK_AGENT_NAMES } from "../../support/agents.ts";
import { person, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";

/** A guard as people have it for Claude Code: it reads the call, and 2 is a no. */
const GUARD = '#!/bin/sh\ngrep -q forbidden && { echo "not this one" >&2; exit 2; }\nexit 0\n';

type Hooks = Readonly<Record<string, readonly object[]>>;

function openProject(hooks: Hooks, files: Readonly<Record<string, string>> = {}) {
  const opened = openHooksProgram("claude", "codex");
  const settings = JSON.stringify({ hooks });
  writeFiles(opened.root, {
    ".claude/hooks/guard.sh": GUARD,
    ".claude/settings.json": settings,
    ...files,
  });
  chmodSync(join(opened.root, ".claude/hooks/guard.sh"), 0o755);
  const rules = join(opened.root, ".adjutant/hooks.yaml");
  return {
    ...opened,
    settings,
    init: () => opened.run(["init"], { env: opened.env, ...person(true, () => undefined) }),
    taken: () => listRules(rules).filter(({ protocol }) => protocol === "claude-code"),
    rules: () => readFileSync(rules, "utf8"),
    read: (path: string) => readFileSync(join(opened.root, path), "utf8"),
  };
}

const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });
const group = (handler: object, matcher?: string) => ({ matcher, hooks: [handler] });
const PROJECT_GUARD = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
/** Copilot runs what stands in those settings by itself. */
const OTHERS = HOOK_AGENT_NAMES.filter((name) => name !== "claude-code" && name !== "copilot");

describe("hooks of a settings file", () => {
  test("become rules that hold on the other agents, trusted with their scripts by the one yes", async () => {
    const opened = openProject({ PreToolUse: [group(command(PROJECT_GUARD), "Bash")] });
    const outcome = await opened.init();
    expect(textOf(outcome)).toContain(
      `hook     \`${PROJECT_GUARD}\` of .claude/settings.json as \`claude-code-guard\` for the other agents: .adjutant/hooks.yaml\n`,
    );
    expect(opened.taken()).toMatchObject([
      {
        name: "claude-code-guard",
        on: "before_tool",
        match: { kind: ["shell"] },
        run: { argv: ["../.claude/hooks/guard.sh"] },
        on_error: "skip",
        timeout: "60s",
      },
    ]);
    expect(asList(asRecord(opened.taken()[0]?.match).agent).toSorted()).toEqual(OTHERS.toSorted());
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("trusted");
    expect(opened.read(".claude/settings.json")).toBe(opened.settings);

    const tryOn = (agent: string, line: string) =>
      opened.adj("hooks", "test", "before_tool", "--agent", agent, "--command", line);
    for (const agent of OTHERS)
      expect(textOf(await tryOn(agent, "echo forbidden")), agent).toContain(
        "veto by `claude-code-guard`: not this one",
      );
    expect(textOf(await tryOn("codex", "echo fine"))).toContain("decision: pass");
    // These two run the script by themselves.
    for (const agent of ["claude-code", "copilot"])
      expect(textOf(await tryOn(agent, "echo forbidden")), agent).toContain("decision: pass");

    const again = await opened.init();
    expect(textOf(again)).toContain("nothing to do: all is set up");
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables of a shell
  // biome-ignore format: a table, one case a line
  test.each<[string, object, object]>([
    ["an exec form", group({ type: "command", command: "node", args: ["${CLAUDE_PROJECT_DIR}/.claude/hooks/x.mjs"] }, "*"), { match: {}, run: { argv: ["node", "../.claude/hooks/x.mjs"] } }],
    ["a line that needs a shell", group(command("npm run guard | cat")), { run: { shell: "bash", command: "npm run guard | cat" }, unpinned: true }],
    ["a path from the root", group(command("./scripts/guard.sh --all")), { run: { argv: ["../scripts/guard.sh", "--all"] } }],
    ["a list of tools", group(command("true"), "Edit|Write, MultiEdit"), { match: { kind: ["edit", "write"] } }],
    ["a pattern", group(command("true"), "Edit|^Notebook"), { match: { kind: ["read", "edit"] } }],
    ["all tools by a pattern", group(command("true"), ".*"), { match: {} }],
    ["a failure that blocks", group(command("true", { onFailure: "block", timeout: 7 })), { on_error: "block", timeout: "7s" }],
    ["one that only looks on", group(command("true", { async: true })), { async: true, on_error: "skip" }],
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables of a shell
  ])("%s is carried over", async (_, entry, rule) => {
    const opened = openProject({ PreToolUse: [entry] });
    const outcome = await opened.init();
    expect(outcome.kind, textOf(outcome)).toBe("ok");
    expect(opened.taken()).toMatchObject([rule]);
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("trusted");
  });

  // biome-ignore format: a table, one case a line
  test.each<[string, Hooks, string]>([
    ["an `if`", { PreToolUse: [group(command("true", { if: "Bash(git *)" }))] }, "its `if` has no counterpart"],
    ["a server's tool", { PreToolUse: [group(command("true"), "mcp__memory__.*")] }, "its matcher `mcp__memory__.*` has no counterpart"],
    ["a prompt", { Stop: [group({ type: "prompt", prompt: "ok?" })] }, "only what runs a program can be taken over"],
    ["an event of its own", { Setup: [group(command("true"))] }, "no step of ours is like it"],
    ["the source of a session", { SessionStart: [group(command("true"), "startup")] }, "its matcher `startup` has no counterpart"],
  ])("%s cannot be said by a rule, and is told", async (_, hooks, problem) => {
    const opened = openProject(hooks);
    expect(textOf(await opened.init())).toContain(`in .claude/settings.json: ${problem}\n`);
    expect(opened.taken()).toEqual([]);
  });

  test("go behind the rules that are there, comments and all; two of a name are told apart", async () => {
    const own =
      "# mine\nhooks: # these\n  - { name: claude-code-guard, on: before_tool, run: { builtin: git } }\n";
    const opened = openProject(
      {
        PreToolUse: [group(command(PROJECT_GUARD), "Bash")],
        PostToolUse: [group(command(PROJECT_GUARD))],
      },
      { ".adjutant/hooks.yaml": own },
    );
    await opened.init();
    expect(opened.rules().startsWith(own)).toBe(true);
    expect(opened.taken().map(({ name, on }) => [name, on])).toEqual([
      ["claude-code-guard-2", "before_tool"],
      ["claude-code-guard-3", "after_tool"],
    ]);
    const flow = openProject(
      { PreToolUse: [group(command(PROJECT_GUARD))] },
      { ".adjutant/hooks.yaml": "hooks: [{ name: a, on: before_tool, run: { builtin: git } }]\n" },
    );
    await flow.init();
    expect(flow.taken()).toHaveLength(1);
    expect(listRules(join(flow.root, ".adjutant/hooks.yaml"))).toHaveLength(2);
  });

  test("of `settings.local.json` are taken over as well, once where both files have them", async () => {
    const both = { PreToolUse: [group(command(PROJECT_GUARD), "Bash")] };
    const local = JSON.stringify({
      hooks: { ...both, PostToolUse: [group(command("./scripts/mine.sh"))] },
    });
    const opened = openProject(both, { ".claude/settings.local.json": local });
    const text = textOf(await opened.init());
    expect(text).toContain(
      "hook     `./scripts/mine.sh` of .claude/settings.local.json as `claude-code-mine` for the other agents: .adjutant/hooks.yaml\n",
    );
    expect(opened.taken().map(({ name, on }) => [name, on])).toEqual([
      ["claude-code-guard", "before_tool"],
      ["claude-code-mine", "after_tool"],
    ]);
    // Copilot runs what stands in either file by itself.
    for (const rule of opened.taken())
      expect(asList(asRecord(rule.match).agent).toSorted()).toEqual(OTHERS.toSorted());
    expect(textOf(await opened.init())).toContain("nothing to do: all is set up");
    await opened.adj("uninstall", "--all");
    expect(opened.read(".claude/settings.local.json")).toBe(local);
    expect(opened.read(".claude/settings.json")).toBe(opened.settings);
    expect(existsSync(join(opened.root, ".adjutant"))).toBe(false);
  });

  // Claude Code passes over the whole of such a file, so a rule of it would be one that nobody has.
  test("of a `settings.local.json` that the agent cannot read are not taken, and that is told", async () => {
    const local = '{ "hooks": { "Stop": [{ "hooks": [{ "command": "true" }] }] }, // mine\n}';
    const opened = openProject({}, { ".claude/settings.local.json": local });
    expect(textOf(await opened.init())).toContain(
      "hooks    .claude/settings.local.json cannot be read: ",
    );
    expect(opened.taken()).toEqual([]);
  });

  test("of agents whose scripts no rule runs are named, wherever the agent reads them", async () => {
    const opened = openProject(
      {},
      {
        ".codex/config.toml":
          '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "./c.sh"\n',
        ".github/copilot/settings.local.json":
          '// mine\n{ "hooks": { "preToolUse": [{ "type": "command", "bash": "./p.sh" }] } }',
        ".github/hooks/team.json":
          '{ "version": 1, "hooks": { "sessionStart": [{ "type": "command", "bash": "./t.sh" }] } }',
        ".github/hooks/readme.md": "no settings",
        ".github/hooks/odd.json": "nothing of the kind",
      },
    );
    const text = textOf(await opened.init());
    expect(text.split("\n").filter((line) => /^ {2}hooks? .* (in|cannot) /.test(line))).toEqual([
      "  hook     `./c.sh` at PreToolUse in .codex/config.toml",
      "  hooks    .github/hooks/odd.json cannot be read: it is no settings file",
      "  hook     `./t.sh` at sessionStart in .github/hooks/team.json",
      "  hook     `./p.sh` at preToolUse in .github/copilot/settings.local.json",
    ]);
    expect(opened.taken()).toEqual([]);
  });

  test("of a person's own file go into the person's own hooks, for every agent but that one", async () => {
    const opened = openProject({});
    const hooks = { Stop: [group(command("~/.claude/hooks/done.sh"))] };
    writeFiles(opened.env.HOME, { ".claude/settings.json": JSON.stringify({ hooks }) });
    await opened.init();
    const [rule] = listRules(join(opened.configDir, "hooks.yaml"));
    expect(rule).toMatchObject({
      name: "claude-code-done",
      on: "before_turn_end",
      run: { shell: "bash", command: "~/.claude/hooks/done.sh" },
      match: { agent: expect.arrayContaining(["codex", "copilot"]) },
    });
    expect(rule?.unpinned).toBeUndefined();
    expect(textOf(await opened.init())).toContain("nothing to do: all is set up");
  });
});

// As they lie in homes: with comments where the agent allows them, by hand, by other programs, from another system.
const SETTINGS: Readonly<Record<string, readonly [string, string]>> = {
  "comments and tabs": [
    ".gemini/settings.json",
    '// mine\n{\n\t"ui": { "theme": "x" }, /* here */\n\t"hooks": {\n\t\t// none yet\n\t}\n}\n',
  ],
  "one line without an end": [".claude/settings.json", '{"model":"opus","hooks":{}}'],
  "CRLF and four blanks": [
    ".claude/settings.json",
    '{\r\n    "permissions": {\r\n        "allow": [ ]\r\n    }\r\n}\r\n',
  ],
  "hooks of others": [
    ".claude/settings.json",
    '{ "hooks":\n  {"PreToolUse": [ {"matcher":"Bash",\n "hooks":[{"type":"command","command":"true"}]}]}\n}\n\n',
  ],
  "a comment at the end": [".qwen/settings.json", '{\n  "tools": {}\n}\n// the end'],
  "nothing but blanks": [".claude/settings.json", "  \n"],
};

describe("after `adj init` and `adj uninstall --all`", () => {
  test.each(Object.entries(SETTINGS))("a file with %s is as it was", async (_, [path, text]) => {
    const opened = openHooksProgram("claude", "gemini", "qwen");
    writeFiles(opened.env.HOME, { [path]: text });
    const file = join(opened.env.HOME, path);
    const outcome = await opened.run(["init"], { env: opened.env, yes: true });
    expect(outcome.kind, textOf(outcome)).toBe("ok");
    expect(readFileSync(file, "utf8")).not.toBe(text);
    await opened.adj("uninstall", "--all");
    expect(readFileSync(file, "utf8")).toBe(text);
    for (const other of [".claude", ".gemini", ".qwen"])
      if (!path.startsWith(other))
        expect(existsSync(join(opened.env.HOME, other, "settings.json"))).toBe(false);
  });
});

test("a settings file that its agent cannot read is named, and the other agents are set up", async () => {
  const opened = openHooksProgram("claude", "gemini");
  writeFiles(opened.env.HOME, { ".gemini/settings.json": "{ broken" });
  const outcome = await opened.run(["init"], { env: opened.env, yes: true });
  expect(outcome.kind, textOf(outcome)).toBe("ok");
  expect(textOf(outcome)).toContain("hooks    ~/.gemini/settings.json cannot be read: ");
  expect(readFileSync(join(opened.env.HOME, ".gemini/settings.json"), "utf8")).toBe("{ broken");
  expect(existsSync(join(opened.env.HOME, ".claude/settings.json"))).toBe(true);
});
