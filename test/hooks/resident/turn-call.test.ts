import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeMarker } from "../../../src/hooks/pipeline/write-marker.ts";
import { CLIENT_SCRIPT, installClient } from "../../../src/hooks/resident/client.ts";
import {
  answerTurnCall,
  formatTurnAddress,
  formatTurnReply,
  readTurnCall,
  type TurnAddress,
} from "../../../src/hooks/resident/turn-call.ts";
import { ADJ, run } from "../../program/adj.ts";
import { INSTALLERS } from "../../support/agents.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bashCall, type HookedHome, makeHookedHome } from "./hooked-home.ts";
import { makeStandIn } from "./stand-in.ts";

const KEYS = { clientKey: "c".repeat(32), serverKey: "s".repeat(32) };

/** Whoever runs the turn; the file of its address is what the variable names. */
async function startHost(home: HookedHome, answer: RequestListener, limitMs = 60_000) {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return writeAddress(home, { url: `http://127.0.0.1:${port}`, limitMs });
}

function writeAddress(home: HookedHome, change: Partial<TurnAddress>, mode = 0o600): string {
  const file = join(home.folder, "turn");
  const address = { url: "http://127.0.0.1:1", limitMs: 60_000, ...KEYS, ...change };
  writeFileSync(file, formatTurnAddress(address), { mode });
  return file;
}

const allowing = JSON.stringify({ hookSpecificOutput: { permissionDecision: "allow" } });

test("a hook of a turn is answered by whoever runs it, with payload, place and key", {
  timeout: 60_000,
}, async () => {
  const home = makeHookedHome();
  const got: unknown[] = [];
  const file = await startHost(home, async (request, response) => {
    got.push(request.url, request.headers.authorization, readTurnCall(await text(request)));
    response.end(formatTurnReply({ stdout: allowing, stderr: "adj: said\n" }, KEYS));
  });
  const payload = bashCall(home, "make");
  const env = { ADJ_TURN_HOOK: file, SECRET: "kept" };
  const { stdout, stderr, exitCode } = await home.hook("claude-code", payload, env);
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: allowing,
    stderr: "adj: said\n",
    exitCode: 0,
  });
  expect(got).toEqual([
    "/v1/hook/claude-code",
    `Bearer ${KEYS.clientKey}`,
    {
      payload: JSON.stringify(payload),
      cwd: home.project,
      env: expect.objectContaining({ ADJ_TURN_HOOK: file }),
      event: null,
    },
  ]);
  expect(JSON.stringify(got)).not.toContain("kept");
});

describe("a tool is refused in the words of", () => {
  test.each(INSTALLERS.map((installer) => [installer.agent, installer] as const))(
    "%s where nobody can be asked",
    async (agent, { abilities, writeSample }) => {
      const home = makeHookedHome();
      const sample = { session: "s", cwd: home.project, prompt: "", output: "", time: new Date(0) };
      const event = abilities.steps.before_tool?.event ?? "";
      const call = { tool: "Bash", args: { command: "make" } };
      const payload = writeSample(event, { ...sample, step: "before_tool", call });
      const stop = writeSample(abilities.steps.session_end?.event ?? "-", {
        ...sample,
        step: "session_end",
        call: null,
      });
      const ask = (file: string | null, body: string) =>
        answerTurnCall(file, {
          ...{ agent, payload: body, env: {}, cwd: home.project, event: null },
          signal: new AbortController().signal,
        });
      for (const file of [null, join(home.folder, "missing"), writeAddress(home, {})])
        for (const body of [JSON.stringify(payload), '{"half', "[]"]) {
          const { stdout } = await ask(file, body);
          expect(stdout).toMatch(/"(?:deny|block)"|"block":/);
          expect(stdout).toContain("nobody could be asked whether it may run");
        }
      expect((await ask(null, JSON.stringify(stop))).stdout).not.toMatch(/deny|block/);
    },
  );
});

describe("no answer is taken", () => {
  const reply = (change: object) =>
    JSON.stringify({ key: KEYS.serverKey, stdout: allowing, stderr: "", ...change });
  test.each<[string, RequestListener, string]>([
    ["that is not whole", (_, out) => out.end('{"stdo'), "gave no whole answer"],
    ["without its text", (_, out) => out.end(reply({ stdout: 7 })), "gave no whole answer"],
    ["of another's key", (_, out) => out.end(reply({ key: "x" })), "gave no whole answer"],
    ["with another status", (_, out) => out.writeHead(401).end(reply({})), "answered with 401"],
    [
      "that breaks off",
      (_, out) => void out.write("{", () => out.destroy()),
      "nobody could be asked",
    ],
    ["that never comes", () => undefined, "nobody answered in time"],
  ])("%s", async (_, answer, problem) => {
    const home = makeHookedHome();
    const file = await startHost(home, answer, 300);
    const { stdout } = await answerTurnCall(file, {
      agent: "claude-code",
      payload: JSON.stringify(bashCall(home, "make")),
      ...{ env: {}, cwd: home.project, event: "turn", signal: new AbortController().signal },
    });
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
    expect(permissionDecision).toBe("deny");
    expect(permissionDecisionReason).toContain(problem);
  });

  test("from an address that others can read, or that is not on this machine", async () => {
    const home = makeHookedHome();
    const ask = (file: string) =>
      answerTurnCall(file, {
        agent: "claude-code",
        payload: JSON.stringify(bashCall(home, "make")),
        ...{ env: {}, cwd: home.project, event: "turn", signal: new AbortController().signal },
      });
    const open = join(home.folder, "open");
    writeFileSync(open, formatTurnAddress({ url: "http://127.0.0.1:1", limitMs: 1, ...KEYS }), {
      mode: 0o644,
    });
    expect((await ask(open)).stdout).toContain("is not its owner's alone");
    const far = writeAddress(home, { url: "http://192.0.2.1:80" });
    expect((await ask(far)).stdout).toContain("holds no address");
  });
});

test("a call whose hook is ended is given up by the host too", { timeout: 60_000 }, async () => {
  const home = makeHookedHome();
  let state = "none";
  const file = await startHost(home, (request, response) => {
    state = "asked";
    request.resume();
    response.on("close", () => {
      state = "closed";
    });
  });
  const stop = new AbortController();
  const asking = answerTurnCall(file, {
    agent: "claude-code",
    payload: JSON.stringify(bashCall(home, "make")),
    ...{ env: {}, cwd: home.project, event: "turn", signal: stop.signal },
  });
  await waitUntil(() => state === "asked");
  stop.abort();
  expect((await asking).stdout).toContain('"deny"');
  await waitUntil(() => state === "closed");
});

describe("the client of an installed hook", () => {
  async function clientHome() {
    const home = makeHookedHome();
    const client = installClient(join(home.folder, "data"), ADJ);
    await writeMarker(join(home.folder, "data"), []);
    const call = (event: string, env: NodeJS.ProcessEnv, payload = bashCall(home, "make")) =>
      run(client, ["claude-code", event], {
        cwd: home.project,
        env: { ...home.env, ADJ_RESIDENT: "off", ...env },
        stdin: JSON.stringify(payload),
      });
    return { home, client, call };
  }

  test("hands a step of a turn over", { timeout: 60_000 }, async () => {
    const { home, call } = await clientHome();
    const got: unknown[] = [];
    const file = await startHost(home, async (request, response) => {
      got.push(readTurnCall(await text(request))?.event);
      response.end(formatTurnReply({ stdout: allowing, stderr: "" }, KEYS));
    });
    expect((await call("PreToolUse", { ADJ_TURN_HOOK: file })).stdout).toBe(allowing);
    expect(got).toEqual(["PreToolUse"]);
  });

  test.each([
    ["it", (script: string) => script],
    [
      "the resident, called by an older one,",
      (script: string) => script.replace("! $ADJ_TURN_HOOK &&", ""),
    ],
  ])("%s leaves a step of a turn to the cold way", async (_, older) => {
    const home = makeStandIn();
    writeFileSync(home.client, older(CLIENT_SCRIPT), { mode: 0o700 });
    await home.startResident();
    await home.call({ do: "echo" });
    await home.call({ do: "echo" }, { ADJ_TURN_HOOK: "/nowhere" });
    await home.logged(["warm answered", "cold answered"]);
  });

  test("refuses in a turn where the program is gone, guards or none", async () => {
    const { client, call } = await clientHome();
    writeFileSync(join(client, "..", "program"), "/nowhere/adj\n");
    const gone = { PATH: "/usr/bin:/bin" };
    expect((await call("PreToolUse", gone)).stdout).toBe("");
    const { stdout } = await call("PreToolUse", { ...gone, ADJ_TURN_HOOK: "/nowhere" });
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
  });
});
