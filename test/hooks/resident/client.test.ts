import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { markerFile } from "../../../src/hooks/pipeline/guard-marker.ts";
import { writeMarker } from "../../../src/hooks/pipeline/write-marker.ts";
import {
  addressFile,
  formatAddress,
  type ResidentAddress,
} from "../../../src/hooks/resident/address.ts";
import { CLIENT_SCRIPT, installClient } from "../../../src/hooks/resident/client.ts";
import { isRunning } from "../../core/process/programs.ts";
import { run } from "../../program/adj.ts";
import { INSTALLERS } from "../../support/agents.ts";
import { longTest, sampled } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { makeStandIn, type StandInHome, until } from "./stand-in.ts";

const canTrace = findProgram("strace");
const QUIET = { ADJ_RESIDENT: "" };
const answered = (asked: object) => ({
  exitCode: 0,
  signal: null,
  stdout: JSON.stringify({ agent: "claude-code", got: asked }),
  stderr: "",
});

function findProgram(name: string): boolean {
  try {
    return execFileSync("sh", ["-c", `command -v ${name}`]).length > 0;
  } catch {
    return false;
  }
}

/** Leaves an address in the file, as a resident would, and gives out no more than is asked for. */
function writeAddress(home: StandInHome, change: Partial<ResidentAddress>): void {
  const address = {
    port: 1,
    version: "1.0.0",
    clientKey: "c".repeat(32),
    serverKey: "s".repeat(32),
    owner: { pid: process.pid, startedAt: "0", host: "here" },
    ...change,
  };
  writeFileSync(addressFile(home.stateDir), formatAddress(address), { mode: 0o600 });
}

describe("with a resident", () => {
  test.each([
    ["a small payload", { do: "echo" }],
    ["quotes, backslashes, line breaks and %", { text: `'"\\\n%s $(x) \`y\` \u0001 é 你 🙂` }],
    ["a large payload", { text: "é".repeat(500_000) }],
  ])("%s is answered by it, and nothing else is printed", async (_, asked) => {
    const home = makeStandIn();
    await home.startResident();
    expect(await home.call(asked)).toEqual(answered(asked));
    await home.logged(["warm answered"]);
  });

  test("what it has to say to the person goes to stderr", async () => {
    const home = makeStandIn();
    await home.startResident();
    expect(await home.call({ warn: "adj: look\n" })).toMatchObject({ stderr: "adj: look\n" });
    await home.logged(["warm answered"]);
  });

  test.skipIf(!canTrace)("no process is started to reach it (needs strace)", async () => {
    const home = makeStandIn();
    await home.startResident();
    const calls = join(home.folder, "calls");
    const words = ["-f", "-e", "trace=fork,vfork,clone,clone3,execve", "-o", calls];
    const place = { cwd: home.folder, env: home.env, stdin: '{"do":"echo"}' };
    const { stdout } = await run("strace", [...words, home.client, "claude-code"], place);
    expect(stdout).toBe(answered({ do: "echo" }).stdout);
    expect(readFileSync(calls, "utf8").match(/fork|clone|execve/g)).toEqual(["execve"]);
  });

  test("handlers get the same environment and folder as cold", async () => {
    const home = makeStandIn();
    await home.startResident({ ADJ_SESSION_ID: "of-another", SECRET: "of-another" });
    const link = join(home.folder, "link");
    mkdirSync(join(home.folder, "real"));
    symlinkSync(join(home.folder, "real"), link);
    const env = {
      ...home.env,
      LC_ALL: "C.UTF-8",
      LC_CTYPE: "é",
      LANG: "",
      XDG_DATA_HOME: "/a b",
      CLAUDE_PROJECT_DIR: "line\nbreak",
      ADJ_AGENT: "'\"$x",
      ADJ_RUN_ID: "outer",
      GITHUB_TOKEN: "not for handlers",
      PWD: link,
      payload: "mine",
    };
    const place = { cwd: link, env, stdin: '{"do":"env"}' };
    const cold = { ...place, env: { ...env, ADJ_RESIDENT: "off" } };
    const seen = [
      await run(home.client, ["gemini"], place),
      await run(home.client, ["gemini"], cold),
    ];
    await home.logged(["warm answered", "cold answered"]);
    const [warmSaw, coldSaw] = seen.map(({ stdout }) => JSON.parse(stdout));
    const isOther = ([name]: [string]) => name !== "ADJ_RESIDENT";
    expect({ ...coldSaw, env: coldSaw.env.filter(isOther) }).toEqual(warmSaw);
    expect(Object.fromEntries(warmSaw.env)).toMatchObject({
      LC_ALL: "C.UTF-8",
      LANG: "",
      CLAUDE_PROJECT_DIR: "line\nbreak",
      ADJ_RUN_ID: "outer",
    });
    expect(Object.keys(Object.fromEntries(warmSaw.env))).not.toContain("GITHUB_TOKEN");
    expect(warmSaw.cwd).toBe(join(home.folder, "real"));
  });

  test("a caller without an environment has none for handlers either", async () => {
    const home = makeStandIn();
    await home.startResident();
    const env = { ADJ_STATE_DIR: home.stateDir };
    const { stdout } = await run(home.client, ["codex"], {
      cwd: "/",
      env,
      stdin: '{"do":"env"}',
    });
    await home.logged(["warm answered"]);
    expect(JSON.parse(stdout).env).toEqual([["ADJ_STATE_DIR", home.stateDir]]);
  });

  test("a bash that cannot read by count, as macOS has it, does the same", async () => {
    const home = makeStandIn();
    await home.startResident();
    writeFileSync(home.client, CLIENT_SCRIPT.replace("< 404", "< 99999"), { mode: 0o700 });
    const asked = { text: "é'\\n\"".repeat(2_000), warn: "adj: look\n" };
    expect(await home.call(asked)).toEqual({ ...answered(asked), stderr: asked.warn });
    await home.logged(["warm answered"]);
    expect(await home.call(asked, { CI: "1" })).toEqual({ ...answered(asked), stderr: asked.warn });
    await home.logged(["warm answered", "cold answered"]);
  });

  test("it is not asked in CI nor where it is switched off", async () => {
    const home = makeStandIn();
    await home.startResident();
    for (const env of [{ CI: "1" }, { ADJ_RESIDENT: "off" }])
      expect(await home.call({ do: "echo" }, env)).toEqual(answered({ do: "echo" }));
    await home.logged(["cold answered", "cold answered"]);
  });
});

describe("without a resident that can be believed, the answer is the cold one", () => {
  const expectCold = async (home: StandInHome, times = 1_000) => {
    const asked = { text: "é\n'\"".repeat(times) };
    expect(await home.call(asked, { CI: "" })).toEqual(answered(asked));
    await home.logged(["cold answered"]);
  };

  test("no file", async () => expectCold(makeStandIn(), 30_000));

  test("a file of a process that is gone", async () => {
    const home = makeStandIn();
    const pid = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
    writeAddress(home, { owner: { pid, startedAt: "0", host: "here" } });
    await expectCold(home);
  });

  test.each(sampled(["", "adj1", "adj1 99999999 1 x y z\n", "\0\0\0", "x ".repeat(20)]))(
    "a file with %j in it",
    async (text) => {
      const home = makeStandIn();
      writeFileSync(addressFile(home.stateDir), text, { mode: 0o600 });
      await expectCold(home);
    },
  );

  test.each([
    ["a pipe", (file: string) => void execFileSync("mkfifo", [file])],
    ["a device", (file: string) => symlinkSync("/dev/zero", file)],
  ])("%s in place of the file", async (_, put) => {
    const home = makeStandIn();
    mkdirSync(home.stateDir, { recursive: true });
    put(addressFile(home.stateDir));
    await expectCold(home);
  });

  test("nobody listens on the port", async () => {
    const home = makeStandIn();
    writeAddress(home, {});
    await expectCold(home);
  });

  test.each(
    sampled([
      ["says nothing of its key", "x".repeat(49 + 2)],
      ["ends at once", ""],
      ["ends in the middle of an answer", `${"s".repeat(32)}A0000001000000000{}`],
      ["sends it away", `${"s".repeat(32)}C0000000000000000`],
    ]),
  )("another program on the port %s", async (_, said) => {
    const home = makeStandIn();
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(said));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    writeAddress(home, { port });
    await expectCold(home);
  });

  longTest("it falls silent", { timeout: 20_000 }, async () => {
    const home = makeStandIn();
    const resident = await home.startResident();
    resident.child.kill("SIGSTOP");
    // The launcher hands over to the program, so this is the resident itself.
    expect(resident.child.pid).toBe(home.address()?.owner.pid);
    const asked = { do: "echo" };
    expect(await home.call(asked, QUIET)).toEqual(answered(asked));
    await home.logged(["cold answered"]);
  });
});

describe("where guards were in force and nobody answers, it refuses by itself", () => {
  const set = (steps: string, folder: string) => [
    { configDir: join(folder, ".config", "adjutant"), root: "*", steps, files: "" },
  ];
  async function guardedHome(program: string, steps = "before_tool=*") {
    const home = makeStandIn();
    await writeMarker(home.dataDir, set(steps, home.folder));
    const file = markerFile(home.dataDir);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^(limit\t.*\t)\d+$/gm, "$11"));
    writeFileSync(join(home.folder, "adj"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    return home;
  }
  const EVENTS = INSTALLERS.map(({ agent, abilities }) => {
    return [agent, abilities.steps.before_tool?.event ?? ""] as const;
  });
  const callAs = (home: StandInHome, words: readonly string[], stdin = "{}") =>
    run(home.client, words, { cwd: home.folder, env: { ...home.env, ADJ_RESIDENT: "off" }, stdin });

  test.each([
    ["is too slow", "echo $$ >pid; exec sleep 1000", /had no answer in time/],
    ["fails", "echo '{}'; exit 3", /ended without an answer/],
    ["is killed", "kill -9 $$", /ended without an answer/],
  ])("the program %s", async (_, program, told) => {
    const home = await guardedHome(program);
    const answers = await Promise.all(EVENTS.map((words) => callAs(home, words)));
    for (const { exitCode, stdout, stderr } of answers) {
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.stringify(JSON.parse(stdout))).toMatch(told);
    }
    const pid = join(home.folder, "pid");
    // Killed it is, but whoever inherits it may not have taken note yet.
    if (existsSync(pid)) await waitUntil(() => !isRunning(Number(readFileSync(pid, "utf8"))));
  });

  test("the program is gone; without guards the agent goes on", async () => {
    const home = await guardedHome("");
    rmSync(join(home.folder, "adj"));
    const env = { ...home.env, PATH: "/usr/bin:/bin" };
    const gone = () => run(home.client, ["codex", "PreToolUse"], { cwd: "/", env, stdin: "{}" });
    expect((await gone()).stdout).toContain('"permissionDecision":"deny"');
    await writeMarker(home.dataDir, set("", home.folder));
    expect(await gone()).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("program was removed"),
    });
  });

  test("at other events, for other agents, and in other projects nothing is refused", async () => {
    const home = await guardedHome("exit 3", "before_tool=codex");
    const printed = await Promise.all([
      callAs(home, ["codex", "PostToolUse"]),
      callAs(home, ["qwen", "PreToolUse"]),
    ]);
    expect(printed.map(({ stdout }) => stdout)).toEqual(["", ""]);
    expect((await callAs(home, ["codex", "PreToolUse"])).stdout).toContain("deny");
    await writeMarker(home.dataDir, [
      ...set("", home.folder),
      {
        configDir: join(home.folder, ".config", "adjutant"),
        root: "/other",
        steps: "before_tool=*",
        files: "",
      },
    ]);
    expect((await callAs(home, ["codex", "PreToolUse"])).stdout).toBe("");
  });

  test("nobody can read what is in force: a tool is refused by the exit code that all agents know", async () => {
    const home = await guardedHome("cat >/dev/null; exit 3");
    rmSync(markerFile(home.dataDir));
    mkdirSync(markerFile(home.dataDir));
    const refused = { exitCode: 2, stdout: "", stderr: expect.stringContaining("cannot be read") };
    for (const words of EVENTS.filter(([agent]) => agent !== "opencode"))
      expect(await callAs(home, words)).toMatchObject(refused);
    expect(await callAs(home, ["codex", "PostToolUse"])).toMatchObject({ exitCode: 0, stdout: "" });
  });

  longTest(
    "a payload over 64 MiB is refused without being passed on",
    {
      timeout: 60_000,
    },
    async () => {
      const home = await guardedHome("touch called; echo '{}'");
      const { stdout } = await callAs(home, ["codex", "PreToolUse"], " ".repeat((64 << 20) + 1));
      expect(stdout).toContain("over 64 MiB");
      expect(existsSync(join(home.folder, "called"))).toBe(false);
    },
  );
});

describe("a resident that falls silent", () => {
  test("is asked no more: the next call goes another way at once, and another takes over", {
    timeout: 30_000,
  }, async () => {
    const home = makeStandIn();
    const { child } = await home.startResident();
    const silent = home.address()?.serverKey;
    child.kill("SIGSTOP");
    await home.call({ do: "echo" }, QUIET);
    expect(home.address()?.serverKey).not.toBe(silent);
    await until(() => home.address() !== null);
    await home.call({ do: "echo" }, QUIET);
    await home.logged(["cold answered", "warm answered"]);
  });
});

describe("installed", () => {
  test("it stays as it is, at the same place, when the program moves", () => {
    const home = makeStandIn();
    const moved = installClient(home.dataDir, "/elsewhere/adj");
    expect(moved).toBe(home.client);
    expect(CLIENT_SCRIPT).not.toContain("elsewhere");
  });

  test("when the program was removed the agent goes on, told once", async () => {
    const home = makeStandIn();
    await writeMarker(home.dataDir, []);
    rmSync(join(home.folder, "adj"));
    const env = { PATH: "/usr/bin:/bin", HOME: home.folder, ADJ_STATE_DIR: home.stateDir };
    const call = (agent: string) =>
      run(home.client, [agent], { cwd: home.folder, env, stdin: "{}" });
    expect(await call("claude-code")).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "adj: the program was removed; `adj uninstall` takes its hooks away\n",
    });
    expect(await call("gemini")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });
});
