import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { type TestProgram, textOf } from "../../support/program-of-commands.ts";
import { openHooksProgram } from "./hooks-program.ts";

// biome-ignore format: a table, one agent a line
const FILES = [
  { agent: "claude-code", file: "etc/claude-code/managed-settings.json", kept: '{ "permissions": {"deny":[]} }\n' },
  { agent: "codex", file: "etc/codex/hooks.json", kept: '{"description":"ours"}' },
  { agent: "gemini", file: "etc/gemini-cli/settings.json", kept: '// rules\n{ "hooksConfig": { "enabled": false } }\n' },
  { agent: "qwen", file: "etc/qwen-code/settings.json", kept: '{\n\t"disableAllHooks": true\n}\n' },
  { agent: "copilot", file: "etc/github-copilot/policy.d/adjutant.json", kept: '{"version":1}\n' },
] as const;

const pathOf = ({ folder }: TestProgram, file: string) => join(folder, "system", file);

describe.each(FILES)("install --managed for $agent", ({ agent, file, kept }) => {
  test("writes the machine's file for everybody to read, and takes file and folders away again", async () => {
    const opened = openHooksProgram();
    const path = pathOf(opened, file);
    const done = await opened.adj("install", agent, "--managed");
    expect(textOf(done)).toContain(`${agent}: wrote ${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
    expect(readFileSync(path, "utf8")).toMatch(/\/bin\/adj hook/);
    expect(textOf(await opened.adj("install", agent, "--managed"))).toContain("already");
    expect(textOf(await opened.adj("install"))).toMatch(
      new RegExp(`^${agent} .*absent +absent +installed`, "m"),
    );
    await opened.adj("uninstall", agent, "--managed");
    expect(existsSync(join(opened.folder, "system"))).toBe(false);
  });

  test("keeps what was there, settles what would switch it off, and gives back the very bytes", async () => {
    const opened = openHooksProgram();
    const path = pathOf(opened, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, kept);
    await opened.adj("install", agent, "--managed");
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/"enabled": false|"disableAllHooks": true/);
    expect(textOf(await opened.adj("install", agent, "--managed"))).toContain("already");
    await opened.adj("uninstall", agent, "--managed");
    expect(readFileSync(path, "utf8")).toBe(kept);
    // Changed by somebody else in between, it loses what is ours alone.
    await opened.adj("install", agent, "--managed");
    writeFileSync(path, `${text}\n`);
    await opened.adj("uninstall", agent, "--managed");
    if (existsSync(path)) expect(parse(readFileSync(path, "utf8"))).toEqual(parse(kept));
    else expect(agent).toBe("copilot");
  });
});

describe("install --managed", () => {
  test("says where an agent has no such layer, and what to do instead", async () => {
    for (const verb of ["install", "uninstall"]) {
      const refused = await openHooksProgram().adj(verb, "opencode", "--managed");
      expect(refused.result.exitCode).toBe(2);
      expect(refused.result.errorOutput).toContain(
        "`opencode` has no layer for `--managed`: it has no setting by which a repository switches plugins off; install for every user",
      );
    }
    const both = await openHooksProgram().adj("install", "codex", "--managed", "--project");
    expect(both.result.errorOutput).toContain("`--managed` excludes `--user` and `--project`");
  });

  test("says which file cannot be written, and who could, before anything is noted", async () => {
    const opened = openHooksProgram();
    writeFileSync(join(opened.folder, "system"), "no folder");
    const refused = await opened.adj("install", "codex", "--managed");
    expect(refused.result.exitCode).not.toBe(0);
    expect(refused.result.errorOutput).toMatch(
      /`.*\/etc\/codex\/hooks.json` cannot be used: .*run it as root, or .*--dry-run/,
    );
    expect(existsSync(join(opened.stateDir, "installed"))).toBe(false);
  });

  test("leaves requirements of somebody else, and says what they must say", async () => {
    const opened = openHooksProgram();
    const path = pathOf(opened, "etc/codex/requirements.toml");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'allowed_sandbox_modes = ["read-only"]\n');
    expect(textOf(await opened.adj("install", "codex", "--managed"))).toMatch(
      /requirements.toml` was there: it must say what this says\n.*\n\[features\]\nhooks = true/,
    );
    await opened.adj("uninstall", "codex", "--managed");
    expect(readFileSync(path, "utf8")).toBe('allowed_sandbox_modes = ["read-only"]\n');
  });
});
