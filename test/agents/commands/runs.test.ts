import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../support/program-of-commands.ts";
import { fullLog } from "../log/transcript/sample-log.ts";

interface Kept {
  readonly id: string;
  readonly agent?: string;
  readonly usd?: number | null;
  readonly status?: "success" | "failed";
  readonly folder?: string;
}

function keepRun(
  opened: TestProgram,
  { id, agent = "codex", usd = 0.5, status = "success", folder }: Kept,
) {
  const log = fullLog();
  const [day, clock] = id.split(/[T-]/);
  const time = `${day?.replace(/(....)(..)(..)/, "$1-$2-$3")}T${clock?.replace(/(..)(..)(..)/, "$1:$2:$3")}.000Z`;
  mkdirSync(join(opened.stateDir, "runs", id), { recursive: true });
  writeFileSync(
    join(opened.stateDir, "runs", id, "log.json"),
    JSON.stringify({
      ...log,
      run_id: id,
      agent_info: { ...log.agent_info, name: agent },
      execution: { ...log.execution, status, started_at: time },
      environment: { ...log.environment, working_directory: folder ?? opened.root },
      cost: usd === null ? null : { usd, source: "output" },
    }),
  );
}

function openWithRuns(): TestProgram {
  const opened = openTestProgram();
  keepRun(opened, { id: "20261101T120000-aaaaaaaa", agent: "claude-code", folder: "/gone/away" });
  keepRun(opened, { id: "20261102T120000-bbbbbbbb", status: "failed", usd: 0.25 });
  keepRun(opened, { id: "20261102T130000-cccccccc", usd: null });
  // One that is under way, and a folder that is no run's.
  mkdirSync(join(opened.stateDir, "runs", "20261103T120000-dddddddd"));
  mkdirSync(join(opened.stateDir, "runs", "notes"));
  return opened;
}

const firstWords = async (opened: TestProgram, ...words: string[]) =>
  linesOf(await opened.run(["runs", ...words]))
    .slice(1)
    .map((line) => line.split(/\s+/)[0]);

describe("adj runs", () => {
  test("lists what ran, the newest first, one that is under way too", async () => {
    expect(await firstWords(openWithRuns())).toEqual([
      "dddddddd",
      "cccccccc",
      "bbbbbbbb",
      "aaaaaaaa",
    ]);
  });

  test.each([
    ["an agent, by its alias too", ["--agent", "claude"], ["aaaaaaaa"]],
    ["a folder", ["--project", "."], ["cccccccc", "bbbbbbbb"]],
    ["a time", ["--since", "2026-11-02T12:30Z"], ["dddddddd", "cccccccc"]],
    ["a number", ["--last", "1"], ["dddddddd"]],
  ])("is limited to %s", async (_, words, ids) => {
    expect(await firstWords(openWithRuns(), ...words)).toEqual(ids);
  });

  test.each([
    ["agent", "codex", { runs: 2, failed: 1, usd: 0.25, unpriced: 1 }],
    ["project", "/gone/away", { runs: 1, failed: 0, usd: 0.5, unpriced: 0 }],
    ["day", "2026-11-02", { runs: 2, failed: 1, usd: 0.25, unpriced: 1 }],
  ])("sums by %s and leaves out what nobody priced", async (by, key, sum) => {
    const { result } = await openWithRuns().run(["runs", "--by", by]);
    expect(result.metadata?.sums).toContainEqual(expect.objectContaining({ key, ...sum }));
  });

  test("says that there is none, and which time it did not understand", async () => {
    expect(textOf(await openTestProgram().run(["runs"])).trim()).toBe(
      "no run yet; `adj agent run` makes one",
    );
    expect(textOf(await openWithRuns().run(["runs", "--agent", "gemini"])).trim()).toBe(
      "no run is kept that fits; `adj runs` lists all",
    );
    const { result } = await openTestProgram().run(["runs", "--since", "yesterday"]);
    expect(result).toMatchObject({
      exitCode: 2,
      errorOutput: expect.stringContaining("`--since` is a duration like `2h`"),
    });
  });

  test("what it lists, `adj agent log` opens, and without an id the last", async () => {
    const opened = openTestProgram();
    keepRun(opened, { id: "20261101T120000-aaaaaaaa" });
    keepRun(opened, { id: "20261102T120000-bbbbbbbb" });
    const log = async (...words: string[]) => (await opened.run(["agent", "log", ...words])).result;
    expect((await log("aaaa")).metadata?.folder).toContain("aaaaaaaa");
    expect((await log()).metadata?.folder).toContain("bbbbbbbb");
  });
});
