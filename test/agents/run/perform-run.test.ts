import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireAdapter } from "../../../src/agents/roster.ts";
import { performRun } from "../../../src/agents/run/command-run.ts";
import { depthOf } from "../../../src/core/process/environment.ts";
import { makePlace, makeProgram, type Place } from "./scripted-agent.ts";

async function perform(place: Place, program: string, { env = {} } = {}) {
  const events: [type: string, data: unknown][] = [];
  const kept: string[] = [];
  const request = {
    config: { prompt: "do it", argv: [program] },
    workspaceDir: place.workspace,
    timeout: 30_000,
    env: { PATH: process.env.PATH ?? "", ...env },
    runId: "r-1",
    logDir: join(place.folder, "log"),
  };
  const performed = await performRun(await requireAdapter("command"), request, {
    secrets: ["hunter2-of-mine"],
    publish: (type, data) => events.push([type, data]),
    keepLog: (log) => kept.push(`${events.length} ${log.messages.at(-1)?.content}`),
  });
  return { ...performed, events, kept };
}

describe("the wrapper around a run", () => {
  test("records its begin and its end, and keeps the log in between", async () => {
    const place = makePlace();
    const { events, kept } = await perform(place, makeProgram(place, "echo done"));
    expect(events).toEqual([
      ["AgentRunStarted", { agent: "command", runId: "r-1" }],
      [
        "AgentRunCompleted",
        {
          agent: "command",
          runId: "r-1",
          status: "success",
          error: null,
          durationMs: expect.any(Number),
          tokens: null,
        },
      ],
    ]);
    expect(kept).toEqual(["1 done"]);
  });

  test("masks secrets in what is kept and nowhere else", async () => {
    const place = makePlace();
    const program = makeProgram(place, "echo key hunter2-of-mine");
    const { log, keptLog } = await perform(place, program);
    expect(log.messages.at(-1)?.content).toBe("key hunter2-of-mine");
    expect(keptLog).toEqual({
      ...log,
      messages: [log.messages[0], { role: "assistant", content: "key [secret]" }],
    });
  });

  test("masks what the environment names a secret, in the log and in the raw output", async () => {
    const place = makePlace();
    const program = makeProgram(place, "echo told $SOME_TOKEN");
    const run = await perform(place, program, { env: { SOME_TOKEN: "Zq7-of-the-environment" } });
    expect(run.keptLog.messages.at(-1)?.content).toBe("told [secret]");
    expect(readFileSync(join(place.folder, "log", "stdout"), "utf8")).toBe("told [secret]\n");
  });

  test("masks a flood of secrets, also what of it is not looked at, and the text behind it as ever", async () => {
    const place = makePlace();
    const words = "ordinary words; and a path/of_theirs\n";
    const program = makeProgram(
      place,
      `seq 1000000 1150000 | sed 's/.*/DB_PASSWORD=Zq7&/'
yes '${words.trim()}' | head -n 60000
echo DB_PASSWORD=Zq7-the-last`,
    );
    await perform(place, program);
    const saved = readFileSync(join(place.folder, "log", "stdout"), "utf8");
    expect(saved).not.toContain("Zq7");
    expect(saved).toContain("[secret: too many to look at one by one]\n");
    expect(saved.startsWith("DB_PASSWORD=[secret]\n".repeat(2000))).toBe(true);
    expect(saved.endsWith(`${words}DB_PASSWORD=[secret]\n`)).toBe(true);
  });

  test("tells the agent how deep it runs", async () => {
    const place = makePlace();
    const program = makeProgram(place, "echo $ADJ_DEPTH");
    const answerWith = async (env: Record<string, string>) =>
      (await perform(place, program, { env })).log.messages.at(-1)?.content;
    expect(await answerWith({})).toBe("1");
    expect(await answerWith({ ADJ_DEPTH: "1" })).toBe("2");
    expect(await answerWith({ ADJ_DEPTH: "x" })).toBe("1");
    expect(depthOf({ ADJ_DEPTH: "-3" })).toBe(0);
  });

  test("gives the command line also of a run that was refused for want of a login", async () => {
    const place = makePlace();
    const events: string[] = [];
    const run = await performRun(
      await requireAdapter("codex"),
      {
        config: { prompt: "do it", model: "gpt-5.5" },
        workspaceDir: place.workspace,
        timeout: 0,
        env: { PATH: "", HOME: place.home },
        runId: "r-1",
        logDir: join(place.folder, "log"),
        program: "/nowhere/codex",
      },
      { publish: (type) => events.push(type) },
    );
    expect(run.log.errors.map(({ code }) => code)).toEqual(["CODEX_AUTH_FAILED"]);
    expect(run.log.command).toBeNull();
    expect(run.command?.executable).toBe("/nowhere/codex");
    expect(run.command?.args).toContain("gpt-5.5");
    expect(events).toEqual(["AgentRunStarted", "AgentRunCompleted"]);
  });
});
