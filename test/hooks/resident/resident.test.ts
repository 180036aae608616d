import { once } from "node:events";
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareHttpEntry, removeHttpEntry } from "../../../src/hooks/resident/http-entry.ts";
import { isRunning } from "../../core/process/programs.ts";
import { longTest, sampled } from "../../support/tier.ts";
import { makeStandIn, type StandInHome, until } from "./stand-in.ts";

/** Says something to the resident and returns all it says. */
async function say(home: StandInHome, bytes: string): Promise<string> {
  const socket = connect(home.address()?.port ?? 0, "127.0.0.1");
  const heard: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => heard.push(chunk));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return Buffer.concat(heard).toString();
}

const frame = (...fields: string[]) => fields.map((field) => `${field}\0`).join("");

describe("the secret", () => {
  test.each(
    sampled([
      ["a wrong key", frame("ADJ1", "0".repeat(32), "codex", "/", "2", "0", "{}"), "wrong key"],
      ["a short key", frame("ADJ1", "x", "codex", "/", "2", "0", "{}"), "wrong key"],
      ["no key", frame("ADJ1", "", "codex", "/", "2", "0", "{}"), "wrong key"],
      ["another protocol", "GET / HTTP/1.1\r\nhost: x\r\n\r\n", "no greeting"],
    ]),
  )("%s is refused without a word, and noted", async (_, bytes, problem) => {
    const home = makeStandIn();
    await home.startResident();
    expect(await say(home, bytes)).toBe("");
    await home.logged([`refused: ${problem}`]);
  });

  test("is for its user alone, and new at each start", async () => {
    const home = makeStandIn();
    const first = await home.startResident();
    expect(statSync(join(home.stateDir, "resident")).mode & 0o777).toBe(0o600);
    const keys = home.address();
    first.child.kill("SIGKILL");
    await first.ended;
    await home.startResident();
    const other = home.address();
    expect(
      new Set([keys?.clientKey, keys?.serverKey, other?.clientKey, other?.serverKey]),
    ).toHaveLength(4);
  });

  test.each(
    sampled([
      ["a length that is none", "x", "0"],
      ["a length beyond all bounds", "99999999999", "0"],
      ["more variables than there can be", "2", "1000000"],
    ]),
  )("does not help %s", async (_, size, count) => {
    const home = makeStandIn();
    await home.startResident();
    const key = home.address()?.clientKey;
    expect(await say(home, frame("ADJ1", key ?? "", "codex", "/", size, count, "{}"))).toBe("");
    await until(() => home.log()[0]?.startsWith("refused: bad") ?? false);
  });
});

describe("one per state folder", () => {
  test("of several that start at once one stays, the others end in silence", async () => {
    const home = makeStandIn();
    // Not each waited for: the first may be there before the last is started.
    const started = Array.from({ length: 6 }, () => home.launch());
    await until(() => home.address() !== null);
    const pid = home.address()?.owner.pid;
    const others = started.filter(({ child }) => child.pid !== pid);
    expect(others).toHaveLength(5);
    for (const { ended } of others)
      expect(await ended).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
    expect(home.log().toSorted()).toEqual(Array(5).fill("taken"));
    expect(await home.call({ do: "echo" })).toMatchObject({ exitCode: 0 });
    await until(() => home.log().includes("warm answered"));
  });

  test("a dead one's file is taken over, also by several at once", async () => {
    const home = makeStandIn();
    const dead = await home.startResident();
    dead.child.kill("SIGKILL");
    await dead.ended;
    const deadKey = home.address()?.serverKey;
    const started = Array.from({ length: 4 }, () => home.launch());
    await until(() => home.address() !== null && home.address()?.serverKey !== deadKey);
    const pids = started.map(({ child }) => child.pid);
    expect(pids).toContain(home.address()?.owner.pid);
    await until(
      () => home.log().filter((line) => line === "taken" || line === "retired").length === 3,
    );
    // The one that was first may be seen before it has put its own copy of the file away.
    await until(() => readdirSync(home.stateDir).join() === "resident");
  });

  test("one whose file was taken away retires", async () => {
    const home = makeStandIn();
    const { ended } = await home.startResident();
    rmSync(join(home.stateDir, "resident"));
    expect(await ended).toMatchObject({ exitCode: 0 });
  });
});

describe("its life", () => {
  test("the first cold call leaves one running, which answers the next", async () => {
    const home = makeStandIn();
    const agentEnv = { ADJ_RUN_ID: "run", ADJ_SESSION_ID: "s", ANTHROPIC_API_KEY: "k" };
    await home.call({ do: "echo" }, agentEnv);
    await until(() => home.address() !== null);
    await home.call({ do: "echo" });
    await home.logged(["cold answered", "warm answered"]);
    const pid = home.address()?.owner.pid;
    if (process.platform !== "linux") return;
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe("/");
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    for (const name of Object.keys(agentEnv)) expect(environment).not.toContain(name);
  });

  test.each([{ CI: "true" }, { ADJ_RESIDENT: "off" }])("with %j none is left", async (env) => {
    const home = makeStandIn();
    await home.call({ do: "echo" }, env);
    expect(existsSync(join(home.stateDir, "resident.starting"))).toBe(false);
    expect(home.address()).toBeNull();
  });

  test("asked to end, it finishes what it is doing and takes its file away first", async () => {
    const home = makeStandIn();
    const resident = await home.startResident();
    const go = join(home.folder, "go");
    const asked = { do: "wait", until: go };
    const call = home.startCall(asked);
    await home.logged(["warm begins"]);
    resident.child.kill("SIGTERM");
    await until(() => home.address() === null);
    expect(isRunning(resident.child.pid ?? 0)).toBe(true);
    writeFileSync(go, "");
    expect(JSON.parse((await call.ended).stdout)).toEqual({ agent: "claude-code", got: asked });
    expect(await resident.ended).toMatchObject({ exitCode: 0, stderr: "" });
    await home.logged(["warm begins", "warm answered", "retired"]);
  });

  test("a call whose caller went away is abandoned", async () => {
    const home = makeStandIn();
    await home.startResident();
    const call = home.startCall({ do: "wait", until: join(home.folder, "never") });
    await home.logged(["warm begins"]);
    call.child.kill("SIGKILL");
    await until(() => home.log().includes("warm abandoned"));
  });

  longTest("a long call is waited for", { timeout: 30_000 }, async () => {
    const home = makeStandIn();
    await home.startResident();
    const go = join(home.folder, "go");
    const call = home.startCall({ do: "wait", until: go });
    await home.logged(["warm begins"]);
    // Longer than the client waits for a sign of life.
    const since = performance.now();
    await until(() => performance.now() - since > 7_000);
    writeFileSync(go, "");
    expect((await call.ended).stdout).toContain("claude-code");
    await home.logged(["warm begins", "warm answered"]);
  });
});

describe("another program on disk", () => {
  test("a successor takes over while calls run, and none is lost", async () => {
    const home = makeStandIn();
    const resident = await home.startResident();
    const before = home.address()?.serverKey;
    const go = join(home.folder, "go");
    const running = home.startCall({ do: "wait", until: go });
    await home.logged(["warm begins"]);
    writeFileSync(join(home.folder, "version"), "2.0.0");
    writeFileSync(join(home.folder, "code"), "22");
    const versions: string[] = [];
    while (home.address()?.serverKey === before || versions.at(-1) !== "2.0.0")
      versions.push(JSON.parse((await home.call({ do: "version" })).stdout).version);
    writeFileSync(go, "");
    expect((await running.ended).stdout).toContain("claude-code");
    expect(await resident.ended).toMatchObject({ exitCode: 0 });
    expect(new Set(versions)).toEqual(new Set(["1.0.0", "2.0.0"]));
    expect(home.log().filter((line) => line.startsWith("cold"))).toEqual([]);
  });

  test("one of another version is asked to retire by the next that starts", async () => {
    const home = makeStandIn();
    const old = await home.startResident();
    writeFileSync(join(home.folder, "version"), "2.0.0");
    await home.startResident();
    expect(await old.ended).toMatchObject({ exitCode: 0 });
    expect(home.address()?.version).toBe("2.0.0");
    const { stdout } = await home.call({ do: "version" });
    expect(stdout).toBe('{"version":"2.0.0"}');
  });
});

describe("by HTTP", () => {
  const post = (url: string, headers: Record<string, string>, body = '{"cwd":"/","do":"env"}') =>
    fetch(url, { method: "POST", headers, body });

  test("an agent with the secret gets the same answer; without, 401", async () => {
    const home = makeStandIn();
    const { port, secret } = await prepareHttpEntry(home.stateDir);
    await home.startResident();
    const url = `http://127.0.0.1:${port}/hook/claude-code`;
    const authorization = `Bearer ${secret}`;
    const isUp = async () => (await fetch(url).catch(() => null))?.status === 401;
    while (!(await isUp()));
    const answered = await post(url, { authorization, "x-adj-project": "/p" });
    expect([answered.status, await answered.json()]).toEqual([
      200,
      { cwd: "/", env: [["CLAUDE_PROJECT_DIR", "/p"]] },
    ]);
    for (const headers of [{}, { authorization: "Bearer x" }])
      expect((await post(url, headers)).status).toBe(401);
    expect((await post(`${url}/x`, { authorization })).status).toBe(404);
    expect((await fetch(url, { headers: { authorization } })).status).toBe(405);
    expect(home.log()).toContain("refused: HTTP with a wrong secret");
  });

  test("while there is an entry it stays, and a successor opens the same port", async () => {
    const home = makeStandIn();
    const { port, secret } = await prepareHttpEntry(home.stateDir);
    const first = await home.startResident({ ADJ_RESIDENT_IDLE: "50ms" });
    const url = `http://127.0.0.1:${port}/hook/claude-code`;
    const ask = () =>
      post(url, { authorization: `Bearer ${secret}`, connection: "close" }, '{"do":"version"}');
    const isUp = async () => (await fetch(url).catch(() => null))?.status === 401;
    while (!(await isUp()));
    writeFileSync(join(home.folder, "version"), "2.0.0");
    writeFileSync(join(home.folder, "code"), "22");
    const isFirstOver = first.ended.then(() => true);
    const versions = new Set<unknown>();
    let lost = 0;
    while (!versions.has('{"version":"2.0.0"}')) {
      // Who stands in line at the very moment the door changes hands is turned away by the system.
      const response = await ask().catch(() => null);
      if (response === null) {
        lost += 1;
        continue;
      }
      expect(response.status).toBe(200);
      versions.add(await response.text());
    }
    expect(lost).toBeLessThanOrEqual(1);
    expect(await isFirstOver).toBe(true);
    removeHttpEntry(home.stateDir);
    await until(() => home.address() === null);
  });
});
