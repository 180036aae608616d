import { describe, expect, test } from "vitest";
import { markdown, openSyncProgram } from "./sync-home.ts";

describe("import", () => {
  test("takes every agent's commands and skills in, each with what it lost", async () => {
    const opened = openSyncProgram();
    opened.write({
      "project/docs/rules.md": "Rules.",
      "project/.claude/commands/git/pr.md":
        "---\ndescription: Open one\neffort: high\n---\nOpen $ARGUMENTS by @docs/rules.md\n",
      "project/.claude/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidy up\n---\nTidy.\n",
      "project/.claude/skills/tidy/run.sh": "true",
      "project/.gemini/commands/fix.toml": 'prompt = "Fix {{args}}: !{git diff}"\n',
      "project/.opencode/command/old.md": "Old $1\n",
    });
    const { exitCode, output, metadata } = await opened.adj(["import"]);
    expect(exitCode, output).toBe(0);
    expect(opened.list("project/.adjutant/commands")).toEqual([
      ...["fix.md", "git-pr.md", "old.md", "tidy.md"],
    ]);
    expect(opened.read("project/.adjutant/commands/git-pr.md")).toBe(
      "---\ndescription: Open one\n---\nOpen {{ args }} by @../../docs/rules.md\n",
    );
    expect(opened.read("project/.adjutant/commands/fix.md")).toBe(
      '---\ndescription: "Fix {{args}}: !{git diff}"\n---\nFix {{ args }}: !`git diff`',
    );
    expect(output).toContain("pr.md: lost: the key `effort`");
    expect(output).toContain("SKILL.md: lost: the skill's file `run.sh`");
    expect(output).toContain("next: `adj trust`");
    expect(metadata.files).toMatchObject([
      { agent: "claude-code", name: "git-pr", did: "created", problems: ["the key `effort`"] },
      { agent: "claude-code", name: "tidy" },
      { agent: "gemini", name: "fix" },
      { agent: "opencode", name: "old" },
    ]);
  });

  test("what it writes can be loaded and run", async () => {
    const opened = openSyncProgram();
    opened.write({
      "project/docs/rules.md": "Rules.",
      "project/.claude/commands/pr.md": "Open $0 by @docs/rules.md, {{ not ours }}, costs \\$5\n",
    });
    await opened.adj(["import", "claude-code"]);
    await opened.define({});
    const explained = await opened.adj(["explain", "pr", "--agent", "replay", "42"]);
    expect(String(explained.metadata.prompt)).toMatch(
      /^Open 42 by .*Rules\..*, \{\{ not ours \}\}, costs \$5\n$/s,
    );
  });

  test("leaves what is there, unless it is a Markdown command and --force is given", async () => {
    const opened = openSyncProgram();
    opened.write({
      "project/.claude/commands/a.md": "New.\n",
      "project/.claude/commands/b.md": "New.\n",
      "project/.claude/commands/c.md": "New.\n",
      "project/.adjutant/commands/a.md": markdown("Old."),
      "project/.adjutant/commands/b.ts": "export default 1;",
      "project/.adjutant/commands.yaml": "c: { description: C, argv: [ls] }\n",
    });
    const kept = await opened.adj(["import"]);
    expect(kept.output.match(/exists/g)).toHaveLength(3);
    expect(opened.read("project/.adjutant/commands/a.md")).toContain("Old.");
    await opened.adj(["import", "--force"]);
    expect(opened.read("project/.adjutant/commands/a.md")).toContain("New.");
    expect(opened.list("project/.adjutant/commands")).toEqual(["a.md", "b.ts"]);
  });

  test("does not take in what sync wrote, and two agents' commands of one name only once", async () => {
    const opened = openSyncProgram();
    await opened.define({ greet: markdown("Greet {{ args }}.") });
    await opened.adj(["sync", "claude-code", "codex"]);
    opened.write({
      "project/.qwen/commands/same.md": "First.\n",
      "project/.opencode/commands/same.md": "Second.\n",
    });
    const { metadata } = await opened.adj(["import", "--force"]);
    expect(metadata.files).toMatchObject([
      ...[{ did: "generated" }, { did: "generated" }, { did: "created" }, { did: "exists" }],
    ]);
    expect(opened.read("project/.adjutant/commands/same.md")).toContain("First.");
  });

  test("what cannot be taken in is told with its place, and the others are taken", async () => {
    const opened = openSyncProgram();
    opened.write({
      "project/.gemini/commands/bad.toml": "prompt = \n",
      "project/.gemini/commands/sync.toml": 'prompt = "x"\n',
      "project/.gemini/commands/good.toml": 'prompt = "x"\n',
    });
    const { exitCode, output } = await opened.adj(["import", "gemini"]);
    expect(exitCode).toBe(1);
    expect(output).toContain("bad.toml: ");
    expect(output).toContain("`sync` belongs to the program");
    expect(opened.list("project/.adjutant/commands")).toEqual(["good.md"]);
  });

  test("--dry-run writes nothing", async () => {
    const opened = openSyncProgram();
    opened.write({ "project/.claude/commands/a.md": "New.\n" });
    const { output } = await opened.adj(["import", "--dry-run"]);
    expect(output).toContain("to create");
    expect(opened.has("project/.adjutant")).toBe(false);
  });

  test("with --user reads the home, where a path from the project means nothing; not for an agent", async () => {
    const opened = openSyncProgram();
    opened.write({
      "home/notes.md": "Notes.",
      "project/a.md": "A.",
      "home/.claude/commands/a.md": "See @a.md and @~/notes.md\n",
    });
    expect(await opened.adj(["import", "--user"], "codex")).toMatchObject({ code: "Required" });
    const { output } = await opened.adj(["import", "--user"]);
    expect(output).toContain("lost: `@a.md` is no file that can be imported here");
    expect(opened.read("config/commands/a.md")).toContain("See @a.md and @~/notes.md\n");
  });
});
