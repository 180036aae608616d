// Tools other than a shell, and lines that want the guard to take long.
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeFolder } from "../../support/temporary-folder.ts";
import { bash, type Call, openGuards } from "./guarded-project.ts";
import { PROTECTING } from "./protected-scratch.ts";

let root: string;
let home: string;
let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "adj-tools-")));
  [root, home] = [join(base, "project"), join(base, "home")];
  for (const folder of ["secrets", "src"]) mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(home);
  for (const file of [".env", "secrets/key", "src/a.ts"]) writeFileSync(join(root, file), "x\n");
  symlinkSync("../.env", join(root, "src/link"));
});
afterAll(() => removeFolder(base));

const answer = async (call: Call, agent = "claude-code") => {
  const stateDir = join(base, "state");
  return (await openGuards({ root, home, stateDir, hooks: PROTECTING, agent }))(call);
};

describe("a tool of a server, or one that nobody knows, is kept away", () => {
  it.each<[string, object]>([
    ["a path", { path: ".env" }],
    ["an absolute path", { path: "ROOT/.env" }],
    ["a path with ..", { path: "src/../.env" }],
    ["thousands of ./", { path: `${"./".repeat(3_000)}.env` }],
    ["thousands of folders left again", { path: `${"src/../".repeat(3_000)}.env` }],
    ["thousands of folders above", { path: `${"../".repeat(3_000)}ROOT/.env` }],
    ["thousands of slashes", { path: `ROOT${"/".repeat(6_000)}.env` }],
    ["a link", { file: "src/link" }],
    ["a list", { paths: ["src/a.ts", "secrets/key"] }],
    ["an object deep inside", { a: { b: [{ c: { file: "./.env" } }] } }],
    ["an address", { uri: "file://ROOT/.env" }],
    ["an address with escapes", { uri: "file://ROOT/%2Eenv" }],
    ["a glob", { pattern: ".e*" }],
    ["a line", { command: "cat .env" }],
    ["a patch", { diff: "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-x\n+y\n" }],
    ["a home", { path: "~/../project/.env" }],
  ])("by %s", async (_, args) => {
    const given = JSON.parse(JSON.stringify(args).replaceAll("ROOT", root));
    expect((await answer({ tool: "mcp__files__read", args: given })).answer).toBe("deny");
    expect((await answer({ tool: "SomeNewTool", args: given })).answer).toBe("deny");
  });
  it.each<[string, object]>([
    ["another path", { path: "src/a.ts" }],
    ["words about it", { body: "please do not commit .env" }],
    ["a folder around it", { path: "." }],
    ["numbers", { limit: 3 }],
  ])("but not by %s", async (_, args) => {
    expect((await answer({ tool: "mcp__files__read", args: { ...args } })).answer).toBe("pass");
  });
});

describe("an agent's own search", () => {
  it("is told to leave the names out where that is all that is protected", async () => {
    const hooks = `hooks:\n  - { name: g, on: before_tool, run: { builtin: protect-paths, with: { paths: ["**/.env", "**/.env.*"] } } }\n`;
    const decide = await openGuards({ root, home, stateDir: join(base, "state"), hooks });
    const { answer: said, args } = await decide({ tool: "Grep", args: { pattern: "x" } });
    expect(said).toBe("rewrite");
    expect(args).toEqual({ pattern: "x", glob: "!**/{.env,.env.*}" });
    expect((await decide({ tool: "Grep", args: { pattern: "x", path: "secrets" } })).answer).toBe(
      "pass",
    );
    expect((await decide({ tool: "Grep", args: { pattern: "x", glob: "*.ts" } })).answer).toBe(
      "pass",
    );
    expect((await decide({ tool: "Grep", args: { pattern: "x", glob: ".e*" } })).answer).toBe(
      "deny",
    );
  });
  it("is refused where a path with folders is protected, and free below one that holds nothing of it", async () => {
    const hooks =
      "hooks:\n  - { name: g, on: before_tool, run: { builtin: protect-paths, with: { paths: [src/a.ts] } } }\n";
    const decide = await openGuards({ root, home, stateDir: join(base, "state"), hooks });
    expect((await decide({ tool: "Grep", args: { pattern: "x" } })).answer).toBe("deny");
    expect((await decide({ tool: "Grep", args: { pattern: "x", path: "secrets" } })).answer).toBe(
      "pass",
    );
    expect(
      (
        await answer(
          { event: "BeforeTool", tool: "grep_search", args: { pattern: "x", path: "src" } },
          "gemini",
        )
      ).answer,
    ).toBe("deny");
    expect((await answer({ tool: "Glob", args: { pattern: "**/*" } })).answer).toBe("pass");
  });
});

describe("no line takes the guard longer than its length", () => {
  it.each<[string, string]>([
    ["many changes of the folder", `${"cd src; cd ..; ".repeat(15)}cat src/a.ts`],
    ["many globs", `ls ${"/usr/bin/* ".repeat(1_200)}`],
    ["many globs that are read", `cat ${"/usr/bin/* ".repeat(1_200)}`],
    [
      "many globs, each another",
      `cat ${Array.from({ length: 1_200 }, (_, at) => `/usr/bin/${at}*`).join(" ")}`,
    ],
    ["many files", `cat ${Array.from({ length: 6_000 }, (_, at) => `f${at}`).join(" ")}`],
    ["spaces", `cat src/a.ts${" ".repeat(170_000)}`],
    ["quotes in code", `python3 -c "${"'a' ".repeat(40_000)}"`],
    ["one long word of code", `node -e "${"x".repeat(200_000)}"`],
    ["many copies", "cp -r src out;".repeat(18_000)],
    ["calls in code", `python3 -c "${"os.remove(".repeat(20_000)}"`],
  ])("%s", async (_, line) => {
    expect(["pass", "ask", "deny"]).toContain((await answer(bash(line))).answer);
  });
  it("a folder with too many files to look at is unsure", async () => {
    const { answer: said, reason } = await answer(bash("cat /usr/*/*/*/* > /dev/null"));
    expect(said === "pass" || /too many/.test(reason)).toBe(true);
  });
});
