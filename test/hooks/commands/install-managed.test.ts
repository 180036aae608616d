import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { type Desk, textOf } from "../../support/program-of-commands.ts";
import { openHooksDesk } from "./hooks-desk.ts";

// biome-ignore format: a table, one agent a line
const FILES = [
  { agent: "claude-code", file: "etc/claude-code/managed-settings.json", kept: '{ "permissions": {"deny":[]} }\n' },
  { agent: "codex", file: "etc/codex/hooks.json", kept: '{"description":"ours"}' },
  { agent: "gemini", file: "etc/gemini-cli/settings.json", kept: '// rules\n{ "hooksConfig": { "enabled": false } }\n' },
  { agent: "qwen", file: "etc/qwen-code/settings.json", kept: '{\n\t"disableAllHooks": true\n}\n' },
  { agent: "copilot", file: "etc/github-copilot/policy.d/adjutant.json", kept: '{"version":1}\n' },
] as const;

const pathOf = ({ folder }: Desk, file: string) => join(folder, "system", file);

describe.each(FILES)("install --managed for $agent", ({ agent, file, kept }) => {
  test("writes the machine's file for everybody to read, and takes file and folders away again", async () => {
    const desk = openHooksDesk();
    const path = pathOf(desk, file);
    const done = await desk.adj("install", agent, "--managed");
    expect(textOf(done)).toContain(`${agent}: wrote ${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o755);
    expect(readFileSync(path, "utf8")).toMatch(/\/bin\/adj hook/);
    expect(textOf(await desk.adj("install", agent, "--managed"))).toContain("already");
    expect(textOf(await desk.adj("install"))).toMatch(
      new RegExp(`^${agent} .*absent +absent +installed`, "m"),
    );
    await desk.adj("uninstall", agent, "--managed");
    expect(existsSync(join(desk.folder, "system"))).toBe(false);
  });

  test("keeps what was there, settles what would switch it off, and gives back the very bytes", async () => {
    const desk = openHooksDesk();
    const path = pathOf(desk, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, kept);
    await desk.adj("install", agent, "--managed");
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/"enabled": false|"disableAllHooks": true/);
    expect(textOf(await desk.adj("install", agent, "--managed"))).toContain("already");
    await desk.adj("uninstall", agent, "--managed");
    expect(readFileSync(path, "utf8")).toBe(kept);
    // Changed by somebody else in between, it loses what is ours alone.
    await desk.adj("install", agent, "--managed");
    writeFileSync(path, `${text}\n`);
    await desk.adj("uninstall", agent, "--managed");
    if (existsSync(path)) expect(parse(readFileSync(path, "utf8"))).toEqual(parse(kept));
    else expect(agent).toBe("copilot");
  });
});

describe("install --managed", () => {
  test("says where an agent has no such layer, and what to do instead", async () => {
    for (const verb of ["install", "uninstall"]) {
      const refused = await openHooksDesk().adj(verb, "opencode", "--managed");
      expect(refused.result.exitCode).toBe(2);
      expect(refused.result.errorOutput).toContain(
        "`opencode` has no layer for `--managed`: it has no setting by which a repository switches plugins off; install for every user",
      );
    }
    const both = await openHooksDesk().adj("install", "codex", "--managed", "--project");
    expect(both.result.errorOutput).toContain("`--managed` excludes `--user` and `--project`");
  });

  test("says which file cannot be written, and who could, before anything is noted", async () => {
    const desk = openHooksDesk();
    writeFileSync(join(desk.folder, "system"), "no folder");
    const refused = await desk.adj("install", "codex", "--managed");
    expect(refused.result.exitCode).not.toBe(0);
    expect(refused.result.errorOutput).toMatch(
      /`.*\/etc\/codex\/hooks.json` cannot be used: .*run it as root, or .*--dry-run/,
    );
    expect(existsSync(join(desk.stateDir, "installed"))).toBe(false);
  });

  test("leaves requirements of somebody else, and says what they must say", async () => {
    const desk = openHooksDesk();
    const path = pathOf(desk, "etc/codex/requirements.toml");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'allowed_sandbox_modes = ["read-only"]\n');
    expect(textOf(await desk.adj("install", "codex", "--managed"))).toMatch(
      /requirements.toml` was there: it must say what this says\n.*\n\[features\]\nhooks = true/,
    );
    await desk.adj("uninstall", "codex", "--managed");
    expect(readFileSync(path, "utf8")).toBe('allowed_sandbox_modes = ["read-only"]\n');
  });
});
