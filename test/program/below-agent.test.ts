import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readNamespaces } from "../../src/core/process/namespaces.ts";
import { addressFile, readAddress } from "../../src/hooks/resident/address.ts";
import { HAS_TMUX } from "../support/tmux.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, type Home, makeHome, run } from "./adj.ts";

/** A program that is called like an agent's and runs the line that it is given, without a mark of its own. */
function makeAgent(home: Home, name: string): string {
  home.write({
    [`bin/${name}`]:
      '#!/bin/sh\nsh -c "$1"\nwhile [ -n "$2" ] && [ ! -e "$2" ]; do sleep 0.05; done\n',
  });
  chmodSync(join(home.folder, "bin", name), 0o755);
  return join(home.folder, "bin", name);
}

async function makeProject(): Promise<{ home: Home; grant: string }> {
  const home = makeHome();
  home.write({ "project/.adjutant/commands.yaml": "hi: { description: hi, argv: [echo] }\n" });
  const asked = await home.adj("--json", "trust");
  const hash = /--hash ([0-9a-f]{64})/.exec(asked.stdout)?.[1] ?? "";
  return { home, grant: `${ADJ} trust --hash ${hash}` };
}

const isTrusted = async (home: Home): Promise<boolean> =>
  !(await home.adj("trust", "--list")).stdout.includes("no project");

const REFUSED = /needs a person's consent[\s\S]*outside the agent/;

/** A server that nobody looks at, and one whose client runs in such a one; each ends with its line. */
const TMUX = [
  (line: string, folder: string) =>
    `env -i PATH="$PATH" tmux -S ${folder}/a -f /dev/null new-session -d '${line}'`,
  (line: string, folder: string) =>
    `env -i PATH="$PATH" TERM=xterm tmux -S ${folder}/b -f /dev/null new-session -d "env -u TMUX tmux -S ${folder}/c -f /dev/null new-session '${line}'"`,
];

/** Makes a terminal, leaves a session in it whose starter has ended, and types a yes into it. */
const HELD = `import fcntl, os, sys, termios, time
master, slave = os.openpty()
if os.fork() == 0:
    if os.fork() == 0:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        os.dup2(slave, 0)
        os.close(master)
        time.sleep(0.2)
        os.execvp("sh", ["sh", "-c", sys.argv[1]])
    os._exit(0)
os.wait()
os.write(master, b"y\\n")
time.sleep(5)
`;
const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

describe("below an agent that set no variable", () => {
  test("nothing is granted, whatever stands between it and the call, and the refusal is on record", async () => {
    const { home, grant } = await makeProject();
    const agent = makeAgent(home, "codex");
    const lines = [
      grant,
      `env -i PATH="$PATH" HOME="$HOME" ADJ_STATE_DIR=${home.stateDir} ADJ_CONFIG_DIR=${home.configDir} ${grant}`,
      `setsid -w ${grant}`,
      `script -qec '${grant}' /dev/null`,
      `${ADJ} config set model opus`,
      `${ADJ} log --prune 1d --force`,
      `${ADJ} install codex`,
      `${ADJ} --yes commands`,
    ];
    const all = lines.map((line) => `{ ${line}; } 2>&1; echo "exit $?"`).join("\n");
    const { stdout } = await run(agent, [all], { cwd: home.project, env: home.env });
    expect(stdout.match(/exit \d+/g)).toEqual(lines.map(() => "exit 126"));
    expect(stdout.match(new RegExp(REFUSED, "g"))?.length).toBeGreaterThan(0);
    expect(await isTrusted(home)).toBe(false);
    const denied = (await home.events()).filter(({ type }) => type === "AccessDenied");
    expect(denied.map(({ data }) => data.what)).toEqual([
      ...["trust", "trust", "trust", "trust", "config", "log", "install", "commands --yes"],
    ]);
  });

  test("nothing is granted to what left it behind, in a clean environment", async () => {
    const { home, grant } = await makeProject();
    const env = `env -i PATH="$PATH" HOME="$HOME" ADJ_STATE_DIR=${home.stateDir} ADJ_CONFIG_DIR=${home.configDir}`;
    const wrap = [
      (line: string) => `setsid -f ${line} & wait`,
      (line: string) => `setsid -f sh -c '${line}' & wait`,
      (line: string) => `( ( sh -c '${line}' & ) & )`,
      (line: string) => `( nohup sh -c '${line}' >/dev/null 2>&1 & )`,
      (line: string) => `setsid -f script -qec '${line}' /dev/null >/dev/null 2>&1 & wait`,
      ...(HAS_TMUX ? TMUX.map((one) => (line: string) => one(line, home.folder)) : []),
      ...(HAS_PYTHON ? [(line: string) => `python3 ${home.folder}/held.py '${line}' &`] : []),
    ];
    home.write({ "held.py": HELD });
    const grantTo = (file: string) => {
      home.write({
        [`${file}.sh`]: `${grant} >${home.folder}/${file} 2>&1; echo $? >>${home.folder}/${file}`,
      });
      return `${env} sh ${home.folder}/${file}.sh`;
    };
    const lines = wrap.map((one, at) => one(grantTo(`said-${at}`)));
    const stop = join(home.folder, "stop");
    const agent = makeAgent(home, "claude");
    const running = run(agent, [lines.join("\n"), stop], { cwd: home.project, env: home.env });
    const said = () => wrap.map((_, at) => readIfThere(join(home.folder, `said-${at}`)));
    await waitUntil(() => said().every((text) => /^\d+$/m.test(text)));
    for (const text of said()) expect(text).toMatch(/needs a person's consent.*\n126\n$/);
    expect(await isTrusted(home)).toBe(false);
    home.write({ stop: "" });
    await running;
  });
});

const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

test("a script of a person's, or of CI, is no agent", async () => {
  const { home, grant } = await makeProject();
  const script = makeAgent(home, "build");
  const { stdout } = await run(script, [`setsid -w ${grant} 2>&1`], {
    cwd: home.project,
    env: home.env,
  });
  expect(stdout).toContain("trusted");
  expect(await isTrusted(home)).toBe(true);
});

/** In a container the state is the container's own, and who started a process further in cannot be told from it. */
const { isFirstPid, isFirstMounts } = readNamespaces();
const canLeave =
  isFirstPid &&
  isFirstMounts &&
  spawnSync("unshare", ["-rmpf", "--mount-proc", "true"]).status === 0;

describe.skipIf(!canLeave)("from namespaces of its own", () => {
  test("nothing is granted on what the machine itself keeps", async () => {
    const { home, grant } = await makeProject();
    const lines = [
      `unshare -rpf --mount-proc setsid -w ${grant}`,
      `bwrap --dev-bind / / --unshare-pid --proc /proc setsid -w ${grant}`,
      `bwrap --dev-bind / / --tmpfs /proc ${grant}`,
      `unshare -rm sh -c 'mount --bind /proc/1 /proc/$PPID; ${grant}'`,
    ];
    for (const line of lines) {
      const agent = makeAgent(home, "claude");
      const { stdout } = await run(agent, [`${line} 2>&1; echo "exit $?"`], {
        cwd: home.project,
        env: home.env,
      });
      expect(stdout, line).toMatch(/needs a person's consent[\s\S]*exit 126\n$|not found/);
    }
    expect(await isTrusted(home)).toBe(false);
  });

  test("no resident answers the machine's hooks by files that may be others", async () => {
    const home = makeHome();
    await home.adj("resident", "start");
    await home.adj("resident", "stop");
    const words = ["-rm", "timeout", "20", ADJ, "resident", "serve"];
    const served = await run("unshare", words, { cwd: home.project, env: home.env });
    expect(served).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    expect(readAddress(addressFile(home.stateDir))).toBeNull();
  });
});
