import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogEvent } from "../../src/agents/log/event.ts";
import { createAdjutant } from "../../src/program.ts";
import { makeHome } from "../program/adj.ts";

const CASSETTE = `adjutant: 1
steps:
  - say: hello
  - write: { path: a.txt, content: "a" }
`;

async function openLibrary(more: Readonly<Record<string, string>> = {}) {
  const home = makeHome();
  home.write({ "project/hello.yaml": CASSETTE });
  const adjutant = await createAdjutant({ cwd: home.project, env: { ...home.env, ...more } });
  onTestFinished(() => adjutant.close());
  return { home, adjutant, agents: adjutant.agents };
}

test("every agent is listed, with what it can do and why it is not here", async () => {
  const { agents } = await openLibrary({ PATH: "/nowhere" });
  const listed = await agents.list();
  expect(listed.find(({ name }) => name === "replay")?.available).toBe(true);
  const codex = listed.find(({ name }) => name === "codex");
  expect(codex).toMatchObject({ available: false, problem: expect.stringContaining("codex") });
  expect(codex?.capabilities).toContain("resume");
});

test("a program that is missing is an answer; a name that nobody has is a fault", async () => {
  const { agents, home } = await openLibrary({ PATH: "/nowhere" });
  expect(await agents.checkAvailability("codex")).toMatchObject({ available: false });
  await expect(agents.checkAvailability("codx")).rejects.toMatchObject({ code: "AgentUnknown" });
  await expect(agents.run("codex", { prompt: "hi" })).rejects.toMatchObject({
    code: "AgentMissing",
  });
  home.write({ "bin/codex": "#!/bin/sh\necho codex-cli 9.9.9\n" });
  const path = join(home.folder, "bin", "codex");
  chmodSync(path, 0o755);
  const found = await openLibrary({ ADJ_AGENT_CODEX: path });
  expect(await found.agents.checkAvailability("codex")).toMatchObject({
    available: true,
    version: "9.9.9",
    path,
  });
});

test("a run gives its log, shows its events frozen, and is on record and on disk", async () => {
  const { agents, adjutant, home } = await openLibrary();
  const published: string[] = [];
  adjutant.events.subscribe(({ type, data }) => published.push(`${type} ${data.runId}`));
  const cassette = join(home.project, "hello.yaml");
  const events: LogEvent[] = [];
  const onEvent = (event: LogEvent) => events.push(event);
  const log = await agents.run("replay", { settings: { cassette }, onEvent });
  expect(log).toMatchObject({
    agent_info: { name: "replay" },
    execution: { status: "success" },
    files_changed: ["a.txt"],
  });
  expect(published).toEqual([`AgentRunStarted ${log.run_id}`, `AgentRunCompleted ${log.run_id}`]);
  expect(events.map(({ kind }) => kind)).toContain("tool_call");
  expect(events.every(Object.isFrozen)).toBe(true);
  const kept = await home.adj("agent", "log", log.run_id, "--json");
  expect(JSON.parse(kept.stdout)).toEqual(log);
});

test("a run that is refused is a log that says so", async () => {
  const { agents } = await openLibrary();
  const log = await agents.run("replay", {
    settings: { cassette: "explain-repository", max_turnz: 3 },
  });
  expect(log.execution.status).toBe("failed");
  expect(log.errors).toMatchObject([{ code: "REPLAY_INVALID_CONFIG" }]);
});

test("what an agent printed elsewhere becomes a log", async () => {
  const { agents } = await openLibrary();
  const done = await agents.normalize("command", "all good\n", { exitCode: 0 });
  expect(done).toMatchObject({ execution: { status: "success" } });
  const bytes = [Buffer.from("half "), Buffer.from("done")];
  const failed = await agents.normalize("command", bytes, { exitCode: 3 });
  expect(failed.execution).toMatchObject({ status: "failed", exit_code: 3 });
});
