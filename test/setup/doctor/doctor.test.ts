import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HooksProgram, openHooksProgram } from "../../hooks/commands/hooks-program.ts";
import { INSTALLERS } from "../../support/agents.ts";
import { textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";

/** Reads what the agent says and has no opinion. */
const SILENT = "cat >/dev/null; echo '{}'";

/** A Codex that says of our hooks what it is told to say. */
const codexWith = (trust: string) => {
  const hook = { command: "adj hook codex", enabled: true, trustStatus: trust };
  const answer = JSON.stringify({ id: 2, result: { data: [{ hooks: [hook] }] } });
  return `[ "$1" = app-server ] || { echo 2.1.325; exit; }; echo '${answer}'; cat >/dev/null`;
};

function programWith(program: string): HooksProgram {
  const opened = openHooksProgram(program);
  opened.writeProgram("adj", SILENT);
  if (program === "codex") opened.writeProgram(program, codexWith("trusted"));
  return opened;
}

const examine = async (opened: HooksProgram, ...agents: string[]) => {
  const outcome = await opened.adj("doctor", ...agents);
  return { exitCode: outcome.result.exitCode, text: textOf(outcome), outcome };
};

const editSettings = ({ env }: HooksProgram, path: string, edit: (config: never) => unknown) => {
  const file = join(env.HOME, path);
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, "utf8")) as never)));
};

describe("doctor", () => {
  test("is content where nothing is installed, and says so", async () => {
    const { exitCode, text } = await examine(openHooksProgram("claude"));
    expect(exitCode).toBe(0);
    expect(text).toContain("claude-code 2.1.325\n  note  no hooks of ours are installed");
    expect(text).toMatch(/^all is well\nadjutant\n/);
    const others = INSTALLERS.map(({ agent }) => agent).filter((name) => name !== "claude-code");
    expect(text.split("\n").at(-1)).toBe(
      `not here: ${others.join(", ")}; \`adj agent list\` says how to get them`,
    );
  });

  test("says first how many things need attention and which, then what is in order, and last what is not here", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code", "--user");
    writeFileSync(join(opened.env.HOME, ".claude/settings.json"), "{ broken");
    const lines = (await examine(opened)).text.split("\n");
    expect(lines[0]).toMatch(/^\d+ things? needs? attention$/);
    const firstCalm = lines.findIndex((line) => /^ {2}(?:ok|note) /.test(line));
    const lastTrouble = lines.findLastIndex((line) => line.includes("settings.json"));
    expect(lastTrouble).toBeGreaterThan(0);
    expect(firstCalm).toBeGreaterThan(lastTrouble);
    expect(lines.at(-1)).toMatch(/^not here: /);
  });

  test("is not content where nobody can read which guards are in force", async () => {
    const opened = programWith("codex");
    const marker = join(opened.env.HOME, ".local/share/adjutant/client/guards");
    mkdirSync(marker, { recursive: true });
    const { exitCode, text } = await examine(opened, "codex");
    expect(exitCode).not.toBe(0);
    expect(text).toContain(`\`${marker}\`, which says which guards are in force, cannot be read`);
  });

  test("is not content where others can read the secret of an entry over HTTP", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code", "--http");
    const file = join(opened.env.HOME, ".claude/settings.json");
    const told = `others can read ${file}, and \`--http\` wrote a secret into it`;
    expect((await examine(opened, "claude-code")).text).not.toContain(told);
    chmodSync(file, 0o644);
    const { text, exitCode } = await examine(opened, "claude-code");
    expect(text).toContain(told);
    expect(exitCode).not.toBe(0);
  });

  test("names the folder of a project for which opencode would wait without a network", async () => {
    const opened = programWith("opencode");
    await opened.adj("install", "opencode", "--user");
    expect((await examine(opened, "opencode")).text).not.toContain("without a network");
    writeFiles(opened.root, { ".opencode/commands/x.md": "x" });
    const { text, exitCode } = await examine(opened, "opencode");
    expect(text).toContain(`because of \`${join(opened.root, ".opencode")}\``);
    expect(exitCode).toBe(0);
    writeFiles(opened.root, { ".opencode/.npmrc": "fetch-retries=0\n" });
    expect((await examine(opened, "opencode")).text).not.toContain("without a network");
  });

  test.each(
    sampled([
      ["claude-code", "claude"],
      ["codex", "codex"],
      ["gemini", "gemini"],
      ["qwen", "qwen"],
      ["copilot", "copilot"],
      ["opencode", "opencode"],
    ]),
  )("makes a round trip through what is installed for %s", async (agent, program) => {
    const opened = programWith(program);
    opened.writeProgram(
      "adj",
      `cat >>${join(opened.folder, "calls")}; echo >>${join(opened.folder, "calls")}`,
    );
    for (const scope of ["--user", "--project"]) {
      await opened.adj("install", agent, scope);
      const { exitCode, text, outcome } = await examine(opened, agent);
      expect(text).toMatch(/ok {4}(user|project): .* in \//);
      expect(text).toMatch(/ok {4}\w+: a round trip through the installed command takes [\d.]+ ms/);
      expect(exitCode, text).toBe(0);
      expect(outcome.result.metadata).toMatchObject({
        agents: [{ agent, version: "2.1.325", p50Ms: expect.any(Number) }],
        needsAttention: 0,
      });
      await opened.adj("uninstall", agent, scope);
    }
    const calls = readFileSync(join(opened.folder, "calls"), "utf8").split("\n").filter(Boolean);
    // Those of the project's entry, which goes by PATH; the user's leads to the very program.
    expect(calls).toHaveLength(5);
    expect(JSON.parse(calls[0] ?? "")).toMatchObject({ cwd: opened.root });
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["exits with 3", "cat >/dev/null; echo no >&2; exit 3", "it exited with 3: no"],
    ["prints no answer", "cat >/dev/null; echo hello", "it printed what is no answer: hello"],
    ["prints two answers", "cat >/dev/null; echo '{}'; echo '{}'", "it printed what is no answer"],
  ]))("needs attention where the hook %s", async (_, script, problem) => {
    const opened = programWith("codex");
    await opened.adj("install", "codex", "--project");
    opened.writeProgram("adj", script);
    const { exitCode, text } = await examine(opened, "codex");
    expect(exitCode).toBe(1);
    expect(text).toContain(problem);
    expect(text).toMatch(/^1 thing needs attention\n {2}fix {3}codex: /);
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["gemini", "gemini", "`gemini` blocks every tool call"],
    ["copilot", "copilot", "`copilot` blocks every tool call"],
    ["claude-code", "claude", "`claude-code` runs everything unguarded"],
  ]))("finds entries of %s whose program is gone, and says how to repair them", async (agent, program, effect) => {
    const opened = programWith(program);
    await opened.adj("install", agent);
    rmSync(join(opened.env.HOME, ".local/share/adjutant"), { recursive: true });
    const { exitCode, text } = await examine(opened, agent);
    expect(exitCode).toBe(1);
    expect(text).toContain(effect);
    expect(text).toContain(`\`adj uninstall ${agent}\` takes them away`);
    await opened.adj("install", agent);
    expect((await examine(opened, agent)).exitCode).toBe(0);
  });

  test("reports the machine's entries, and that a project's switch does not reach them", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code", "--managed");
    writeFiles(opened.root, { ".claude/settings.json": '{"disableAllHooks":true}' });
    const { exitCode, text } = await examine(opened, "claude-code");
    expect(text).toMatch(
      /ok {4}managed: \d+ entries in .*\/etc\/claude-code\/managed-settings.json/,
    );
    expect(text).toMatch(/note {2}`disableAllHooks` is true in .*, which does not reach the hooks/);
    expect(exitCode, text).toBe(0);
  });

  test("finds entries that are missing, doubled or in both places", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code");
    await opened.adj("install", "claude-code", "--project");
    editSettings(
      opened,
      ".claude/settings.json",
      ({ hooks }: { hooks: Record<string, unknown[]> }) => {
        const { Stop, PreToolUse = [], ...rest } = hooks;
        return { hooks: { ...rest, PreToolUse: [...PreToolUse, ...PreToolUse] } };
      },
    );
    const { exitCode, text } = await examine(opened, "claude-code");
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /fix {3}claude-code: user: Stop lacks its entry in .*; `adj install claude-code`/,
    );
    expect(text).toContain("PreToolUse is there twice");
    expect(text).toContain("every step is asked twice");
  });

  test("finds a file that is broken, and hooks that are switched off", async () => {
    const opened = programWith("claude");
    writeFiles(opened.env.HOME, { ".claude/settings.json": "{ nope" });
    const broken = await examine(opened, "claude-code");
    expect(broken.exitCode).toBe(1);
    expect(broken.text).toMatch(/settings\.json:1:3: it is not JSON/);
    writeFiles(opened.env.HOME, { ".claude/settings.json": '{"disableAllHooks":true}' });
    await opened.adj("install", "claude-code");
    expect((await examine(opened, "claude-code")).text).toContain("`disableAllHooks` is true");
  });

  test("finds guards that the agent would pass over when the hook fails", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code");
    writeFiles(opened.configDir, {
      "hooks.yaml": "hooks:\n  - { name: g, on: before_tool, run: { argv: [/bin/true] } }\n",
    });
    const { exitCode, text } = await examine(opened, "claude-code");
    expect(exitCode).toBe(1);
    expect(text).toContain("a hook that fails lets the tool run; `adj install claude-code` again");
    await opened.adj("install", "claude-code");
    expect((await examine(opened, "claude-code")).exitCode).toBe(0);
  });

  test("finds rules whose step is not installed", async () => {
    const opened = programWith("claude");
    writeFiles(opened.configDir, {
      "hooks.yaml": "hooks:\n  - { name: gate, on: before_turn_end, run: { argv: [/bin/true] } }\n",
    });
    await opened.adj("install", "claude-code", "--shims-only");
    const { exitCode, text } = await examine(opened, "claude-code");
    expect(exitCode).toBe(1);
    expect(text).toContain("session start alone");
    expect(text).toContain("rule `gate` is never asked at `before_turn_end`: it is not installed");
  });

  test("finds that what an MCP entry starts is not there any more", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code", "--mcp");
    const { text } = await examine(opened, "claude-code");
    expect(text).toMatch(/ok {4}user: the MCP server is in .*\.claude\.json/);
    const gone = join(opened.folder, "gone", "adj");
    editSettings(opened, ".claude.json", ({ mcpServers }: Record<string, object>) => ({
      mcpServers: { adjutant: { ...Object(mcpServers).adjutant, command: gone } },
    }));
    const found = await examine(opened, "claude-code");
    expect(found.text).toContain(`is \`${gone}\`, which is not there`);
    expect(found.text).toContain("`adj install claude-code --mcp` mends it");
    expect(found.exitCode).not.toBe(0);
    await opened.adj("install", "claude-code", "--mcp");
    expect((await examine(opened, "claude-code")).text).not.toContain("which is not there");
  });

  test("says that copilot starts no server of a folder that it does not trust", async () => {
    const opened = programWith("copilot");
    await opened.adj("install", "copilot", "--mcp", "--project");
    expect((await examine(opened, "copilot")).text).toMatch(
      /warn {2}copilot: project: the folder is not trusted in .*config\.json, so `copilot -p` starts no server/,
    );
    const trustedFolders = [opened.folder];
    writeFiles(opened.env.HOME, { ".copilot/config.json": JSON.stringify({ trustedFolders }) });
    const { text } = await examine(opened, "copilot");
    expect(text).not.toContain("is not trusted");
    expect(text).toMatch(/ok {4}project: the MCP server is in .*\.mcp\.json/);
  });

  test("finds a hooks file that does not parse", async () => {
    const opened = openHooksProgram();
    writeFiles(opened.configDir, { "hooks.yaml": "hooks: [{ name: x }]\n" });
    const { exitCode, text } = await examine(opened);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/fix {3}.*hooks\.yaml:1:\d+/);
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["claude-code", ".claude/settings.json", "PreToolUse", "warn  claude-code: beside ours: `./other` at PreToolUse: if it rewrites too, whoever ends last wins, and our rules do not see what it made"],
    ["codex", ".codex/hooks.json", "PreToolUse", "whoever ends last wins"],
    ["qwen", ".qwen/settings.json", "PreToolUse", "note  beside ours: `./other` at PreToolUse: an allow of theirs cannot undo a block of ours"],
    ["gemini", ".gemini/settings.json", "BeforeTool", "warn  gemini: beside ours: `./other` at BeforeTool: a block of either holds; the later rewrite wins, and our rules do not see it"],
  ]))("tells of others' hooks beside ours on %s without failing", async (agent, file, event, told) => {
    const opened = programWith(agent);
    const hooks = { [event]: [{ hooks: [{ type: "command", command: "./other" }] }] };
    writeFiles(opened.env.HOME, { [file]: JSON.stringify({ hooks }) });
    await opened.adj("install", agent);
    const { exitCode, text } = await examine(opened, agent);
    expect(text).toContain(told);
    expect(exitCode, text).toBe(0);
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["copilot", ".copilot/hooks/other.json", '{"version":1,"hooks":{"preToolUse":[{"bash":"x"}]}}'],
    ["copilot", ".copilot/settings.json", '{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"}]}]}}'],
    ["opencode", ".config/opencode/plugins/other.ts", "export const Other = async () => ({});"],
  ]))("tells of files of others that %s reads beside ours: %s", async (agent, file, content) => {
    const opened = programWith(agent);
    await opened.adj("install", agent);
    expect((await examine(opened, agent)).text).not.toContain("beside ours");
    writeFiles(opened.env.HOME, { [file]: content });
    const { exitCode, text } = await examine(opened, agent);
    expect(text).toContain(`warn  ${agent}: beside ours: \`${join(opened.env.HOME, file)}\`: a block of either`);
    expect(exitCode, text).toBe(0);
    writeFiles(opened.env.HOME, { [file]: agent === "copilot" ? "{}" : content });
    const told = (await examine(opened, agent)).text.includes("beside ours");
    expect(told).toBe(agent !== "copilot");
  });

  test("tells that Copilot also runs what a project has for Claude Code", async () => {
    const opened = programWith("copilot");
    await opened.adj("install", "claude-code", "--project");
    expect((await examine(opened, "copilot")).text).toContain("and is answered as Copilot");
    await opened.adj("install", "copilot");
    expect((await examine(opened, "copilot")).text).toContain("those keep silent then");
  });

  test("asks Codex whether it has trusted our hooks, and is not content with a no or with silence", async () => {
    const opened = programWith("codex");
    await opened.adj("install", "codex");
    for (const [program, told] of [
      [codexWith("trusted"), /ok {4}it trusts our 1 hooks/],
      [codexWith("untrusted"), /fix {3}codex: it skips 1 of our 1 hooks silently \(untrusted\)/],
      ["echo 2.1.325", /fix {3}codex: it did not say whether it trusts our hooks/],
    ] as const) {
      opened.writeProgram("codex", program);
      const { exitCode, text } = await examine(opened, "codex");
      expect(text).toMatch(told);
      expect(exitCode, text).toBe(told.source.startsWith("ok") ? 0 : 1);
    }
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["claude-code", "claude", ".claude/settings.json", '{"disableAllHooks":true}'],
    ["claude-code", "claude", ".claude/settings.local.json", '{"disableAllHooks":true}'],
    ["qwen", "qwen", ".qwen/settings.json", '{ // why\n "disableAllHooks":true}'],
    ["gemini", "gemini", ".gemini/settings.json", '{"hooksConfig":{"enabled":false}}'],
    ["gemini", "gemini", ".gemini/settings.json", '{"hooksConfig":{"disabled":["adjutant"]}}'],
    ["codex", "codex", ".codex/config.toml", "[features]\nhooks = false\n"],
    ["codex", "codex", ".codex/config.toml", "features = { hooks = false }\n"],
    ["codex", "codex", ".codex/config.toml", "[features]\ncodex_hooks = false\n"],
    ["gemini", "gemini", ".gemini/settings.json", '{"hooks":null}'],
    ["gemini", "gemini", ".gemini/settings.json", '{"hooksConfig":{"enabled":"false"}}'],
    ["qwen", "qwen", ".qwen/settings.json", '{"disableAllHooks":"true"}'],
    ["qwen", "qwen", ".env", "QWEN_CODE_SIMPLE=1\n"],
    ["copilot", "copilot", ".claude/settings.json", '{"disableAllHooks":true}'],
    ["copilot", "copilot", ".github/hooks/off.json", '{"version":1,"disableAllHooks":true}'],
  ]))("says that a project switches the hooks of %s (%s) off in %s: %s", async (agent, program, file, text) => {
    const opened = programWith(program);
    await opened.adj("install", agent);
    expect((await examine(opened, agent)).exitCode).toBe(0);
    writeFiles(opened.root, { [file]: text });
    const seen = await examine(opened, agent);
    expect(seen.text).toContain(`in ${join(opened.root, file)}; this project switches hooks off`);
    expect(seen.exitCode).toBe(1);
  });

  test.each([
    ["claude-code", "claude", ".claude/settings.json", '{"env":{"ADJ_CONFIG_DIR":"/none"}}'],
    ["qwen", "qwen", ".qwen/settings.json", '{"env":{"NODE_OPTIONS":"-r ./x.cjs"}}'],
    ["qwen", "qwen", ".env", "A=1\nexport HOME=/none\n"],
    ["qwen", "qwen", "../.env", "A=1\nexport HOME=/none\n"],
    ["gemini", "gemini", "../.gemini/.env", "ADJ_CONFIG_DIR=/none\n"],
  ])(
    "says that a project has the hooks of %s (%s) look elsewhere by %s: %s",
    async (agent, program, file, text) => {
      const opened = programWith(program);
      await opened.adj("install", agent);
      writeFiles(opened.root, {
        [file]: text.replace(/[A-Z]\w*_?(DIR|OPTIONS|HOME)|HOME/, "OTHER"),
      });
      expect((await examine(opened, agent)).exitCode).toBe(0);
      writeFiles(opened.root, { [file]: text });
      const seen = await examine(opened, agent);
      expect(seen.text).toMatch(
        /sets `(ADJ_CONFIG_DIR|NODE_OPTIONS|HOME)` in .*; by that our hooks/,
      );
      expect(seen.exitCode).toBe(1);
    },
  );

  test("does not wait for a pipe where a project's settings should be", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code");
    mkdirSync(join(opened.root, ".claude"), { recursive: true });
    execFileSync("mkfifo", [join(opened.root, ".claude", "settings.json")]);
    expect((await examine(opened)).text).toContain("claude-code");
  });

  test("is not content with a client of another text, which may ask no guard", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code");
    expect((await examine(opened)).text).not.toContain("may ask no guard");
    const settings = readFileSync(join(opened.env.HOME, ".claude", "settings.json"), "utf8");
    const [client = ""] = /\/[^" ]*\/client\/adj-hook/.exec(settings) ?? [];
    writeFileSync(client, "#!/bin/bash\n");
    const { exitCode, text } = await examine(opened);
    expect(text).toContain("it may ask no guard; `adj install claude-code --user` writes it anew");
    expect(exitCode).toBe(1);
    await opened.adj("install", "claude-code", "--user");
    expect((await examine(opened)).text).not.toContain("may ask no guard");
  });

  test("is not content with a project whose guards do not count", async () => {
    const opened = programWith("claude");
    await opened.adj("install", "claude-code");
    writeFiles(opened.root, { ".adjutant/hooks.yaml": "hooks: []\n" });
    const { exitCode, text } = await examine(opened);
    expect(text).toMatch(/fix {3}this project is not trusted, so its hooks do not count/);
    expect(exitCode).toBe(1);
  });

  test.each(
    sampled([
      ["gemini", "gemini", ".gemini/settings.json"],
      ["opencode", "opencode", ".config/opencode/plugins/adjutant.js"],
    ]),
  )(
    "names the line that moves %s off the client of an earlier version",
    async (agent, program, path) => {
      const opened = programWith(program);
      const file = join(opened.env.HOME, path);
      await opened.adj("install", agent);
      expect((await examine(opened, agent)).text).not.toContain("earlier version");
      const old = join(opened.folder, "state", "client", "adj-hook");
      writeFiles(opened.folder, { "state/client/adj-hook": `#!/bin/sh\n${SILENT}\n` });
      chmodSync(old, 0o700);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replaceAll(/\/[^" ]*\/client\/adj-hook/g, old));
      const seen = await examine(opened, agent);
      expect(seen.text).toContain(`\`adj install ${agent} --user\` moves them`);
      expect(seen.exitCode).toBe(1);
      await opened.adj("install", agent, "--user");
      expect((await examine(opened, agent)).text).not.toContain("earlier version");
      expect(readFileSync(file, "utf8")).not.toContain(old);
    },
  );

  test("knows no agent that it cannot install for", async () => {
    expect((await openHooksProgram().adj("doctor", "acp")).error).toMatchObject({
      code: "AgentUnknown",
    });
  });
});

test("a hold that is longer than the entries say is named, until they are written again", async () => {
  const opened = openHooksProgram("claude", "qwen");
  await opened.adj("install", "claude-code", "qwen");
  writeFiles(opened.configDir, { "config.yaml": "inbox: { hold: 5m }\n" });
  const waits = "user: `inbox.hold` is 300 s, and a question waits 50 s at most";
  expect((await examine(opened, "claude-code")).text).toContain(
    `${waits}: run \`adj install claude-code\` again`,
  );
  await opened.adj("install", "claude-code", "qwen");
  expect((await examine(opened, "claude-code")).text).not.toContain("inbox.hold");
  expect((await examine(opened, "qwen")).text).toContain(
    `${waits}: that is what the agent gives these hooks`,
  );
  writeFiles(opened.configDir, { "config.yaml": "inbox: { hold: 1h }\n" });
  await opened.adj("install", "claude-code");
  expect((await examine(opened, "claude-code")).text).toContain(
    "`inbox.hold` is 3600 s, and a question waits 890 s at most: that is what the agent gives",
  );
});
