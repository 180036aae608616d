import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../support/program-of-commands.ts";
import { sampleRun } from "../report/sample-run.ts";
import { readRecorded, recordRun } from "./recorded-run.ts";

const ID = sampleRun().id;

function openRecorded(more = {}): TestProgram {
  const testProgram = openTestProgram();
  recordRun(testProgram.stateDir, { root: testProgram.root, ...more });
  return testProgram;
}

describe("a run in the journal", () => {
  test("is listed, and found by a beginning of its id, with or without `wf_`, or as `last`", async () => {
    const testProgram = openRecorded();
    const listed = await testProgram.run(["workflow", "list"]);
    expect(linesOf(listed)[0]).toBe("no workflow here; make one with `adj new NAME --workflow`");
    expect(linesOf(listed).at(-1)).toMatch(
      /^wf_a1b2c3d4e5f6 {2}review-panel .* 1\/3, 1 failed {2}\$0.5 {2}running$/,
    );
    for (const word of [ID, "wf_a1", "a1b2", "last"])
      expect(linesOf(await testProgram.run(["workflow", "show", word]))[0]).toBe(
        `review-panel  ${ID}  running`,
      );
    const shown = await testProgram.run(["workflow", "show", "wf_a1"]);
    expect(shown.result.metadata).toMatchObject({
      run: ID,
      census: { done: 1, failed: 1, running: 1 },
    });
  });

  test("is listed no wider than a narrow terminal, also where it failed with many words", async () => {
    const reason = "stage `build`: unknown agent `nope`; list all with `adj agent list`";
    const endedAt = "2026-11-17T10:02:00.000Z";
    const testProgram = openRecorded({ status: "failed", reason, endedAt });
    const listed = await testProgram.run(["workflow", "list"], { env: { COLUMNS: "80" } });
    const lines = linesOf(listed);
    expect(lines.at(-1)).toMatch(/^wf_.* failed?.*…$/);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("a call is shown whole by its number", async () => {
    const testProgram = openRecorded();
    const text = textOf(await testProgram.run(["workflow", "show", "last", "1"]));
    expect(text).toMatch(
      /^1 look done \(codex gpt-5, .*120 tokens, \$0.5\)\n\n--- asked ---\nplease look\n\n--- answered ---\nlooked$/,
    );
  });

  test("stops, pauses, skips and tries again also where nobody runs it", async () => {
    const testProgram = openRecorded();
    const say = async (...words: string[]) => textOf(await testProgram.run(["workflow", ...words]));
    expect(await say("pause", "last")).toBe(
      `${ID} is paused; go on with \`adj workflow resume ${ID}\``,
    );
    expect(await say("skip", "last", "3")).toBe("call 3 (write) is skipped and gives nothing");
    expect(await say("retry", "last", "2")).toBe(
      `call 2 (judge) runs again when the run is resumed: \`adj workflow resume ${ID}\``,
    );
    expect(await say("stop", "last")).toBe(
      `${ID} is stopped; go on with \`adj workflow resume ${ID}\``,
    );
    const kept = readRecorded(testProgram.stateDir, (journal) => ({
      status: journal.readRun(ID)?.status,
      calls: journal.listEntries(ID).map(({ status, requested }) => [status, requested]),
    }));
    expect(kept).toEqual({
      status: "stopped",
      calls: [
        ["done", null],
        ["failed", "retry"],
        ["skipped", null],
      ],
    });
  });

  test("its report goes to the output or into a file, in each form", async () => {
    const testProgram = openRecorded();
    const text = await testProgram.run(["workflow", "report"]);
    expect(textOf(text)).toContain("failed: 2 judge: RATE_LIMIT: no more today");
    expect(text.result.metadata).toMatchObject({ run: ID, calls: { length: 3 } });
    expect(textOf(await testProgram.run(["workflow", "report", "last", "--markdown"]))).toMatch(
      /^# review-panel/,
    );
    const written = await testProgram.run([
      "workflow",
      "report",
      "last",
      "--html",
      "--out",
      "page.html",
    ]);
    const file = join(testProgram.root, "page.html");
    expect(textOf(written)).toBe(`wrote ${file}`);
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>/);
    const nowhere = await testProgram.run(["workflow", "report", "last", "--out", "no/such/page"]);
    expect(nowhere.error?.message).toContain("its folder does not exist");
  });

  test("what it took before is the estimate of the next one", async () => {
    const testProgram = openRecorded({ status: "done" });
    const script = `export const meta = { name: "review-panel", description: "Look twice", phases: [{ title: "Scan" }] };\n`;
    mkdirSync(join(testProgram.configDir, "workflows"));
    writeFileSync(join(testProgram.configDir, "workflows", "panel.js"), script);
    const planned = await testProgram.run(["workflow", "plan", "review-panel"]);
    expect(linesOf(planned).at(-1)).toMatch(/^by 1 run before: 3 calls, 120 tokens, \$0.5, /);
  });
});

describe("wrong input gets one clear line", () => {
  test.each([
    [["rnu"], "`workflow`: `rnu` is nothing that can be done; did you mean `run`?"],
    [
      ["run"],
      "`workflow`: `workflow run` needs a workflow, by name or file; `adj workflow list` has them",
    ],
    [["stop"], "`workflow`: `workflow stop` needs a run; `adj workflow list` has them"],
    [
      ["skip", "last"],
      "`workflow`: `workflow skip` needs a call of it, by its number; `adj workflow show last` has them",
    ],
    [["stop", "last", "now"], "`workflow`: `now` is one word too many; leave it out"],
    [["show", "wf_zz"], "`adj workflow`: there is no run `wf_zz`; `adj workflow list` has them"],
    [
      ["skip", "last", "99"],
      `\`adj workflow\`: run ${ID} has no call 99; \`adj workflow show ${ID}\` lists them`,
    ],
    [
      ["skip", "last", "judge"],
      `\`workflow\`: a call is named by its number, not \`judge\`; \`adj workflow show ${ID}\` has them`,
    ],
    [["skip", "last", "1"], `workflow: call 1 of \`${ID}\` is done`],
    [
      ["adopt", "last", "1"],
      `\`adj workflow adopt\`: call 1 left no worktree; \`adj workflow report ${ID}\` says which did`,
    ],
    [
      ["report", "last", "--html", "--markdown"],
      "`workflow`: `--markdown` and `--html` are two forms; give one of them",
    ],
    [
      ["detach"],
      "`workflow`: no workflow is attached to this session; `adj workflow attach NAME` does it",
    ],
  ])("%j", async (words, line) => {
    const testProgram = openRecorded();
    const { result } = await testProgram.run(["workflow", ...words]);
    expect(result).toMatchObject({ success: false, errorOutput: line });
    expect(result.exitCode).toBe(2);
  });

  test("without any run `last` says how to make one", async () => {
    const { result } = await openTestProgram().run(["workflow", "report"]);
    expect(result.errorOutput).toBe(
      "`adj workflow`: there is no run yet; `adj workflow run NAME` makes one",
    );
  });

  test("a beginning that two runs have is not enough", async () => {
    const testProgram = openRecorded();
    recordRun(testProgram.stateDir, { id: "wf_a1zzzzzzzzzz", root: testProgram.root });
    const { result } = await testProgram.run(["workflow", "show", "wf_a1"]);
    expect(result.errorOutput).toBe("`adj workflow`: `wf_a1` begins 2 runs; give more of the id");
  });
});

test.each(["attach", "detach", "stop"])("`%s` is for a person alone", async (action) => {
  const testProgram = openRecorded();
  const env = { CLAUDECODE: "1" };
  const run = action === "detach" ? [] : ["last"];
  const { result } = await testProgram.run(["workflow", action, ...run], { env });
  expect(result).toMatchObject({ success: false, exitCode: 126 });
});
