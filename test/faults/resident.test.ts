// The built program's resident, killed, starved and changed under its callers: no answer may differ from the cold one.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isAlive } from "../../src/core/process/identity.ts";
import { addressFile, readAddress } from "../../src/hooks/resident/address.ts";
import { installClient } from "../../src/hooks/resident/client.ts";
import { until } from "../hooks/resident/stand-in.ts";
import { ADJ, type Home, makeHome, type Printed, run, start } from "../program/adj.ts";
import { inTier, sampled } from "../support/tier.ts";
import { canMount, mountTmpfs } from "./tmpfs.ts";

const payloadOf = (home: Home, command: string) =>
  JSON.stringify({
    session_id: "s1",
    cwd: home.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "t1",
  });

interface TestProgram {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  pid(): number;
  warm(command: string): Promise<Printed>;
  cold(command: string): Promise<Printed>;
}

/** A home whose resident runs, and the client in front of it. */
async function openTestProgram(stateFolder?: string): Promise<TestProgram> {
  const home = makeHome();
  const stateDir = stateFolder ?? home.stateDir;
  const env = { ...home.env, ADJ_STATE_DIR: stateDir };
  const client = installClient(join(stateDir, "..", "data"), ADJ);
  const call = (command: string, own: NodeJS.ProcessEnv) =>
    run(client, ["claude-code"], {
      cwd: home.project,
      env: own,
      stdin: payloadOf(home, command),
    });
  const living = () => {
    const address = readAddress(addressFile(stateDir));
    return address !== null && isAlive(address.owner) === true ? address.owner.pid : null;
  };
  onTestFinished(() => {
    const pid = living();
    if (pid !== null) process.kill(pid, "SIGKILL");
  });
  const started = await home.adjIn({ env }, "resident", "start");
  expect(started).toMatchObject({ exitCode: 0, stderr: "" });
  return {
    home,
    env,
    stateDir,
    pid: () => living() ?? 0,
    warm: (command) => call(command, env),
    cold: (command) => call(command, { ...env, ADJ_RESIDENT: "off" }),
  };
}

const SLOW_GUARD = (folder: string) => `hooks:
  - name: slow
    on: before_tool
    match: { command: "slow*" }
    run: { argv: [sh, -c, 'echo x >>"$0/begun"; while [ ! -e "$0/go" ]; do sleep 0.02; done; echo no >&2; exit 2', "${folder}"] }
    timeout: 20s
`;

test("killed in the middle of a call, the answer is the cold one", async () => {
  const opened = await openTestProgram();
  opened.home.write({ "config/hooks.yaml": SLOW_GUARD(opened.home.folder) });
  const begun = join(opened.home.folder, "begun");
  const waiting = opened.warm("slow one");
  await until(() => existsSync(begun));
  process.kill(opened.pid(), "SIGKILL");
  await until(() => readFileSync(begun, "utf8").length === 4);
  writeFileSync(join(opened.home.folder, "go"), "");
  const answer = await waiting;
  expect(answer).toEqual(await opened.cold("slow one"));
  expect(answer.stdout).toContain("deny");
});

test("a hook that changes is in force at the next call, and none is lost meanwhile", async () => {
  const opened = await openTestProgram();
  const pid = opened.pid();
  const rule = (word: string) => `hooks:
  - name: no-${word}
    on: before_tool
    match: { command: "${word}*" }
    run: { builtin: deny, with: { reason: "no ${word}" } }
`;
  for (const word of ["rm", "dd", "mv"]) {
    opened.home.write({ "config/hooks.yaml": rule(word) });
    const answers = await Promise.all(["rm x", "dd x", "mv x"].map((line) => opened.warm(line)));
    const denied = answers.map(({ stdout }) => stdout.includes("deny"));
    expect(denied).toEqual(["rm", "dd", "mv"].map((one) => one === word));
  }
  expect(opened.pid()).toBe(pid);
});

test("a virtual command answers as cold, and as its file says now", async () => {
  const opened = await openTestProgram();
  const write = (text: string) =>
    opened.home.write({
      "config/commands/say.js": `import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Say something",
  effect: "read",
  safety: "read_only",
  run: () => ok(${JSON.stringify(text)}),
});
`,
    });
  for (const text of ["one", "two, longer", "three"]) {
    write(text);
    const answer = await opened.warm("adj-say");
    expect(answer.stdout).toContain(text);
    expect(answer).toEqual(await opened.cold("adj-say"));
  }
});

test.each(
  sampled([
    ["exits", "process.exit(3)"],
    ["throws", "throw new Error('no')"],
    ["prints by itself", "console.log('beside the answer')"],
  ]),
)("a command that %s does not end the resident", async (_, act) => {
  const opened = await openTestProgram();
  const pid = opened.pid();
  opened.home.write({
    "config/commands/bad.js": `export default {
  description: "Misbehave", effect: "read", safety: "read_only",
  run: () => { ${act}; return { success: true, output: "x", errorOutput: null, exitCode: 0, metadata: null }; },
};
`,
  });
  expect(await opened.warm("adj-bad")).toEqual(await opened.cold("adj-bad"));
  expect(await opened.warm("ls")).toMatchObject({ exitCode: 0, stdout: "{}" });
  expect(opened.pid()).toBe(pid);
});

test("who comes without the secret is on record", async () => {
  const opened = await openTestProgram();
  const socket = connect(readAddress(addressFile(opened.stateDir))?.port ?? 0, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.end(`ADJ1\0${"0".repeat(32)}\0`);
  const denied = async () =>
    (await opened.home.events())
      .filter(({ type }) => type === "AccessDenied")
      .map(({ data }) => data);
  let noted = await denied();
  while (noted.length === 0) noted = await denied();
  expect(noted).toEqual([{ what: "resident", problem: "wrong key" }]);
});

describe.skipIf(!canMount())("a full disk (needs root to mount a small one)", () => {
  const fill = (folder: string) => {
    const write = (bytes: number) => {
      for (;;) appendFileSync(join(folder, "ballast"), Buffer.alloc(bytes, 1));
    };
    for (const bytes of [4_096, 1]) expect(() => write(bytes)).toThrow("ENOSPC");
  };

  test("costs no answer, neither a pass nor a guard's", async () => {
    const opened = await openTestProgram(mountTmpfs("size=4m"));
    opened.home.write({
      "config/hooks.yaml": `hooks:
  - name: no-rm
    on: before_tool
    match: { command: "rm*" }
    run: { builtin: deny, with: { reason: no rm here } }
`,
    });
    const before = [await opened.warm("ls"), await opened.warm("rm x")];
    fill(opened.stateDir);
    const pid = opened.pid();
    const after = [await opened.warm("ls"), await opened.warm("rm x")];
    expect(after.map(({ stdout }) => stdout)).toEqual(before.map(({ stdout }) => stdout));
    expect(after.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(opened.pid()).toBe(pid);
    rmSync(join(opened.stateDir, "ballast"));
    await opened.warm("rm x");
    expect(existsSync(addressFile(opened.stateDir))).toBe(true);
  });
});

test("started and left idle over and over, no file and no process stays behind", {
  timeout: 120_000,
}, async () => {
  const live = async () => {
    const home = makeHome();
    const place = { cwd: "/", env: { ...home.env, ADJ_RESIDENT_IDLE: "40ms" } };
    for (let cycle = 0; cycle < inTier(2, 25); cycle++) {
      const { ended, child } = start(ADJ, ["resident", "serve"], place);
      await until(() => existsSync(addressFile(home.stateDir)) || child.exitCode !== null);
      expect(await ended).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
    }
    // Which machine the folder belongs to is kept.
    expect(readdirSync(home.stateDir).filter((name) => name !== "machine")).toEqual([]);
  };
  await Promise.all([live(), live(), live(), live()]);
});
