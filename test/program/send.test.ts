import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readProcessState } from "../../src/core/process/identity.ts";
import { formatAddress, parseAddress } from "../../src/hooks/resident/address.ts";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, run } from "./adj.ts";
import { makeSessionHome } from "./session-home.ts";

describe("a session over several windows", () => {
  test("three prompts from three processes are one conversation, kept as turns with their logs", async () => {
    const home = makeSessionHome();
    await home.send("my name is Ada");
    await home.send("second");
    const { stdout, exitCode } = await home.send("third");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "This is prompt 3 of our conversation, which began with “my name is Ada”",
    );
    const turns = home.store.turns.list(home.sessionId, 10);
    expect(turns.map(({ number, status, prompt }) => [number, status, prompt])).toEqual([
      [1, "done", "my name is Ada"],
      [2, "done", "second"],
      [3, "done", "third"],
    ]);
    const log = await home.adj("agent", "log", turns[2]?.runId ?? "", "--json");
    expect(JSON.parse(log.stdout)).toMatchObject({
      execution: { status: "success", exit_code: null },
      messages: expect.arrayContaining([
        expect.objectContaining({ role: "user", content: "third" }),
      ]),
    });
  });

  test("two that send at the same time get two turns, one after the other", async () => {
    const home = makeSessionHome();
    await home.send("first");
    const both = await Promise.all([home.send("left"), home.send("right")]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const turns = home.store.turns.list(home.sessionId, 10).slice(1);
    expect(turns.map(({ prompt }) => prompt).sort()).toEqual(["left", "right"]);
    const [one, other] = turns;
    expect((other?.startedAt ?? "") >= (one?.endedAt ?? "x")).toBe(true);
  });

  test("what a person refuses does not happen, and the words reach the agent", async () => {
    const home = makeSessionHome();
    const sending = home.startSend("please write a file");
    const question = await home.question();
    // The question is there a moment before its turn is said to wait for it.
    await waitUntil(() => home.store.turns.list(home.sessionId, 1)[0]?.status === "waiting");
    const answered = await home.adj("answer", question, "no", "use", "another", "name");
    expect(answered).toMatchObject({ exitCode: 0, stdout: `answered ${question}\n` });
    const { stdout, stderr } = await sending.ended;
    expect(stderr).toContain(`answer with \`adj answer ${question} yes|no\``);
    expect(stdout).toContain("use another name");
    expect(existsSync(join(home.project, "notes.txt"))).toBe(false);
    const late = await home.adj("answer", question, "yes");
    expect(late).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("what a person allows happens", async () => {
    const home = makeSessionHome();
    const sending = home.startSend("please write a file");
    await home.adj("answer", await home.question(), "yes");
    expect((await sending.ended).exitCode).toBe(0);
    expect(existsSync(join(home.project, "notes.txt"))).toBe(true);
  });

  test("an agent cannot answer for the person", async () => {
    const home = makeSessionHome();
    const sending = home.startSend("please write a file");
    const question = await home.question();
    home.write({ "bin/codex": '#!/bin/sh\nsh -c "$1"\n' });
    const agent = join(home.folder, "bin", "codex");
    chmodSync(agent, 0o755);
    const place = { cwd: home.project, env: home.env };
    const refused = await run(agent, [`${ADJ} answer ${question} yes`], place);
    expect(refused.exitCode).toBe(126);
    expect(home.store.questions.read(question)?.status).toBe("open");
    await home.adj("answer", question, "no");
    await sending.ended;
  });

  test("Ctrl-C ends the turn and its question, and the next prompt is answered", async () => {
    const home = makeSessionHome();
    const sending = home.startSend("please write a file");
    const question = await home.question();
    sending.child.kill("SIGINT");
    expect((await sending.ended).exitCode).toBe(130);
    await waitUntil(() => home.store.questions.read(question)?.status === "closed");
    await waitUntil(() => home.store.turns.list(home.sessionId, 1)[0]?.status === "cancelled");
    expect((await home.send("hello")).exitCode).toBe(0);
  });

  test("a window that is killed ends nothing", async () => {
    const home = makeSessionHome();
    const sending = home.startSend("please write a file");
    const question = await home.question();
    sending.child.kill("SIGKILL");
    await sending.ended;
    await home.adj("answer", question, "yes");
    await waitUntil(() => home.store.turns.list(home.sessionId, 1)[0]?.status === "done");
    expect(existsSync(join(home.project, "notes.txt"))).toBe(true);
  });
});

describe("the mode of a project's settings", () => {
  const isWritten = (folder: string) => existsSync(join(folder, "notes.txt"));

  test("counts in turns when the project is trusted, as `adj mode` says, and not before", async () => {
    const home = makeSessionHome();
    home.write({ "project/.adjutant/config.yaml": "mode: auto\n" });
    const sending = home.startSend("please write a file");
    await home.adj("answer", await home.question(), "no");
    await sending.ended;
    await home.trust();
    expect((await home.adj("mode")).stdout).toMatch(/^auto \(from the settings\)/);
    expect((await home.send("please write a file")).exitCode).toBe(0);
    expect(isWritten(home.project)).toBe(true);
  });

  longTest(
    "brings its rules with it: `allowlist` passes what they allow and asks for the rest",
    async () => {
      const home = makeSessionHome();
      const rules = 'mode: allowlist\nallow: [{ kind: write, path: "notes.txt" }]\n';
      home.write({ "project/.adjutant/config.yaml": rules });
      await home.trust();
      expect((await home.send("please write a file")).exitCode).toBe(0);
      expect(isWritten(home.project)).toBe(true);
      const sending = home.startSend("please delete notes.txt");
      await home.adj("answer", await home.question(), "no");
      await sending.ended;
      expect(isWritten(home.project)).toBe(true);
    },
  );
});

test("a turn that is sent while an exclusive command runs begins after it, and can be cancelled meanwhile", async () => {
  const home = makeSessionHome();
  await home.send("first");
  const running = await home.store.acquireBetweenTurns(
    home.sessionId,
    new AbortController().signal,
  );
  const [given, next] = [home.startSend("given up"), home.startSend("next")];
  const queued = () => home.store.turns.list(home.sessionId, 10).slice(1);
  await waitUntil(() => queued().length === 2);
  expect(queued().map(({ status }) => status)).toEqual(["queued", "queued"]);
  given.child.kill("SIGINT");
  expect((await given.ended).exitCode).toBe(130);
  running.release();
  expect((await next.ended).exitCode).toBe(0);
  expect(new Set(queued().map(({ status }) => status))).toEqual(new Set(["cancelled", "done"]));
});

test("a host that is killed leaves a failed turn and no question, and the next prompt goes on with the thread", async () => {
  const home = makeSessionHome();
  await home.send("I am Ada");
  const sending = home.startSend("please write a file");
  const question = await home.question();
  process.kill(home.hostPid(), "SIGKILL");
  const cut = await sending.ended;
  expect(cut.exitCode).toBe(1);
  const { stdout } = await home.send("still there?");
  expect(stdout).toContain("which began with “I am Ada”");
  expect(home.store.turns.list(home.sessionId, 3)[1]).toMatchObject({
    status: "failed",
    problem: { class: "Internal", code: "ProcessLost" },
  });
  expect(home.store.questions.read(question)?.status).toBe("closed");
});

longTest("a host that no longer listens while it ends is not waited for in vain", async () => {
  const home = makeSessionHome();
  await home.send("I am Ada");
  const file = join(home.stateDir, "host");
  const address = parseAddress(readFileSync(file, "utf8"));
  if (address === null) throw new Error(`${file} has no address`);
  process.kill(address.owner.pid, "SIGKILL");
  const ending = spawn("sleep", ["1"]);
  const seen = readProcessState(ending.pid ?? 0);
  if (seen.kind !== "seen") throw new Error("the stand-in for the host that ends is not there");
  const owner = { ...address.owner, pid: ending.pid ?? 0, startedAt: seen.startedAt };
  writeFileSync(file, formatAddress({ ...address, port: 1, owner }));
  expect(await home.send("still there?")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("which began with “I am Ada”"),
  });
});

test("without a host of its own the client is one, and a second one is told who has the session", async () => {
  const home = makeSessionHome({ ADJ_HOST: "off" });
  const sending = home.startSend("please write a file");
  const question = await home.question();
  const second = await home.send("me too");
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toMatch(/process \d+ runs a turn of this session/);
  await home.adj("answer", question, "yes");
  expect((await sending.ended).exitCode).toBe(0);
  expect(existsSync(join(home.stateDir, "host"))).toBe(false);
});

test("a secret in a prompt is in no file of the state folder", async () => {
  const home = makeSessionHome({ MY_TOKEN: "not-a-known-form-of-secret-314159" });
  const key = `sk-ant-api03-${"Ab1".repeat(31)}`;
  const { stdout } = await home.send(`my key is ${key} and not-a-known-form-of-secret-314159`);
  expect(stdout).toContain(key);
  await home.adj("serve", "stop");
  const found = await run("grep", ["-rlE", `${key}|not-a-known-form`, home.stateDir], {
    cwd: home.folder,
    env: home.env,
  });
  expect(found.stdout).toBe("");
});

test("a prompt that says nothing, and an agent that is not there, are said in a line", async () => {
  const home = makeSessionHome();
  expect(await home.adj("send")).toMatchObject({ exitCode: 2, stdout: "" });
  const unknown = await home.adj("send", "--agent", "clod", "hi");
  expect(unknown.exitCode).not.toBe(0);
  expect(unknown.stderr).toContain("clod");
  // Nothing was begun for it.
  expect(existsSync(join(home.stateDir, "host"))).toBe(false);
});
