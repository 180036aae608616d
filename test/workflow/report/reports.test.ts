import { describe, expect, test } from "vitest";
import { htmlWorkflowReport } from "../../../src/workflow/report/html-report.ts";
import { markdownWorkflowReport } from "../../../src/workflow/report/markdown-report.ts";
import type { WorkflowReport } from "../../../src/workflow/report/report.ts";
import { textOfCall, textReport } from "../../../src/workflow/report/text-report.ts";
import { fullLog } from "../../agents/log/transcript/sample-log.ts";
import { at, START, sampleCall, sampleCalls, sampleRun } from "./sample-run.ts";

const sampleReport = (more: Partial<WorkflowReport> = {}): WorkflowReport => ({
  run: sampleRun({ status: "done", endedAt: at(60), result: { approved: true, files: 2 } }),
  entries: sampleCalls(),
  logs: new Map([[3, [fullLog()]]]),
  worktrees: [
    {
      number: 4,
      path: "/cache/adjutant/worktrees/wf_a1b2/4",
      branch: "adj/wf_a1b2c3/4",
      diffstat: ["a.ts | 2 +-", "1 file changed, 1 insertion(+), 1 deletion(-)"],
      patch: "diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new\n",
    },
  ],
  now: START + 60_000,
  ...more,
});

test("a report in text says what failed first, then every call, worktrees and the result", () => {
  expect(textReport(sampleReport(), null).split("\n")).toEqual([
    "review-panel (wf_a1b2c3d4e5f6) done",
    "1 min 0 s · 3 done, 1 failed, 1 running, 1 waiting · 2,400 tokens · $0.025",
    "",
    "failed: 5 security: src/b.ts: RATE_LIMIT: the quota of today is used up",
    "waits: 7 Ship it?: a person: Ship it?",
    "4 style: src/a.ts: started twice: its owner died, its quota was used up, or somebody wanted it again",
    "",
    "CALL  PHASE   WHAT                    BY                STATE   TIME    TOKENS  COST",
    "1     Scan    list the changed files  command           done    1.0 s",
    "3     Review  security: src/a.ts      codex gpt-5       done    8.0 s   1,200   $0.0125",
    "4     Review  style: src/a.ts         claude-code opus  done    18.0 s  1,200   $0.0125",
    "5     Review  security: src/b.ts      qwen-code         failed  4.0 s",
    "6     Review  style: src/b.ts         claude-code opus  runs    54.0 s",
    "7     Ship    Ship it?                ask               waits   30.0 s",
    "",
    "worktree of call 4: /cache/adjutant/worktrees/wf_a1b2/4 (branch adj/wf_a1b2c3/4)",
    "  a.ts | 2 +-",
    "  1 file changed, 1 insertion(+), 1 deletion(-)",
    "  take it over with `adj workflow adopt wf_a1b2c3d4e5f6 4`",
    "",
    "result:",
    "{",
    '  "approved": true,',
    '  "files": 2',
    "}",
  ]);
});

test("one call is shown whole", () => {
  const entry = sampleCall(3, { label: "security", runIds: ["20261117T1000-ab"] });
  expect(textOfCall(entry, START)).toBe(
    "3 security done (codex gpt-5, 8.0 s, 1,200 tokens, $0.0125)\nlog: `adj agent log 20261117T1000-ab`\n\n--- asked ---\nDo the work 3\n\n--- answered ---\ndid 3",
  );
});

describe("what agents and people wrote stays text", () => {
  const HOSTILE = `</pre><script>alert(1)</script> "onmouseover=x ![x](http://x) @all | \`\`\`\n# no`;
  const report = sampleReport({
    run: sampleRun({ workflow: HOSTILE, reason: HOSTILE, result: HOSTILE, status: "failed" }),
    entries: [
      sampleCall(1, {
        label: HOSTILE,
        phase: HOSTILE,
        asked: HOSTILE,
        result: HOSTILE,
        agent: HOSTILE,
        status: "failed",
        problem: { code: HOSTILE, message: HOSTILE },
        runIds: [HOSTILE],
      }),
    ],
    worktrees: [
      { number: 1, path: HOSTILE, branch: HOSTILE, diffstat: [HOSTILE], patch: `+${HOSTILE}` },
    ],
  });

  test("in HTML", () => {
    const html = htmlWorkflowReport(report);
    expect(html).not.toContain("<script");
    expect(html).not.toMatch(/"onmouseover/);
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<pre/g)?.length).toBe(html.match(/<\/pre>/g)?.length);
  });

  test("in Markdown", () => {
    const words = markdownWorkflowReport(report)
      .replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, "")
      .replaceAll("<details><summary>answer</summary>", "")
      .replaceAll("</details>", "");
    expect(words).not.toMatch(/(?<!\\)<|(?<!\\)!?(?<!\\)\[x/);
    expect(words).not.toMatch(/^# no/m);
  });
});

test("the page has a bar for each call on one scale, prompt, answer, transcript and what it left", () => {
  const html = htmlWorkflowReport(sampleReport());
  const bars = [...html.matchAll(/<i class="(\w+)" style="left:([\d.]+)%;width:([\d.]+)%">/g)];
  expect(bars.map(([, state]) => state)).toEqual([
    "done",
    "done",
    "done",
    "failed",
    "runs",
    "waits",
  ]);
  for (const [, , left, width] of bars)
    expect(Number(left) + Number(width)).toBeLessThanOrEqual(100.01);
  for (const said of [
    "Do the work 3",
    "did 3",
    "Two callers.",
    "adj workflow adopt",
    '<span class="plus">+new',
  ])
    expect(html).toContain(said);
  expect(html.indexOf("RATE_LIMIT")).toBeLessThan(html.indexOf("Time line"));
});

test("a run of which nothing is there yet has a report", () => {
  const empty = sampleReport({ entries: [], worktrees: [], run: sampleRun() });
  expect(textReport(empty, null)).toBe(
    "review-panel (wf_a1b2c3d4e5f6) running\n1 min 0 s · no calls yet",
  );
  expect(htmlWorkflowReport(empty)).toContain("no calls yet");
  expect(markdownWorkflowReport(empty)).toContain("# review-panel");
});
