// What the protocol itself says of calls: taken back, cut off, unknown, heard of later.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect } from "vitest";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { callTool, type Era, openClient } from "./mcp-client.ts";
import { makeSessionHome, type SessionHome } from "./session-home.ts";

const COMMANDS = `
wipe: { description: Wipe it, shell: sh, command: "echo > wiped", safety: destructive }
gate: { description: Wait, shell: sh, command: "echo > begun; while ! test -e open; do sleep 0.05; done; echo > through" }
`;

function makeGate() {
  const home = makeSessionHome();
  home.write({ "config/commands.yaml": COMMANDS });
  const there = (name: string) => existsSync(join(home.project, name));
  const open = () => writeFileSync(join(home.project, "open"), "");
  return { home, there, open };
}

/** Which dispatches of the gate there were: `begun`, or how it ended. */
const dispatchesIn = async (home: SessionHome): Promise<string[]> =>
  (await home.events())
    .filter(({ data }) => data.name === "gate")
    .map(({ data }) => String(Object(data.outcome).kind ?? "begun"));

async function untilDispatched(home: SessionHome, kind: string, count = 1): Promise<void> {
  let seen: readonly string[] = [];
  for (let tries = 0; tries < 200; tries++) {
    seen = await dispatchesIn(home);
    if (seen.filter((one) => one === kind).length >= count) return;
    await pause(50);
  }
  throw new Error(`not ${count} times ${kind}: ${seen}`);
}

describe.each<Era>(["2025", "2026"])("a call of a client of %s", (era) => {
  longTest("that takes it back is cancelled in the host", async () => {
    const { home, there } = makeGate();
    const client = await openClient(home, { era });
    const stop = new AbortController();
    const { signal } = stop;
    const call = client.callTool({ name: "gate", arguments: {} }, { signal }).catch(() => "gone");
    await waitUntil(() => there("begun"));
    stop.abort("no longer wanted");
    expect(await call).toBe("gone");
    await untilDispatched(home, "cancelled");
    expect(there("through")).toBe(false);
  });

  longTest("that leaves, or whose own limit is over, goes on", async () => {
    const { home, there, open } = makeGate();
    const client = await openClient(home, { era });
    const timeout = 1_500;
    const cut = client.callTool({ name: "gate", arguments: {} }, { timeout }).catch(() => "cut");
    await waitUntil(() => there("begun"));
    expect(await cut).toBe("cut");
    const left = client.callTool({ name: "gate", arguments: {} }).catch(() => "left");
    await untilDispatched(home, "begun", 2);
    await client.close();
    expect(await left).toBe("left");
    open();
    await waitUntil(() => there("through"));
    await untilDispatched(home, "ok", 2);
  });

  longTest("of a tool that is none is the protocol's own error", async () => {
    const { home } = makeGate();
    const client = await openClient(home, { era });
    for (const name of ["nothing", "answer", "adj_answer", "../gate"])
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`there is no tool \`${name}\``),
      });
  });
});

longTest(
  "a host that is killed in a call: the client hears that it may have run in part",
  async () => {
    const { home, there, open } = makeGate();
    const client = await openClient(home);
    const call = callTool(client, "gate");
    await waitUntil(() => there("begun"));
    const asked = callTool(client, "wipe");
    await home.question();
    process.kill(home.hostPid(), "SIGKILL");
    const { text, isError, run_id } = await call;
    expect([isError, text]).toEqual([
      true,
      expect.stringContaining(
        "the host ended while `gate` ran, and it may have run in part; look at what `gate` did before you call it again",
      ),
    ]);
    expect((await asked).text).toContain("the host ended while `wipe` waited for a person");
    expect(await callTool(client, "adj_wait", { run_id })).toMatchObject({ isError: true, text });
    expect(there("wiped")).toBe(false);
    open();
    expect(await callTool(client, "gate")).toMatchObject({ isError: false });
  },
);

longTest("a folder that is gone ends the call and not the host", async () => {
  const { home } = makeGate();
  home.write({ "config/commands.yaml": "hello: { description: Hi, argv: [echo, hello] }\n" });
  const folder = join(home.folder, "short-lived");
  mkdirSync(folder);
  const client = await openClient(home, { cwd: folder });
  expect(await callTool(client, "hello")).toMatchObject({ output: "hello\n" });
  const host = home.hostPid();
  rmSync(folder, { recursive: true });
  const error_output = expect.stringContaining(`\`${folder}\` is not a folder`);
  for (const _ of [1, 2])
    expect(await callTool(client, "hello")).toMatchObject({ isError: true, error_output });
  const other = await openClient(home);
  expect(await callTool(other, "hello")).toMatchObject({ output: "hello\n" });
  expect(home.hostPid()).toBe(host);
});

longTest("a command tells of each of its steps", async () => {
  const { home } = makeGate();
  home.write({
    "config/commands/steps.js": `import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Steps",
  run: async (_, context) => {
    for (const step of [0.25, "half", 1]) {
      context.progress(step);
      while (!existsSync(join(context.workingDirectory, "go-" + step))) await pause(20);
    }
    return ok("");
  },
});`,
  });
  const client = await openClient(home, { era: "2025" });
  const told: string[] = [];
  const go: Readonly<Record<string, string>> = { "25 %": "0.25", half: "half", "100 %": "1" };
  const onprogress = ({ message = "" }) => {
    if (told.at(-1) !== message) told.push(message);
    if (go[message] !== undefined) writeFileSync(join(home.project, `go-${go[message]}`), "");
  };
  await client.callTool({ name: "steps", arguments: {} }, { onprogress });
  expect(told.filter((message) => message in go)).toEqual(["25 %", "half", "100 %"]);
});

longTest("whoever waits for a question is told it again", async () => {
  const { home } = makeGate();
  const client = await openClient(home);
  const { run_id } = await callTool(client, "wipe", { background: true });
  const question = await home.question();
  for (const _ of [1, 2])
    expect(await callTool(client, "adj_wait", { run_id, seconds: 0 })).toMatchObject({
      status: "waiting",
      text: expect.stringMatching(new RegExp(`called \`wipe\`.*${question}`)),
      next: expect.stringMatching(new RegExp(`called \`wipe\`.*${question}`)),
    });
});

longTest("a client of 2026 that listens hears of a command that was added", async () => {
  const { home } = makeGate();
  const client = await openClient(home);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  await client.listTools();
  await client.listen({ toolsListChanged: true });
  home.write({
    "config/commands.yaml": `${COMMANDS}\nlater: { description: Later, argv: [echo] }`,
  });
  await waitUntil(() => changes > 0);
});

longTest("a host that left is followed by another at the next call", async () => {
  const { home, open, there } = makeGate();
  open();
  const client = await openClient(home);
  await callTool(client, "gate");
  const before = home.hostPid();
  expect((await home.adj("serve", "stop")).exitCode).toBe(0);
  await callTool(client, "gate");
  expect(home.hostPid()).not.toBe(before);
  expect(there("through")).toBe(true);
});
