import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asList } from "../../../src/agents/log/json-fields.ts";
import type { Interactor, Outcome } from "../../../src/core/command/request.ts";
import { asRecord } from "../../../src/core/project/json-value.ts";
import { revokeApproval } from "../../../src/core/project/trust/approval.ts";
import { inspectTrust } from "../../../src/core/project/trust/inspect.ts";
import { STARTER } from "../../../src/hooks/commands/init-hooks.ts";
import { openHooksProgram } from "../../hooks/commands/hooks-program.ts";
import { person, textOf } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";

const PROJECT = {
  "package.json": JSON.stringify({ scripts: { test: "vitest run", bench: "x", help: "y" } }),
  Makefile: ".PHONY: test deploy\ntest:\n\ttrue\ndeploy: ## to production\n\ttrue\n",
  ".claude/commands/review.md": "Look at the change\n",
  ".claude/commands/deploy.md": "Deploy it\n",
};

function openProject(files: Readonly<Record<string, string>> = PROJECT) {
  const opened = openHooksProgram("claude", "codex");
  writeFiles(opened.root, files);
  const questions: string[] = [];
  const answering = (answer: boolean) => person(answer, (question) => questions.push(question));
  return {
    ...opened,
    questions,
    init: (answer: boolean, ...words: string[]) =>
      opened.run(["init", ...words], { env: opened.env, ...answering(answer) }),
    read: (path: string) => readFileSync(join(opened.root, path), "utf8"),
    has: (path: string) => existsSync(join(opened.root, path)),
  };
}

const actsOf = ({ result }: Outcome): string[] =>
  asList(result.metadata?.acts)
    .map(asRecord)
    .map(({ kind, name, agent }) => [kind, name ?? agent].filter(Boolean).join(" "));

describe("init", () => {
  test("what is not wanted is left out by its kind", async () => {
    const opened = openProject();
    const words = ["command", "install", "schema"].flatMap((kind) => ["--without", kind]);
    const outcome = await opened.init(true, ...words);
    expect(actsOf(outcome)).toEqual(["import deploy", "import review", "guard"]);
    expect(opened.has(".adjutant/commands.yaml")).toBe(false);
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("trusted");
    const misspelt = await opened.init(true, "--without", "hooks");
    expect(JSON.stringify(misspelt)).toContain("did you mean `hook`?");
  });

  test("one yes makes commands, a guard and hooks, trusted; a second run finds nothing to do", async () => {
    const opened = openProject();
    const first = await opened.init(true);
    expect(first.kind, textOf(first)).toBe("ok");
    expect(opened.questions).toEqual(["do these 12 things and trust these files?"]);
    expect(actsOf(first)).toEqual([
      ...["import deploy", "import review"],
      // `bench` is a word of the program, `help` a command of its own, `deploy` is imported, `test` is npm's.
      ...["command test", "command npm-bench", "command npm-help"],
      ...["command make-test", "command make-deploy"],
      ...["guard", "schema", "schema", "install claude-code", "install codex"],
    ]);
    expect(opened.read(".adjutant/commands.yaml")).toBe(
      [
        "# yaml-language-server: $schema=./schemas/commands.schema.json",
        "adjutant: 1",
        "test:",
        '  description: "npm run test: vitest run"',
        "  argv: [npm, run, test, --]",
        "npm-bench:",
        '  description: "npm run bench: x"',
        "  argv: [npm, run, bench, --]",
        "npm-help:",
        '  description: "npm run help: y"',
        "  argv: [npm, run, help, --]",
        "make-test:",
        "  description: make test",
        "  argv: [make, test]",
        "make-deploy:",
        '  description: "make deploy: to production"',
        "  argv: [make, deploy]",
        "",
      ].join("\n"),
    );
    const hooksLine = "# yaml-language-server: $schema=./schemas/hooks.schema.json\n";
    expect(opened.read(".adjutant/hooks.yaml")).toBe(`${hooksLine}${STARTER}`);
    expect(opened.read(".adjutant/commands/review.md")).toContain("Look at the change");
    expect(readFileSync(join(opened.env.HOME, ".claude/settings.json"), "utf8")).toContain("hook");
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("trusted");

    const second = await opened.init(true);
    expect(actsOf(second)).toEqual([]);
    expect(textOf(second)).toContain("nothing to do: all is set up");
    expect(opened.questions).toHaveLength(1);
  });

  test("`uninstall --all` gives the agents' files back and leaves what is the person's", async () => {
    const opened = openProject();
    const settings = '{ "model": "opus" }';
    writeFiles(opened.env.HOME, { ".claude/settings.json": settings });
    await opened.init(true);
    expect(readFileSync(join(opened.env.HOME, ".claude/settings.json"), "utf8")).not.toBe(settings);
    writeFiles(opened.root, { ".adjutant/commands/mine.md": "Mine\n" });
    const dry = await opened.adj("uninstall", "--all", "--dry-run");
    expect(textOf(dry)).toContain("init: would remove .adjutant/hooks.yaml\n");
    expect(opened.has(".adjutant/hooks.yaml")).toBe(true);
    await opened.adj("uninstall", "--all");
    expect(readFileSync(join(opened.env.HOME, ".claude/settings.json"), "utf8")).toBe(settings);
    expect(existsSync(join(opened.env.HOME, ".codex/hooks.json"))).toBe(false);
    expect(readdirSync(join(opened.root, ".adjutant"), { recursive: true }).sort()).toEqual([
      "commands",
      "commands/mine.md",
    ]);
  });

  test("what was changed since stays, what was there before comes back as it was", async () => {
    const mine = "\ufeff# mine\r\nlook: { description: d, argv: [ls] }\r\n";
    const opened = openProject({ ...PROJECT, ".adjutant/commands.yaml": mine });
    await opened.init(true);
    expect(opened.read(".adjutant/commands.yaml")).not.toBe(mine);
    const hooks = `${opened.read(".adjutant/hooks.yaml")}# my own word\n`;
    writeFiles(opened.root, { ".adjutant/hooks.yaml": hooks });
    // A second run adds to what is there, and what was there at first still counts.
    writeFiles(opened.root, { ".claude/commands/late.md": "Late\n" });
    await opened.init(true);
    const text = textOf(await opened.adj("uninstall", "--all"));
    expect(text).toContain("init: gave back .adjutant/commands.yaml");
    expect(text).toContain("init: removed .adjutant/commands/late.md");
    expect(text).toContain(
      "init: kept .adjutant/hooks.yaml: it was changed since `adj init` wrote it",
    );
    expect(opened.read(".adjutant/commands.yaml")).toBe(mine);
    expect(opened.read(".adjutant/hooks.yaml")).toBe(hooks);
    expect(readdirSync(join(opened.root, ".adjutant")).sort()).toEqual([
      "commands.yaml",
      "hooks.yaml",
    ]);
    expect(textOf(await opened.adj("uninstall", "--all"))).not.toContain("init:");
  });

  test("a person chooses what is wanted; a schema goes with the file that it describes", async () => {
    const opened = openProject();
    const choosing: Interactor = {
      name: "terminal",
      confirm: async () => true,
      select: async (_, choices) => choices[1] ?? "",
      input: async () => "",
      choose: async (_, choices) => choices.filter((one) => /^(?:import|install)/.test(one)),
    };
    const outcome = await opened.run(["init"], {
      ...{ env: opened.env, isInteractive: true },
      interactors: [choosing],
    });
    expect(actsOf(outcome)).toEqual([
      ...["import deploy", "import review", "install claude-code", "install codex"],
    ]);
    expect(readdirSync(join(opened.root, ".adjutant"))).toEqual(["commands"]);
    // Trust was one of the choices.
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("untrusted");
    const nothing = { ...choosing, choose: async () => [] };
    const declined = await opened.run(["init"], {
      ...{ env: opened.env, isInteractive: true },
      interactors: [nothing],
    });
    expect(declined).toMatchObject({ error: { code: "Declined" } });
  });

  test("entries that refuse for another project's guard are not made to pass without one here", async () => {
    const opened = openProject();
    await opened.init(true);
    revokeApproval(opened.root, opened.stateDir);
    const wouldChange = await opened.adj("install", "claude-code", "--dry-run");
    expect(textOf(wouldChange)).toContain("claude-code: would write");
    expect(actsOf(await opened.init(true, "--dry-run"))).toEqual([]);
  });

  test("a no, a dry run, and nobody to ask change nothing", async () => {
    const opened = openProject();
    const refused = await opened.init(false);
    expect(refused).toMatchObject({ error: { code: "Declined" } });
    const dry = await opened.init(true, "--dry-run");
    expect(actsOf(dry)).toHaveLength(12);
    const alone = await opened.adj("init");
    expect(alone).toMatchObject({ error: { code: "Required" } });
    expect(opened.questions).toHaveLength(1);
    expect(opened.has(".adjutant")).toBe(false);
    expect(existsSync(join(opened.env.HOME, ".claude"))).toBe(false);
  });

  test("`--yes` does it without a question, but trusts nothing", async () => {
    const opened = openProject();
    const outcome = await opened.run(["init"], { env: opened.env, yes: true });
    expect(outcome.kind).toBe("ok");
    expect(textOf(outcome)).toContain("next: `adj trust`");
    expect(opened.has(".adjutant/hooks.yaml")).toBe(true);
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("untrusted");
  });

  test("what is there already is neither overwritten nor trusted unseen", async () => {
    const opened = openProject({
      ...PROJECT,
      ".adjutant/commands.yaml": "test: { description: mine, argv: [echo, mine] }\n",
      ".adjutant/commands/npm-bench.md": "mine\n",
    });
    const outcome = await opened.init(true);
    expect(opened.questions).toEqual(["do these 8 things?"]);
    expect(actsOf(outcome)).not.toContain("command test");
    expect(actsOf(outcome)).not.toContain("command npm-bench");
    expect(opened.read(".adjutant/commands.yaml")).toMatch(/^test: \{ description: mine/);
    expect(opened.read(".adjutant/commands/npm-bench.md")).toBe("mine\n");
    expect((await inspectTrust(opened.root, opened.stateDir)).kind).toBe("untrusted");
  });

  test("hooks of others, servers and workflows are shown and left alone; no word of a server is", async () => {
    const hooks = { PreToolUse: [{ matcher: "mcp__x", hooks: [{ command: "./guard.sh" }] }] };
    const server = { command: "npx", args: ["-y", "server", "--token=hunter2"] };
    const wrapped = { command: "adj", args: ["mcp", "wrap", "--", "npx", "other"] };
    const opened = openProject({
      ".claude/settings.json": JSON.stringify({ hooks }),
      ".mcp.json": JSON.stringify({ mcpServers: { tracker: server, other: wrapped } }),
      ".claude/workflows/ship.js": "export const meta = { name: 'ship', description: 'x' };\n",
      "package.json": "{",
    });
    writeFiles(opened.env.HOME, { ".claude/commands/mine.md": "Mine\n" });
    const outcome = await opened.init(true);
    const text = textOf(outcome);
    expect(text).toContain(
      "hook     `./guard.sh` at PreToolUse in .claude/settings.json: its matcher `mcp__x` has no counterpart\n",
    );
    expect(text).toContain("server   tracker in .mcp.json\n");
    expect(text).toContain("workflow .claude/workflows/ship.js\n");
    expect(text).toContain("skipped  package.json cannot be read: ");
    expect(text).toContain("next: `adj import --user` takes in 1 custom command of your home\n");
    expect(text).toContain("next: `adj mcp wrap -- SERVER …` puts a server behind the hooks\n");
    expect(text).toContain("next: `adj workflow run ship` runs a workflow on any agent\n");
    expect(text).not.toMatch(/hunter2|other in/);
    // A workflow of the project counts by trust as well, so that is a question of its own, and it says so.
    expect(text).toContain(
      "trust is left to `adj trust`, which shows you the workflow .claude/workflows/ship.js as well\n",
    );
    expect(opened.questions).toEqual(["do these 4 things?"]);
    expect(opened.read(".claude/settings.json")).toBe(JSON.stringify({ hooks }));
  });

  test("servers are named in whatever file of the project or the home their agent reads", async () => {
    const toml = (name: string) =>
      `[mcp_servers.${name}]\ncommand = "npx"\nargs = ["--token=hunter2"]\n\n[mcp_servers.wrapped]\ncommand = "/opt/adj"\nargs = ["mcp", "wrap"]\n`;
    const json = (key: string, name: string) => JSON.stringify({ [key]: { [name]: {} } });
    const opened = openProject({
      ".codex/config.toml": toml("tracker"),
      ".gemini/settings.json": '{ "mcp": { "allowed": [] }, "mcpServers": { "maps": {} } }',
      "opencode.json": json("mcp", "local-docs"),
    });
    const home = {
      ".codex/config.toml": toml("mine"),
      ".claude.json": json("mcpServers", "notes"),
    };
    writeFiles(opened.env.HOME, home);
    const text = textOf(await opened.init(true));
    expect(text.split("\n").filter((line) => line.startsWith("  server "))).toEqual([
      "  server   local-docs in opencode.json",
      "  server   maps in .gemini/settings.json",
      "  server   mine in ~/.codex/config.toml",
      "  server   notes in ~/.claude.json",
      "  server   tracker in .codex/config.toml",
    ]);
    expect(text).not.toContain("hunter2");
    await opened.run(["uninstall", "--all"], { env: opened.env });
    expect(opened.read(".codex/config.toml")).toBe(toml("tracker"));
    for (const [path, before] of Object.entries(home))
      expect(readFileSync(join(opened.env.HOME, path), "utf8")).toBe(before);
  });

  test("without an agent there are still commands and a guard", async () => {
    const opened = openProject();
    const env = { ...opened.env, PATH: "/nowhere" };
    const outcome = await opened.run(["init", "--dry-run"], { env });
    expect(textOf(outcome)).toContain(`${opened.root}: no agent was found\nto do:\n`);
    expect(actsOf(outcome)).toHaveLength(10);
  });
});
