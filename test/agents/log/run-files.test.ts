import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findRun,
  listRuns,
  makeRunFolder,
  readLog,
  runFolder,
  saveLog,
} from "../../../src/agents/log/run-files.ts";
import { makePlace } from "../run/scripted-agent.ts";
import { fullLog } from "./transcript/sample-log.ts";

describe("the folder of a run", () => {
  test("gives back the log that was saved in it", () => {
    const { folder } = makePlace();
    const { runId, logDir } = makeRunFolder(folder);
    saveLog(logDir, fullLog());
    expect(findRun(folder, runId.slice(0, 10))).toBe(logDir);
    expect(readLog(logDir)).toEqual(fullLog());
  });

  test("is found as the newest also among those of one second", () => {
    const { folder } = makePlace();
    const made = [1, 20, 300, 999].map((ms) => {
      const { logDir } = makeRunFolder(folder, new Date(Date.UTC(2026, 10, 5, 14, 3, 22, ms)));
      saveLog(logDir, fullLog());
      return logDir;
    });
    expect(findRun(folder, undefined)).toBe(made.at(-1));
    expect(listRuns(folder).map((id) => runFolder(folder, id))).toEqual(made.reverse());
  });

  test("of version 0.1, whose log has no command, is read as before", () => {
    const { folder } = makePlace();
    const { command: _, ...old } = fullLog();
    mkdirSync(join(folder, "old"));
    writeFileSync(join(folder, "old", "log.json"), JSON.stringify(old));
    expect(readLog(join(folder, "old"))).toEqual({ ...old, command: null });
  });
});
