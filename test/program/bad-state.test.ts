// A state folder that cannot be used, and a place that is none.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { canMount, makeReadOnly, mountTmpfs } from "../faults/tmpfs.ts";
import { sampled } from "../support/tier.ts";
import { ADJ, type Home, makeHome, run } from "./adj.ts";

function versionOf(path: string, next?: number): number {
  const database = new DatabaseSync(path);
  if (next !== undefined) database.exec(`PRAGMA user_version = ${next}`);
  const found = database.prepare("PRAGMA user_version").get()?.user_version;
  database.close();
  return Number(found);
}

const RED = 'PATH           VALUE  FROM\nsystem_prompt  "red"  session\n';
const MOVE_ASIDE = "move it aside with its `-wal` and `-shm` files; a new one is made";

describe.each([
  ["audit.db", 1],
  ["state.db", 5],
])("%s", (file, newest) => {
  test("from a newer version is left as it is", async () => {
    const home = makeHome();
    await home.adj("params", "system_prompt=red");
    const path = join(home.stateDir, file);
    versionOf(path, 99);
    expect(await home.adj("params", "system_prompt=blue")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `adj: \`${path}\` was written by a newer Adjutant (schema 99, this one knows ${newest}); update Adjutant, or set \`ADJ_STATE_DIR\` to another folder\n`,
    });
    expect(versionOf(path)).toBe(99);
    versionOf(path, newest);
    expect(await home.adj("params")).toMatchObject({ stdout: RED, stderr: "" });
  });

  test("that is no database is left as it is", async () => {
    const home = makeHome();
    const garbage = "no database".repeat(1000);
    home.write({ [`state/${file}`]: garbage });
    const path = join(home.stateDir, file);
    expect(await home.adj("params", "system_prompt=blue")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `adj: \`${path}\` cannot be used: the file is not a database; ${MOVE_ASIDE}\n`,
    });
    const { exitCode, stdout, stderr } = await home.adj("--json", "params", "system_prompt=blue");
    expect({ exitCode, stderr, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      stderr: "",
      kind: "failed",
      error: { class: "Storage", code: "StoreUnavailable", hint: MOVE_ASIDE },
      result: { exitCode: 1, output: "" },
    });
    expect(readFileSync(path, "utf8")).toBe(garbage);
  });
});

const within = (home: Home, stateDir: string) => ({
  env: { ...home.env, ADJ_STATE_DIR: stateDir },
});

function fillDisk(folder: string): string {
  const ballast = join(folder, "ballast");
  for (const bytes of [4096, 1])
    expect(() => {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes, 1));
    }).toThrow("ENOSPC");
  return ballast;
}

describe.skipIf(!canMount())("a state folder on a disk (needs root to mount one)", () => {
  test("that is full takes nothing or all of a change", async () => {
    const home = makeHome();
    const folder = mountTmpfs("size=2m");
    const there = within(home, folder);
    expect(await home.adjIn(there, "params", "system_prompt=red")).toMatchObject({ exitCode: 0 });
    const ballast = fillDisk(folder);
    expect(
      await home.adjIn(there, "params", `system_prompt=${"blue".repeat(12_000)}`),
    ).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^adj: `[^`]+\.db` cannot be used: the disk is full; free some space and try again\n$/,
      ),
    });
    rmSync(ballast);
    expect(await home.adjIn(there, "params")).toMatchObject({ stdout: RED, stderr: "" });
    const { stdout } = await home.adjIn(there, "log", "--json", "--command", "params");
    const events = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).type);
    expect(events.filter((type) => type === "CommandDispatched")).toHaveLength(
      events.filter((type) => type === "CommandResulted").length,
    );
  });

  test.each(["empty", "used before"])("that is read-only and %s", async (kind) => {
    const home = makeHome();
    const folder = mountTmpfs("size=2m");
    const there = within(home, folder);
    if (kind === "used before") await home.adjIn(there, "params", "system_prompt=red");
    makeReadOnly(folder);
    const before = readdirSync(folder, { recursive: true });
    expect(await home.adjIn(there, "params", "system_prompt=blue")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `adj: \`${join(folder, "audit.db")}\` cannot be used: it or its folder is read-only; make it writable, or set \`ADJ_STATE_DIR\` to a folder that is\n`,
    });
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });
});

describe("a place that is none", () => {
  test("a state folder that is a file", async () => {
    const home = makeHome();
    writeFileSync(home.stateDir, "in the way");
    expect(await home.adj("env")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: `adj: \`${join(home.stateDir, "audit.db")}\` cannot be used: something else lies where it or its folder should be; move that away, or set \`ADJ_STATE_DIR\` to another folder\n`,
    });
    expect(readFileSync(home.stateDir, "utf8")).toBe("in the way");
  });

  // Node's own way of making folders does not come back from there.
  test("a state folder that cannot be made, at once", async () => {
    const home = makeHome();
    expect(await home.adjIn(within(home, "/proc/nope"), "env")).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr:
        "adj: `/proc/nope/audit.db` cannot be used: its folder cannot be made; set `ADJ_STATE_DIR` to another folder\n",
    });
  });

  test.each(sampled(["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "XDG_STATE_HOME"]))(
    "a relative %s",
    async (name) => {
      const home = makeHome();
      const { ADJ_STATE_DIR: _, ...env } = home.env;
      expect(await home.adjIn({ env: { ...env, [name]: "here" } }, "env")).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr: `adj: \`${name}\`: \`here\` is not an absolute path; give the whole path, beginning with \`/\`, or unset it\n`,
      });
      expect(readdirSync(home.project)).toEqual([]);
    },
  );

  test("a working directory that does not exist", async () => {
    const home = makeHome();
    const gone = join(home.folder, "gone");
    expect(await home.adj("--cwd", gone, "env")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `adj: the working directory: \`${gone}\` is not a folder\n`,
    });
    expect(readdirSync(home.folder)).not.toContain("state");
  });

  test("a working directory that was removed under the shell", async () => {
    const home = makeHome();
    home.write({ "project/gone/file": "" });
    const typed = `cd gone && rm -r ../gone && exec "$0" env`;
    const printed = await run("sh", ["-c", typed, ADJ], { cwd: home.project, env: home.env });
    expect(printed).toMatchObject({ exitCode: 2, stdout: "" });
    // The shell that starts the program has its own say before.
    expect(printed.stderr.split("\n").at(-2)).toBe(
      "adj: `.` cannot be read: the working directory was removed; go to a folder that exists",
    );
  });
});

describe("guards that were in force", () => {
  const GUARD = `hooks:
  - { name: no-push, on: before_tool, match: { command: "git push*" }, run: { builtin: deny } }
`;
  const asCodex = (home: Home, change: NodeJS.ProcessEnv = {}) => {
    const tool = { tool_name: "Bash", tool_input: { command: "ls" } };
    const step = { hook_event_name: "PreToolUse", session_id: "s", cwd: home.project };
    const stdin = JSON.stringify({ ...step, ...tool });
    return home.adjIn({ stdin, env: { ...home.env, ...change } }, "hook", "codex");
  };

  test("refuse at once where the state folder cannot be made", async () => {
    const home = makeHome();
    home.write({ "config/hooks.yaml": GUARD });
    expect(await asCodex(home)).toMatchObject({ stdout: "", stderr: "" });
    const { stdout } = await asCodex(home, { ADJ_STATE_DIR: "/proc/nope" });
    expect(stdout).toContain("`/proc/nope` cannot be read: there is none and it cannot be made");
    expect(stdout).toContain("guards are in force here, so it did not run");
  });

  test.each(["hooks.yaml", "."])(
    "do not end by the loss of config/%s: a person says that it is meant",
    async (lost) => {
      const home = makeHome();
      home.write({ "config/hooks.yaml": GUARD });
      expect(await home.adj("install", "codex")).toMatchObject({ exitCode: 0 });
      rmSync(join(home.configDir, lost === "." ? "" : lost), { recursive: true });
      for (const env of [{}, { ADJ_RESIDENT: "off" }]) {
        const { stdout } = await asCodex(home, env);
        expect(stdout).toContain("run `adj install AGENT` in a terminal of your own");
      }
      const told = await home.adj("doctor", "codex");
      expect(told.exitCode).toBe(1);
      expect(told.stdout).toContain("guards of the user were in force");
      expect(await home.adj("install", "codex")).toMatchObject({ exitCode: 0 });
      expect(await asCodex(home)).toMatchObject({ stdout: "", stderr: "" });
    },
  );
});
