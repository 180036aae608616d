// Settings by which an agent that is started anywhere in a project would call no hooks, written or brought there by lines
// that are run for real where they pass.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { AGENTS } from "../../../src/agents/roster.ts";
import { hasBubblewrap } from "../../support/bubblewrap.ts";
import { sampled } from "../../support/tier.ts";
import { bash, openGuards } from "./guarded-project.ts";
import { openScratch } from "./scratch.ts";

const OFF = '{"disableAllHooks":true}\n';
const scratch = openScratch(
  {
    "home/template/.claude/settings.json": OFF,
    "project/.claude/notes.md": "mine\n",
    "project/evil/settings.json": OFF,
    "project/evil/config.toml": "[features]\nhooks = false\n",
    "project/docs/a.md": "a\n",
    "project/sub/b.ts": "b\n",
  },
  "tar cf evil.tar -C evil settings.json",
);
afterAll(() => scratch.remove());
const decide = await openGuards({
  ...{ agent: "claude-code", root: scratch.root, home: scratch.home },
  hooks: `hooks:
  - name: mine
    on: before_tool
    match: { command: "never-*" }
    run: { builtin: git, with: { forbid: [force-push] } }
`,
  stateDir: join(scratch.base, "state"),
});

const write = (path: string, content: string) => ({
  tool: "Write",
  args: { file_path: join(scratch.root, path), content },
});

describe("settings of an agent", () => {
  const place = { env: {}, home: scratch.home, root: "" };
  const files = AGENTS.flatMap(({ settings }) => settings?.(place).project ?? []);

  it.each(["", "sub/", "new/deep/"])("are asked about in the project's folder `%s`", async (at) => {
    for (const file of files) {
      const isFolder = !/\.\w+$/.test(file.slice(1));
      const path = `${at}${file}${isFolder ? "/x.js" : ""}`;
      expect([path, (await decide(write(path, OFF))).answer]).toEqual([path, "ask"]);
      const line = `mkdir -p ${join(path, "..")}; echo '{}' > ${path}`;
      expect([line, (await decide(bash(line))).answer]).toEqual([line, "ask"]);
    }
  });

  it.each(
    sampled([
      ["sub/.env", "QWEN_CODE_SIMPLE=1"],
      [".qwen/.env", "QWEN_CODE_SAFE_MODE=true"],
      ["sub/.gemini/.env", "export HOME=/tmp/x"],
      [".env", "A=1\nNODE_OPTIONS=--import=/tmp/x.mjs"],
    ]),
  )("are asked about where a file of variables stands for them: %s", async (path, text) => {
    expect((await decide(write(path, text))).answer).toBe("ask");
    expect((await decide(bash(`printf '${text}' >> ${path}`))).answer).toBe("ask");
    expect((await decide(write(path, "PORT=1\nMY_HOME=x"))).answer).toBe("pass");
  });

  it.each(["QWEN_CODE_SIMPLE=1 qwen -p x", "export CLAUDE_CODE_SAFE_MODE=1; claude -p x"])(
    "are asked about where a variable stands for them: %s",
    async (line) => {
      expect((await decide(bash(line))).answer).toBe("ask");
    },
  );
});

describe.runIf(hasBubblewrap)("settings of an agent that come inside of a folder", () => {
  it.each(
    sampled([
      ["cp -r evil/. .claude/", ".claude/settings.json"],
      ["cp -r evil/* .claude/", ".claude/settings.json"],
      ["cp -rT evil .claude", ".claude/settings.json"],
      ["cp -a evil sub/.codex", "sub/.codex/config.toml"],
      ["mv evil .gemini", ".gemini/settings.json"],
      ["cd sub && mv ../evil .qwen", "sub/.qwen/settings.json"],
      ["mv .claude old && mv evil .claude", ".claude/settings.json"],
      ["rm -rf .claude && ln -s evil .claude", ".claude/settings.json"],
      ["ln -s ../evil sub/.claude", "sub/.claude/settings.json"],
      ["cp -r ~/template/. sub", "sub/.claude/settings.json"],
      ["cp -r ~/template/.claude sub/", "sub/.claude/settings.json"],
      ["cp -r ~/template new", "new/.claude/settings.json"],
      ["tar xf evil.tar -C .claude", ".claude/settings.json"],
      ["git mv -f evil .gemini", ".gemini/settings.json"],
      [
        "python3 -c \"import shutil; shutil.move('evil', 'sub/.gemini')\"",
        "sub/.gemini/settings.json",
      ],
      ["node -e \"fs.renameSync('evil', '.gemini')\"", ".gemini/settings.json"],
    ]),
  )("are asked about: %s", async (line, file) => {
    scratch.run(`git init -q; git add -A; ${line}`);
    // Else the line would show nothing.
    expect(existsSync(join(scratch.root, file))).toBe(true);
    scratch.reset();
    expect((await decide(bash(line))).answer).toBe("ask");
  });

  it.each(
    sampled([
      "cp docs/a.md .claude/",
      "cp -r docs .claude/",
      "mkdir -p sub/.claude/commands",
      "mv .claude/notes.md docs/",
      "cp -r docs docs2",
      "cp -r .claude sub/",
      "mv evil good",
      "cp -r . /tmp/copy",
      "rm -rf node_modules sub/.claude",
      "chmod -R u+w sub",
    ]),
  )("pass where none come: %s", async (line) => {
    scratch.reset();
    expect((await decide(bash(line))).answer).toBe("pass");
  });
});

describe("an entry that the project keeps in git", () => {
  const entry = '{"hooks":{"PreToolUse":[{"hooks":[{"command":"adj hook claude-code"}]}]}}';
  const commit = (name: string): string => `git add -A; git commit -qm ${name}`;
  const kept = openScratch(
    { "home/.keep": "", "project/src/a.ts": "1\n" },
    `git init -q -b main; ${commit("one")}; git branch old
for at in 2 3; do echo $at > src/a.ts; ${commit("more")}; done; git branch before
mkdir .claude; echo '${entry}' > .claude/settings.json; ${commit("install")}; echo 4 > src/a.ts; ${commit("last")}
git checkout -qb keeps; echo b > src/b.ts; ${commit("b")}
git checkout -qb drops main; git rm -q .claude/settings.json; ${commit("drop")}
git checkout -qb side old; echo c > src/c.ts; ${commit("c")}; git checkout -q main`,
  );
  afterAll(() => kept.remove());
  const file = join(kept.root, ".claude/settings.json");
  const deciding = openGuards({
    ...{ agent: "claude-code", root: kept.root, home: kept.home },
    hooks:
      "hooks:\n  - { name: g, on: before_tool, match: { tool: No }, run: { builtin: deny } }\n",
    stateDir: join(kept.base, "state"),
  });

  it.each(
    sampled([
      "git switch -q old",
      "git switch -q --detach HEAD~2",
      "git checkout -q before",
      "git checkout -qb new HEAD~3",
      "git -C src checkout -q side",
      "cd src && git switch -q old",
      "git bisect start HEAD old",
      "git bisect start; git bisect bad HEAD; git bisect good HEAD~4",
      "git merge -q drops",
      "git cherry-pick drops",
      "git revert --no-edit HEAD~1",
    ]),
  )("is not taken out without a question: %s", async (line) => {
    kept.run(line);
    expect(existsSync(file)).toBe(false);
    kept.reset();
    expect((await (await deciding)(bash(line))).answer).toBe("ask");
  });

  it.each(
    sampled([
      "git switch -q keeps",
      "git switch -q -c new",
      "git checkout -q main",
      "git checkout -q -- src/a.ts",
      "git merge -q --no-edit side",
      "git rebase -q side",
      "git cherry-pick side",
      "git revert --no-edit HEAD",
      "git bisect start HEAD HEAD~1",
    ]),
  )("and stays with everyday changes of branches: %s", async (line) => {
    kept.reset();
    expect((await (await deciding)(bash(line))).answer).toBe("pass");
    kept.run(line);
    expect(existsSync(file)).toBe(true);
  });
});
