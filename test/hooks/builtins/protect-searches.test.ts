// An agent's own search in a project whose `.env` git ignores: it passes where it is sure to leave that out. What each
// tool really opens was seen in the real CLIs (`test/live/search.test.ts`).
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";
import { openGuards } from "./guarded-project.ts";

const hooksFor = (...paths: readonly string[]): string => `hooks:
  - { name: g, on: before_tool, run: { builtin: protect-paths, with: { paths: ${JSON.stringify(paths)} } } }
`;
const HOOKS = hooksFor("**/.env");

let base: string;
let root: string;
beforeEach(() => {
  base = realpathSync(temporaryFolder());
  root = join(base, "project");
  writeFiles(root, { ".env": "x\n", ".gitignore": ".env\n/hidden/\n", "src/a.ts": "x\n" });
  writeFiles(root, { "hidden/.env": "x\n", "sub/.env": "x\n" });
  mkdirSync(join(base, "home"));
  git("init", "-q");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const git = (...words: string[]) => execFileSync("git", words, { cwd: root });
const GREPS: Readonly<Record<string, string>> = {
  gemini: "grep_search",
  qwen: "grep_search",
  opencode: "grep",
};
const AGENTS = Object.keys(GREPS);
const ROOT_OF = { gemini: "dir_path", qwen: "path", opencode: "path" };

async function answer(agent: string, args: object, tool = GREPS[agent] ?? ""): Promise<string> {
  const project = { root, home: join(base, "home"), stateDir: join(base, "state"), hooks: HOOKS };
  const event = agent === "gemini" ? { event: "BeforeTool" } : {};
  const given = { pattern: "x", ...args };
  return (await (await openGuards({ ...project, agent }))({ tool, args: given, ...event })).answer;
}

const placed = (agent: string, path: string) => ({
  [Object.entries(ROOT_OF).find(([name]) => name === agent)?.[1] ?? ""]: path,
});

describe.each(AGENTS)("the search of %s", (agent) => {
  it("passes in the project, in a folder, with a pattern as people write them", async () => {
    expect(await answer(agent, {})).toBe("pass");
    for (const path of [".", "sub", "src"])
      expect(await answer(agent, placed(agent, path))).toBe("pass");
    for (const pattern of [
      "TODO|FIXME",
      "import .* from 'a'",
      "function\\s+(run|stop)\\(\\w",
      "^a\\.[a-z]+\\b",
    ])
      expect(await answer(agent, { pattern })).toBe("pass");
  });
  it.each<[string, object]>(
    sampled([
      ["a glob that fits", { glob: "*", include: "*", include_pattern: "*" }],
      ["an argument nobody knows", { everything: true }],
      ["one that takes all", { no_ignore: true }],
      ["a count that an older git does not know", { max_matches_per_file: 1 }],
    ]),
  )("is refused with %s", async (_, args) => {
    expect(await answer(agent, args)).toBe("deny");
  });
  it.each<[string, string]>(
    sampled([
      ["of the file", ".env"],
      ["of a folder that is ignored itself", "hidden"],
    ]),
  )("is refused with the path %s", async (_, path) => {
    expect(await answer(agent, placed(agent, path))).toBe("deny");
  });
  it.each<[string, () => void]>([
    ["outside of a repository", () => rmSync(join(root, ".git"), { recursive: true })],
    ["where ripgrep has rules of its own", () => writeFiles(root, { "src/.ignore": "!.env\n" })],
    ["around a folder with such rules", () => writeFiles(base, { ".rgignore": "!.env\n" })],
    [
      "where only git's own settings ignore it",
      () => {
        writeFiles(root, { ".gitignore": "hidden/\n", ".git/info/exclude": ".env\n" });
      },
    ],
    ["where it is tracked", () => git("add", "-f", ".env")],
    [
      "where it is in a repository below",
      () => {
        writeFiles(root, { "inner/.env": "x\n", ".gitignore": "/.env\n/hidden/\nsub/\n" });
        execFileSync("git", ["init", "-q", "inner"], { cwd: root });
      },
    ],
  ])("is refused %s", async (_, change) => {
    change();
    expect(await answer(agent, {})).toBe("deny");
  });
});

describe("a search that may be git's own", () => {
  it.each(
    sampled([
      ["s*", "deny"],
      ["sub", "deny"],
      ["sub?.env", "deny"],
      [".", "deny"],
      [":!x", "deny"],
      ["*.ts", "pass"],
      ["src/*.{ts,tsx}", "pass"],
      ["a.ts", "pass"],
    ]),
  )("with the glob %s", async (glob, outcome) => {
    writeFiles(root, { ".gitignore": "" });
    expect(await answer("gemini", { include_pattern: glob })).toBe(outcome);
    expect(await answer("qwen", { glob })).toBe(outcome);
  });
  it.each(
    sampled([
      ["--regexp=x"],
      ["-ex"],
      ["\\1|x"],
      ["(?:x)"],
      ["x{1"],
      ["x||y"],
      ["(|x)"],
      ["x**"],
      ["x\\b+"],
    ]),
  )("is refused where git may fail over the pattern %s", async (pattern) => {
    for (const agent of ["gemini", "qwen"]) expect(await answer(agent, { pattern })).toBe("deny");
    expect(await answer("opencode", { pattern })).toBe("pass");
  });
  it.each(
    sampled([
      ["submodule.recurse", "true"],
      ["grep.threads", "-1"],
    ]),
  )("is refused where git fails over its setting %s", async (name, value) => {
    git("config", name, value);
    for (const agent of ["gemini", "qwen"]) expect(await answer(agent, {})).toBe("deny");
    expect(await answer("opencode", {})).toBe("pass");
  });
  it.each(["gemini", "qwen"])(
    "is refused where the settings of %s switch it off",
    async (agent) => {
      const fileFiltering = { respectGitIgnore: false };
      const settings = JSON.stringify({ context: { fileFiltering } });
      writeFiles(root, { [`.${agent}/settings.json`]: settings });
      expect(await answer(agent, {})).toBe("deny");
    },
  );
});

describe("a search with a path that is no folder", () => {
  it.each(["src/a.ts", "nothing", "src/nothing/deep", "src/a.ts/deep"])(
    "goes through the folder around %s in opencode",
    async (path) => {
      expect(await answer("opencode", { path })).toBe("pass");
      rmSync(join(root, ".git"), { recursive: true });
      expect(await answer("opencode", { path })).toBe("deny");
    },
  );
});

describe("a search of which nobody knows what it leaves out", () => {
  it("is refused", async () => {
    expect(await answer("gemini", {}, "search_file_content")).toBe("deny");
  });
});

describe("of a line", () => {
  const inLine = async (command: string, ...paths: readonly string[]): Promise<string> => {
    const place = { root, home: join(base, "home"), stateDir: join(base, "state") };
    const decide = await openGuards({ ...place, hooks: hooksFor(...paths) });
    return (await decide({ tool: "Bash", args: { command } })).answer;
  };
  it.each(
    sampled([
      ["rg x", "pass"],
      ["rg x src private", "deny"],
      ["rg -n --type ts x .", "pass"],
      ["rg -g '*.txt' x", "deny"],
      ["rg --no-ignore x", "deny"],
      ["rg --ignore-file a x", "deny"],
      ["echo '!private' > .ignore && rg x", "deny"],
      ["RIPGREP_CONFIG_PATH=a rg x", "deny"],
    ]),
  )("`%s` goes by what ripgrep passes over", async (command, expected) => {
    writeFiles(root, { ".gitignore": "/private/\n", "private/key.txt": "x\n" });
    expect(await inLine(command, "private")).toBe(expected);
  });
  it.each(
    sampled([
      ["git diff", "pass", "deny"],
      ["git diff --cached", "pass", "deny"],
      ["git add -A && git commit -m x", "pass", "deny"],
      ["git add .", "pass", "deny"],
      ["git diff HEAD", "deny", "deny"],
      ["git reset --soft HEAD && git diff --cached", "deny", "deny"],
      ["git add package-lock.json", "deny", "deny"],
    ]),
  )("`%s` takes of what git has what is changed", async (command, unchanged, changed) => {
    writeFiles(root, { "package-lock.json": "{}\n" });
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "-qm", "one");
    expect(await inLine(command, "package-lock.json")).toBe(unchanged);
    writeFiles(root, { "package-lock.json": "{ }\n" });
    expect(await inLine(command, "package-lock.json")).toBe(changed);
    git("add", "package-lock.json");
    expect(await inLine(command, "package-lock.json")).toBe(changed);
  });
});

it("a search that is told a glob leaves a folder out, with all that is in it", async () => {
  const place = { root, home: join(base, "home"), stateDir: join(base, "state") };
  const decide = await openGuards({ ...place, hooks: hooksFor("**/.env", "sub/**") });
  const { answer: given, args } = await decide({
    tool: "Grep",
    args: { pattern: "x", type: "ts" },
  });
  expect([given, args]).toEqual(["rewrite", { pattern: "x", type: "ts", glob: "!**/{.env,sub}" }]);
});
