import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import { markerFile } from "../../../src/hooks/pipeline/guard-marker.ts";
import { writeMarker } from "../../../src/hooks/pipeline/write-marker.ts";
import { addressFile, formatAddress, readAddress } from "../../../src/hooks/resident/address.ts";
import { CLIENT_SCRIPT, installClient } from "../../../src/hooks/resident/client.ts";
import { IDLE_VARIABLE } from "../../../src/hooks/resident/start.ts";
import { formatAnswer, readWireCall } from "../../../src/hooks/resident/wire.ts";
import { isRunning } from "../../core/process/programs.ts";
import { ADJ, makeHome, run, start } from "../../program/adj.ts";
import { longTest } from "../../support/tier.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bashCall } from "./hooked-home.ts";
import { makeStandIn, type StandInHome, until } from "./stand-in.ts";

const SIGN_MS = 100;
const [CLIENT_KEY, SERVER_KEY] = ["c".repeat(32), "s".repeat(32)];
const ANSWER = '{"answered":true}';

/** No guards, and a usual limit of one second: what is refused here is refused because it was held. */
async function makeHeldHome(isOld: boolean): Promise<StandInHome> {
  const home = makeStandIn();
  await writeMarker(home.dataDir, []);
  const file = markerFile(home.dataDir);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^(limit\t.*\t)\d+$/gm, "$11"));
  const script = isOld ? CLIENT_SCRIPT.replace("< 404", "< 99999") : CLIENT_SCRIPT;
  writeFileSync(home.client, script, { mode: 0o700 });
  return home;
}

const callWith = (home: StandInHome, number: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(home.client, ["claude-code", "PreToolUse", ...number], {
    cwd: home.folder,
    env: { ...home.env, ...env },
    stdin: "{}",
  });

/** A resident that holds every call, whatever its entry says, until it is told to answer. */
async function startHolder(home: StandInHome) {
  const waiting: Socket[] = [];
  const limits: (number | undefined)[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      const reading = readWireCall(bytes, CLIENT_KEY);
      if (reading.kind !== "call") throw new Error(`it is ${reading.kind}`);
      expect(Object.keys(reading.call.env).filter((name) => name.includes("limit"))).toEqual([]);
      limits.push(reading.call.entryLimitMs);
      waiting.push(socket);
      const sign = () => socket.writable && socket.write(formatAnswer(SERVER_KEY, "held"));
      sign();
      const signs = setInterval(sign, SIGN_MS);
      socket.once("close", () => clearInterval(signs));
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const owner = { pid: process.pid, startedAt: "0", host: "here" };
  const facts = { version: "1.0.0", clientKey: CLIENT_KEY, serverKey: SERVER_KEY, owner };
  writeFileSync(addressFile(home.stateDir), formatAddress({ port, ...facts }), { mode: 0o600 });
  return {
    limits,
    answer: () => {
      const said = formatAnswer(SERVER_KEY, "answer", { stdout: ANSWER, stderr: "" });
      for (const socket of waiting) socket.end(said);
    },
    drop: () => {
      for (const socket of waiting) socket.destroy();
    },
  };
}

describe.each([
  ["bash", false],
  ["a bash as macOS has it", true],
] as const)("in %s, while the resident holds a call", (_, isOld) => {
  test("the entry's own limit counts, and only for an entry that says it", async () => {
    const home = await makeHeldHome(isOld);
    const holder = await startHolder(home);
    const held = callWith(home, ["60"]);
    const others = await Promise.all(
      [[], ["x"], ["060"], ["600000"], ["6 0"], ["-60"]].map((number) => callWith(home, number)),
    );
    for (const { stdout, stderr } of others)
      expect({ stdout, stderr }).toEqual({
        stdout: "",
        stderr: expect.stringContaining("had no answer in time"),
      });
    holder.answer();
    expect((await held).stdout).toBe(ANSWER);
    expect(holder.limits.filter((limit) => limit !== undefined)).toHaveLength(1);
  });

  test("nothing runs when that is over", async () => {
    const home = await makeHeldHome(isOld);
    await startHolder(home);
    const { stdout } = await callWith(home, ["3"]);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  });
});

describe("while the program itself holds a call", () => {
  const write = (home: StandInHome, program: string) =>
    writeFileSync(join(home.folder, "adj"), `#!/bin/bash\n${program}\n`, { mode: 0o755 });
  const cold = { ADJ_RESIDENT: "off" };

  test("the entry's own limit counts, and only where both say so", async () => {
    const home = await makeHeldHome(false);
    const go = join(home.folder, "go");
    write(
      home,
      `[[ $4 == --held=* ]] && printf '\\0'; echo "$4" >>said
until [[ -e go ]]; do sleep 0.05; done; printf %s '${ANSWER}'`,
    );
    const held = callWith(home, ["60"], cold);
    await waitUntil(() => existsSync(join(home.folder, "said")));
    const { stdout, stderr } = await callWith(home, [], cold);
    expect({ stdout, stderr }).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("had no answer in time"),
    });
    writeFileSync(go, "");
    expect((await held).stdout).toBe(ANSWER);
    expect(readFileSync(join(home.folder, "said"), "utf8")).toMatch(/^--held=(60|59|58)\n\n$/);
  });

  test("because the resident that held it is gone, what is left of that limit counts", async () => {
    const home = await makeHeldHome(false);
    const holder = await startHolder(home);
    write(home, `until [[ -e go ]]; do sleep 0.05; done; printf %s '${ANSWER}'`);
    const held = callWith(home, ["60"]);
    await waitUntil(() => holder.limits.length === 1);
    holder.drop();
    expect(await callWith(home, ["60"], cold)).toMatchObject({
      stderr: expect.stringContaining("had no answer in time"),
    });
    writeFileSync(join(home.folder, "go"), "");
    expect((await held).stdout).toBe(ANSWER);
  });

  test("nothing runs when that is over, and the program is ended", async () => {
    const home = await makeHeldHome(false);
    write(home, "printf '\\0'; echo $$ >pid; exec sleep 1000");
    const { stdout } = await callWith(home, ["3"], cold);
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    const pid = Number(readFileSync(join(home.folder, "pid"), "utf8"));
    await waitUntil(() => !isRunning(pid));
  });
});

const HOLDING = {
  "config/hooks.yaml":
    'hooks:\n  - { name: look, on: before_tool, match: { command: "make*" }, run: { builtin: require-approval } }\n',
  "config/config.yaml": "inbox: { hold: 5m }\n",
  "project/.git/HEAD": "",
};

/** Which processes wait for the questions there are. */
function listAskers(stateDir: string): number[] {
  const options = { readOnly: true, timeout: 5_000 };
  const database = new DatabaseSync(join(stateDir, "state.db"), options);
  const rows = database.prepare("SELECT pid FROM question").all();
  database.close();
  return rows.map(({ pid }) => Number(pid));
}

/** The real program with a resident, and its client as an entry with these words calls it. */
async function openHoldingHome() {
  const home = makeHome();
  const { stateDir } = home;
  home.write(HOLDING);
  openState(stateDir).close();
  const dataDir = join(home.folder, ".local/share/adjutant");
  const client = installClient(dataDir, ADJ);
  const resident = home.start("resident", "serve");
  onTestFinished(() => void resident.child.kill("SIGKILL"));
  await until(() => readAddress(addressFile(stateDir)) !== null);
  // The resident that a cold call leaves behind is to end by itself.
  const env = { ...home.env, [IDLE_VARIABLE]: "1s" };
  return {
    ...{ stateDir, dataDir, resident },
    call: (id: string, ...number: string[]) => {
      const stdin = JSON.stringify({ ...bashCall(home, "make all"), tool_use_id: id });
      const place = { cwd: home.project, env, stdin };
      return start(client, ["claude-code", "PreToolUse", ...number], place).ended;
    },
    sayYes: () => {
      const { questions, close } = openState(stateDir);
      for (const { id } of questions.listOpen()) questions.answer(id, { decision: "yes" }, "shell");
      close();
    },
  };
}

const decisionOf = ({ stdout }: { readonly stdout: string }): unknown =>
  JSON.parse(stdout).hookSpecificOutput.permissionDecision;

longTest("the resident holds a call past the usual limit where its entry says so", async () => {
  const { stateDir, dataDir, resident, call, sayYes } = await openHoldingHome();
  const held = call("id-1", "360");
  await until(() => listAskers(stateDir).length === 1);
  const file = markerFile(dataDir);
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^(limit\t.*\t)\d+$/gm, "$12"));
  const [usual, tooLong] = await Promise.all([call("id-2"), call("id-3", "901")]);
  for (const refused of [usual, tooLong]) {
    expect(decisionOf(refused)).toBe("deny");
    expect(refused.stdout).toContain("had no answer in time");
  }
  sayYes();
  expect(decisionOf(await held)).toBe("allow");
  expect(new Set(listAskers(stateDir))).toEqual(new Set([resident.child.pid]));
});

longTest("where the resident is killed, the cold way joins the same question", async () => {
  const { stateDir, resident, call, sayYes } = await openHoldingHome();
  const held = call("id-1", "360");
  await until(() => listAskers(stateDir).length === 1);
  expect(listAskers(stateDir)).toEqual([resident.child.pid]);
  resident.child.kill("SIGKILL");
  await until(() => listAskers(stateDir)[0] !== resident.child.pid);
  sayYes();
  expect(decisionOf(await held)).toBe("allow");
  expect(listAskers(stateDir)).toHaveLength(1);
});
