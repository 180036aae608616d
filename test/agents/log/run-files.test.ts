import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRun, makeRunFolder, readLog, saveLog } from "../../../src/agents/log/run-files.ts";
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

  test("of version 0.1, whose log has no command, is read as before", () => {
    const { folder } = makePlace();
    const { command: _, ...old } = fullLog();
    mkdirSync(join(folder, "old"));
    writeFileSync(join(folder, "old", "log.json"), JSON.stringify(old));
    expect(readLog(join(folder, "old"))).toEqual({ ...old, command: null });
  });
});
