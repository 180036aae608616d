import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionTurn } from "../../../src/core/command/context.ts";
import { defineCommand } from "../../../src/core/command/definition.ts";
import { ok } from "../../../src/core/command/result.ts";
import { type Desk, linesOf, openDesk, textOf } from "../../support/program-of-commands.ts";

const SECRET = `ghp_${"s3cR".repeat(9)}`;
/** Stands in for a conversation: turns come from agents, not from bundled commands. */
const say = defineCommand({
  description: "Add a turn",
  effect: "write",
  run: async ({ _: [text = ""] }, { session }) => {
    const turn: SessionTurn = { role: "user", text, at: new Date().toISOString() };
    await session.update((state) => ({ ...state, turns: [...state.turns, turn] }));
    return ok();
  },
});
const deskWithTurns = () => openDesk({ commands: { say } });
const fileOf = ({ stateDir }: Desk, name: string) => join(stateDir, "sessions", `${name}.json`);

describe("save", () => {
  test("writes a file that only its owner can read, masked and without params", async () => {
    const desk = deskWithTurns();
    await desk.run(["provider", "codex"]);
    await desk.run(["params", "temperature=0.123"]);
    await desk.run(["say", `the key is ${SECRET}`]);
    const outcome = await desk.run(["save", "work"]);
    expect(textOf(outcome)).toBe("saved work with 1 turns; 1 parameters left out");
    const file = fileOf(desk, "work");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("0.123");
    expect(JSON.parse(text)).toMatchObject({
      adjutant: 1,
      name: "work",
      agent: "codex",
      root: desk.root,
      param_paths: ["temperature"],
      turns: [{ text: "the key is [secret]" }],
    });
    expect(readdirSync(join(desk.stateDir, "sessions"))).toEqual(["work.json"]);
  });

  test("takes the session's own name, or the project's, where none is given", async () => {
    const desk = deskWithTurns();
    expect((await desk.run(["save"])).result.metadata?.name).toBe("project");
    expect((await desk.run(["save"])).result.metadata?.name).toBe("project");
    await desk.run(["save", "second"]);
    expect((await desk.run(["save"])).result.metadata?.name).toBe("second");
  });

  test("does not replace what another session saved, unless told to", async () => {
    const desk = deskWithTurns();
    await desk.run(["save", "work"]);
    const before = readFileSync(fileOf(desk, "work"), "utf8");
    const other = await desk.run(["save", "work"], { sessionId: "other" });
    expect(other).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect(readFileSync(fileOf(desk, "work"), "utf8")).toBe(before);
    expect((await desk.run(["save", "work", "--force"], { sessionId: "other" })).kind).toBe("ok");
  });

  test.each(["../escape", "a/b", ".hidden", "x".repeat(65)])(
    "refuses the name `%s`",
    async (name) => {
      const desk = deskWithTurns();
      expect(await desk.run(["save", name])).toMatchObject({ kind: "rejected" });
      expect(existsSync(join(desk.stateDir, "sessions"))).toBe(false);
    },
  );

  test("says where it could not write", async () => {
    const desk = deskWithTurns();
    writeFileSync(join(desk.stateDir, "sessions"), "in the way");
    const outcome = await desk.run(["save", "work"]);
    expect(outcome.error).toMatchObject({ class: "Storage", code: "StoreUnavailable" });
  });
});

describe("resume", () => {
  test("brings back agent, model and turns in another session, and keeps its params", async () => {
    const desk = deskWithTurns();
    await desk.run(["provider", "codex"]);
    await desk.run(["model", "gpt-5"]);
    await desk.run(["params", "temperature=0.2"]);
    await desk.run(["say", "hello"]);
    await desk.run(["save", "work"]);
    const there = { sessionId: "other" };
    await desk.run(["params", "mine=1"], there);
    const outcome = await desk.run(["resume", "work"], there);
    expect(outcome.result.metadata).toMatchObject({ agent: "codex", model: "gpt-5", turns: 1 });
    expect(outcome.result.metadata?.misfits).toEqual([
      { kind: "param", name: "temperature", problem: "its value was not saved; set it again" },
    ]);
    expect(linesOf(outcome)).toContain("param temperature: its value was not saved; set it again");
    expect((await desk.run(["model"], there)).result.metadata).toMatchObject({ model: "gpt-5" });
    expect((await desk.run(["params"], there)).result.metadata?.params).toEqual({ mine: 1 });
  });

  test("reports a command whose file changed, and one that is gone", async () => {
    const lint = defineCommand({ description: "Lint", run: () => ok() });
    const commands: Record<string, typeof lint> = { say, lint };
    const desk = openDesk({ commands });
    mkdirSync(join(desk.configDir, "commands"));
    for (const name of ["say", "lint"])
      writeFileSync(join(desk.configDir, "commands", `${name}.ts`), "one");
    await desk.run(["save", "work"]);
    const same = await desk.run(["resume", "work"]);
    expect(same.result.metadata?.misfits).toEqual([]);
    writeFileSync(join(desk.configDir, "commands", "lint.ts"), "two");
    const changed = await desk.run(["resume", "work"]);
    expect(changed.result.metadata?.misfits).toEqual([
      { kind: "command", name: "lint", problem: "it changed since the session was saved" },
    ]);
  });

  test("without a name opens the last one of this project", async () => {
    const desk = deskWithTurns();
    await desk.run(["save", "first"]);
    await desk.run(["save", "second"]);
    const other = JSON.parse(readFileSync(fileOf(desk, "first"), "utf8"));
    writeFileSync(fileOf(desk, "elsewhere"), JSON.stringify({ ...other, root: "/elsewhere" }));
    expect((await desk.run(["resume"])).result.metadata?.name).toBe("second");
  });

  test("does not give up turns that are not saved, unless told to", async () => {
    const desk = deskWithTurns();
    await desk.run(["save", "empty"]);
    await desk.run(["say", "not saved"]);
    const refused = await desk.run(["resume", "empty"]);
    expect(refused).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect((await desk.run(["resume", "empty", "--force"])).kind).toBe("ok");
  });

  test("names the nearest for one that is not saved, and says what is wrong with a broken file", async () => {
    const desk = deskWithTurns();
    await desk.run(["save", "work"]);
    const unknown = await desk.run(["resume", "wrok"]);
    expect(unknown.error?.message).toContain("did you mean `work`?");
    writeFileSync(fileOf(desk, "work"), "{");
    const broken = await desk.run(["resume", "work"]);
    expect(broken.error).toMatchObject({ code: "FileInvalid" });
    expect(broken.error?.message).toContain("it is not JSON");
  });
});

test("sessions lists names, holders and times, never contents", async () => {
  const desk = deskWithTurns();
  await desk.run(["say", "private words"]);
  await desk.run(["save", "work"]);
  const held = await desk.program.sessions().acquire("busy", new AbortController().signal);
  desk.program.sessions().ensure("busy", null);
  const outcome = await desk.run(["sessions"]);
  held.release();
  expect(textOf(outcome)).toContain(`pid ${process.pid}`);
  expect(textOf(outcome)).toMatch(/^SAVED +AT$/m);
  expect(JSON.stringify(outcome)).not.toContain("private words");
  expect(outcome.result.metadata?.sessions).toContainEqual(
    expect.objectContaining({ id: "busy", holder: { pid: process.pid }, waiting: 0 }),
  );
  expect(outcome.result.metadata?.saved).toEqual([{ name: "work", savedAt: expect.any(String) }]);
});
