import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { openState } from "../../../src/core/store/state.ts";
import { makeHome } from "../../program/adj.ts";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../support/program-of-commands.ts";
import { endedTurn, runningTurn, sessionIdOf } from "../ended-turn.ts";

const SECRET = `ghp_${"s3cR".repeat(9)}`;
const fileOf = ({ stateDir }: TestProgram, name: string) =>
  join(stateDir, "sessions", `${name}.json`);

describe("save", () => {
  test("writes a file that only its owner can read, masked and without params", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "codex"]);
    await opened.run(["params", "append_system_prompt=private-words"]);
    endedTurn(opened, { content: `the key is ${SECRET}` });
    const outcome = await opened.run(["save", "work"]);
    expect(textOf(outcome)).toBe("saved work with 1 turn; 1 parameter left out");
    const file = fileOf(opened, "work");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("private-words");
    expect(JSON.parse(text)).toMatchObject({
      adjutant: 2,
      name: "work",
      agent: "codex",
      root: opened.root,
      param_paths: ["append_system_prompt"],
      turns: [{ prompt: "the key is [secret]", conversation: "thread of codex" }],
      conversations: [{ agent: "codex", conversation: "thread of codex", number: 1 }],
    });
    expect(readdirSync(join(opened.stateDir, "sessions"))).toEqual(["work.json"]);
  });

  test("takes the session's own name, or the project's, where none is given", async () => {
    const opened = openTestProgram();
    expect((await opened.run(["save"])).result.metadata?.name).toBe("project");
    expect((await opened.run(["save"])).result.metadata?.name).toBe("project");
    await opened.run(["save", "second"]);
    expect((await opened.run(["save"])).result.metadata?.name).toBe("second");
  });

  test("does not replace what another session saved, unless told to", async () => {
    const opened = openTestProgram();
    await opened.run(["save", "work"]);
    const before = readFileSync(fileOf(opened, "work"), "utf8");
    const other = await opened.run(["save", "work"], { sessionId: "other" });
    expect(other).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect(readFileSync(fileOf(opened, "work"), "utf8")).toBe(before);
    expect((await opened.run(["save", "work", "--force"], { sessionId: "other" })).kind).toBe("ok");
  });

  test.each(["../escape", "a/b", ".hidden", "x".repeat(65)])(
    "refuses the name `%s`",
    async (name) => {
      const opened = openTestProgram();
      expect(await opened.run(["save", name])).toMatchObject({ kind: "rejected" });
      expect(existsSync(join(opened.stateDir, "sessions"))).toBe(false);
    },
  );

  test("says where it could not write", async () => {
    const opened = openTestProgram();
    writeFileSync(join(opened.stateDir, "sessions"), "in the way");
    const outcome = await opened.run(["save", "work"]);
    expect(outcome.error).toMatchObject({ class: "Storage", code: "StoreUnavailable" });
  });
});

describe("resume", () => {
  test("brings back agent, model, mode and the thread in another session, and keeps its params", async () => {
    const opened = openTestProgram();
    await opened.run(["provider", "codex"]);
    await opened.run(["model", "gpt-5"]);
    await opened.run(["mode", "allowlist"]);
    await opened.run(["params", "effort=high"]);
    const first = endedTurn(opened);
    await opened.run(["save", "work"]);
    const there = { sessionId: "other" };
    await opened.run(["params", "append_system_prompt=mine"], there);
    const outcome = await opened.run(["resume", "work"], there);
    expect(outcome.result.metadata).toMatchObject({
      agent: "codex",
      model: "gpt-5",
      mode: "allowlist",
      turns: 1,
      conversations: ["codex"],
    });
    expect(outcome.result.metadata?.misfits).toEqual([
      { kind: "param", name: "effort", problem: "its value was not saved; set it again" },
    ]);
    expect(linesOf(outcome)).toContain("param effort: its value was not saved; set it again");
    expect((await opened.run(["model"], there)).result.metadata).toMatchObject({ model: "gpt-5" });
    expect((await opened.run(["mode"], there)).result.metadata).toMatchObject({
      mode: "allowlist",
    });
    expect((await opened.run(["params"], there)).result.metadata?.params).toEqual({
      append_system_prompt: "mine",
    });
    const { turns } = opened.program.sessions();
    const expected = turns.readConversation(sessionIdOf(opened), "codex");
    expect(turns.readConversation("other", "codex")).toEqual(expected);
    const [kept] = turns.list("other", 10);
    expect(kept).toMatchObject({ number: 1, prompt: "hello", answer: "done so", status: "done" });
    expect(kept?.runId).toBe(turns.read(first.id)?.runId);
    expect(endedTurn(opened, there).number).toBe(2);
  });

  test("in the session that it was saved in changes nothing of the thread", async () => {
    const opened = openTestProgram();
    endedTurn(opened);
    endedTurn(opened, { agent: "gemini" });
    await opened.run(["save", "work"]);
    const { turns } = opened.program.sessions();
    const before = turns.listConversations(sessionIdOf(opened));
    expect(before).toHaveLength(2);
    expect((await opened.run(["resume", "work"])).kind).toBe("ok");
    expect(turns.listConversations(sessionIdOf(opened))).toEqual(before);
    expect(turns.count(sessionIdOf(opened))).toBe(2);
  });

  test("below an agent does not take over the mode, and says so", async () => {
    const opened = openTestProgram();
    await opened.run(["mode", "auto"]);
    await opened.run(["save", "work"]);
    await opened.run(["mode", "--reset"]);
    const origin = { surface: "cli", agent: "codex" } as const;
    const outcome = await opened.run(["resume", "work"], { origin });
    expect(linesOf(outcome)).toContain("mode auto: only a person sets it");
    expect((await opened.run(["mode"])).result.metadata).toMatchObject({ mode: "ask" });
  });

  test("reports a command whose file changed, and one that is gone", async () => {
    const lint = defineCommand({ description: "Lint", run: () => ok() });
    const commands: Record<string, typeof lint> = { lint };
    const opened = openTestProgram({ commands });
    mkdirSync(join(opened.configDir, "commands"));
    writeFileSync(join(opened.configDir, "commands", "lint.ts"), "one");
    await opened.run(["save", "work"]);
    const same = await opened.run(["resume", "work"]);
    expect(same.result.metadata?.misfits).toEqual([]);
    writeFileSync(join(opened.configDir, "commands", "lint.ts"), "two");
    const changed = await opened.run(["resume", "work"]);
    expect(changed.result.metadata?.misfits).toEqual([
      { kind: "command", name: "lint", problem: "it changed since the session was saved" },
    ]);
  });

  test("without a name opens the last one of this project", async () => {
    const opened = openTestProgram();
    await opened.run(["save", "first"]);
    await opened.run(["save", "second"]);
    const other = JSON.parse(readFileSync(fileOf(opened, "first"), "utf8"));
    writeFileSync(fileOf(opened, "elsewhere"), JSON.stringify({ ...other, root: "/elsewhere" }));
    expect((await opened.run(["resume"])).result.metadata?.name).toBe("second");
  });

  test("does not give up turns that are not saved, unless told to", async () => {
    const opened = openTestProgram();
    await opened.run(["save", "empty"]);
    endedTurn(opened);
    const refused = await opened.run(["resume", "empty"]);
    expect(refused).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect((await opened.run(["resume", "empty", "--force"])).kind).toBe("ok");
  });

  test("names the nearest for one that is not saved, and says what is wrong with a broken file", async () => {
    const opened = openTestProgram();
    await opened.run(["save", "work"]);
    const unknown = await opened.run(["resume", "wrok"]);
    expect(unknown.error?.message).toContain("did you mean `work`?");
    writeFileSync(fileOf(opened, "work"), "{");
    const broken = await opened.run(["resume", "work"]);
    expect(broken.error).toMatchObject({ code: "FileInvalid" });
    expect(broken.error?.message).toContain("it is not JSON");
  });
});

test("sessions lists names, turns, what runs, holders and times, never contents", async () => {
  const opened = openTestProgram();
  endedTurn(opened, { content: "private words" });
  await opened.run(["save", "work"]);
  runningTurn(opened, { sessionId: "other" });
  const held = await opened.program.sessions().acquire("busy", new AbortController().signal);
  opened.program.sessions().ensure("busy", null);
  const outcome = await opened.run(["sessions"]);
  held.release();
  expect(textOf(outcome)).toContain(`pid ${process.pid}`);
  expect(textOf(outcome)).toMatch(/other +1 +codex running/);
  expect(textOf(outcome)).toMatch(/^SAVED +AT$/m);
  expect(JSON.stringify(outcome)).not.toContain("private words");
  const { sessions, saved } = outcome.result.metadata ?? {};
  expect(sessions).toContainEqual(
    expect.objectContaining({ id: "busy", holder: { pid: process.pid }, waiting: 0, turns: 0 }),
  );
  const running = { turn: 1, status: "running", agent: "codex" };
  expect(sessions).toContainEqual(
    expect.objectContaining({ id: "other", turns: 1, running, queued: 0 }),
  );
  expect(saved).toEqual([{ name: "work", savedAt: expect.any(String) }]);
});

test("resume is refused below the process that has the turn under way, whatever its environment", async () => {
  const home = makeHome();
  await home.adj("--session", "s1", "save", "work");
  const state = openState(home.stateDir);
  onTestFinished(() => state.close());
  const options = { cwd: "/", root: "/", agent: null, model: null, params: {}, via: null };
  state.turns.add("t1", "s1", "a prompt", options);
  state.turns.start("t1", { agent: "codex", model: null, runId: "r1" });
  const refused = await home.adj("--session", "s1", "resume", "work", "--force");
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("`resume` runs only between turns");
});
