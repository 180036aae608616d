import { describe, expect, test } from "vitest";
import { githubAnnotations } from "../../../src/bench/report/github.ts";
import { htmlReport } from "../../../src/bench/report/html.ts";
import { junitReport } from "../../../src/bench/report/junit.ts";
import { markdownReport } from "../../../src/bench/report/markdown.ts";
import type { RunReport } from "../../../src/bench/report/report.ts";
import { compareResults, summarizeRun } from "../../../src/bench/report/summary.ts";
import { terminalReport } from "../../../src/bench/report/terminal.ts";
import type { TrialResult } from "../../../src/bench/suite/trial.ts";
import { logWith } from "../evaluators/grading.ts";
import { result } from "./results.ts";

const HOSTILE = `</script><script>alert(1)</script>"'&<img src=x onerror=alert(1)>\n::error::x %0A | \`b\` \u001b[31m`;

const evaluation = (message: string): TrialResult["evaluations"][number] => ({
  id: "run",
  type: "run",
  weight: 1,
  status: "failed",
  score: 0,
  message,
  metrics: {},
  artifacts: [],
  durationMs: 1,
});

function reportOf(results: readonly TrialResult[], given: Partial<RunReport> = {}): RunReport {
  const inOrder = (values: readonly string[]) => [...new Set(values)];
  return {
    run: {
      id: "0123456789abcdef",
      suite: "suite",
      suiteFile: "/suite/suite.yaml",
      startedAt: "2026-01-01T12:34:56.000Z",
      finishedAt: null,
      state: "done",
      trials: results.length,
      definition: "{}",
      concurrency: 1,
      usdLimit: null,
    },
    summary: summarizeRun(results, {
      agents: inOrder(results.map(({ agentId }) => agentId)),
      cases: inOrder(results.map(({ caseId }) => caseId)),
    }),
    results,
    missed: [],
    worse: [],
    unconfined: [],
    hintFlag: "",
    ...given,
  };
}

const PLAIN = [
  result({ ending: "passed", caseId: "a", agentId: "x", score: 1, costUsd: 0.5, tokens: 1200 }),
  result({ ending: "failed", caseId: "a", agentId: "x", repetition: 2, score: 0, reason: "no" }),
  result({ ending: "infra", caseId: "b", agentId: "x", reason: "no network" }),
  result({ ending: "timeout", caseId: "b", agentId: "x", repetition: 2 }),
];
const MANY = Array.from({ length: 3 }, (_, at) =>
  result({ ending: "failed", caseId: "c", repetition: at + 1, reason: "the same" }),
);
const missed = [{ bar: "pass_rate < 0.8", agentId: "x", value: 1 / 3 }];

test("in a terminal: figures, matrix, tries, reasons, bars", () => {
  expect(terminalReport(reportOf(PLAIN, { missed }), null)).toBe(
    `suite: 4 trials (run 01234567)

AGENT  PASSED      95 %    SCORE  TIME  TOKENS  COST     PER SOLVED  COVERAGE
x      33 % (1/3)  6–79 %  0.50   1 ms  1,200   ≥ $0.50  ≥ $0.50     75 %

CASE  x
a     1/2 ~
b     0/1 of 2

NOT PASSED  ENDING   TIMES  REASON
a/x         failed   1      no
b/x         infra    1      no network
b/x         timeout  1
why: \`adj bench show a/x 01234567\`

missed: x: pass_rate < 0.8 (it is 0.333)`,
  );
});

test("what to type next is quoted where a shell would read it otherwise", () => {
  const tried = result({ ending: "failed", caseId: "a[prompt=#1]", reason: "no" });
  expect(terminalReport(reportOf([tried]), null)).toContain(
    "why: `adj bench show 'a[prompt=#1]/x' 01234567`",
  );
});

test("the same reason is given once, with how often it was one", () => {
  const report = reportOf(MANY);
  expect(terminalReport(report, null)).toContain("c/x         failed  3      the same");
  expect(markdownReport(report)).toContain("| c/x | failed | 3 | `the same` |\n");
  expect(githubAnnotations(report)).toBe(
    "::warning file=/suite/suite.yaml::c/x failed 3 times: the same",
  );
});

test.each([80, 120])("fits into %i columns", (width) => {
  const long = result({
    ending: "failed",
    caseId: "a".repeat(30),
    agentId: "claude-opus",
    reason: "no ".repeat(90),
    costUsd: 12.5,
    tokens: 1_234_567,
    score: 0.5,
  });
  for (const line of terminalReport(reportOf([long, ...PLAIN], { missed }), width).split("\n"))
    expect(line.length).toBeLessThanOrEqual(width);
});

test("an agent that got worse is named in every report, with by how much", () => {
  const many = (passed: number) =>
    Array.from({ length: 10 }, (_, at) =>
      result({ ending: at < passed ? "passed" : "failed", repetition: at + 1 }),
    );
  const compared = compareResults(
    { name: "x", results: many(0) },
    { name: "x before", results: many(10) },
  );
  const report = reportOf(PLAIN, { worse: compared === null ? [] : [compared] });
  const said =
    "worse than before: x before is better than x (x − x before: −100 points, 95 % −100 to −61, p < 0.001)";
  expect(terminalReport(report, null)).toContain(said);
  expect(githubAnnotations(report).split("\n")[0]).toBe(
    `::error file=/suite/suite.yaml::${said.replaceAll("%", "%25")}`,
  );
  expect(markdownReport(report)).toContain("- worse than before: x before is better");
});

test("the terminal gets no control characters from an agent", () => {
  const text = terminalReport(reportOf([result({ ending: "failed", reason: HOSTILE })]), null);
  expect(text).not.toContain("\u001b");
  expect(text.split("\n").some((line) => line.startsWith("::"))).toBe(false);
});

test("as Markdown, in which nothing becomes markup", () => {
  const text = markdownReport(
    reportOf([...PLAIN, result({ ending: "failed", caseId: "c", reason: HOSTILE })], { missed }),
  );
  expect(text).toContain("| a | 1/2 \\~ |\n");
  expect(text).toContain("| a/x | failed | 1 | `no` |\n");
  expect(text).toContain("- missed: x: pass\\_rate \\< 0.8 (it is 0.333)\n");
  // One line of code with a fence that is longer than any inside.
  expect(text).toContain("| c/x | failed | 1 | `` </script><script>");
  expect(text).toContain(" ::error::x %0A \\| `b` \\u{1b}[31m `` |\n");
  expect(text).not.toContain("\u001b");
});

test("names of agents and cases are as harmless as what agents say", async () => {
  const results = [HOSTILE, "other"].map((agentId, at) =>
    result({ ending: at === 0 ? "failed" : "passed", agentId, caseId: HOSTILE }),
  );
  const report = reportOf(results, { missed: [{ bar: "x", agentId: HOSTILE, value: null }] });
  const terminal = terminalReport(report, null);
  expect(terminal).not.toContain("\u001b");
  expect(terminal.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
  const markdown = markdownReport(report);
  expect(markdown).not.toMatch(/(^|[^\\])<(script|img)/);
  expect(markdown).not.toContain("\u001b");
  expect(markdown).not.toMatch(/^::/m);
  for (const line of githubAnnotations(report).split("\n"))
    expect(line).toMatch(/^::(error|warning) file=\/suite\/suite\.yaml::/);
  expect(parseXml(junitReport(report)).elements).not.toContain("script");
  const page = await htmlReport(report, async () => null);
  expect(page).not.toMatch(/<(script|img)/);
  expect(page).not.toContain("\u001b");
});

describe("as JUnit", () => {
  const evaluations = [evaluation(HOSTILE)];
  const xml = junitReport(
    reportOf([...PLAIN, result({ ending: "failed", reason: HOSTILE, evaluations })]),
  );

  test("a suite per agent, failures and errors apart", () => {
    expect(xml).toContain('<testsuite name="x" tests="5" failures="3" errors="1" time="0.005">');
    expect(xml).toContain('<testcase name="a #1" classname="x" time="0.001"/>');
    expect(xml).toContain(
      '<testsuites name="suite" tests="5" failures="3" errors="1" time="0.005">',
    );
    expect(xml).toContain('<error type="infra" message="no network"></error>');
  });

  test("is well-formed whatever an agent said", () => {
    const { elements, attributes } = parseXml(xml);
    expect(elements.filter((name) => name === "testcase")).toHaveLength(5);
    expect(elements).not.toContain("script");
    expect(xml).toContain(">run failed: &lt;/script&gt;");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
    expect(xml).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f]/);
    const message = HOSTILE.replace("\u001b", "");
    expect(attributes.message).toBe(message);
  });
});

/** Strict, for what is written here: throws at the first thing that is not well-formed. */
function parseXml(xml: string): { elements: string[]; attributes: Record<string, string> } {
  const open: string[] = [];
  const elements: string[] = [];
  const attributes: Record<string, string> = {};
  const body = xml.replace(/^<\?xml [^?]*\?>\n/, "");
  const token = /<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  while (token.lastIndex < body.length) {
    const at = token.lastIndex;
    const match = token.exec(body);
    if (match === null) throw new Error(`not well-formed: ${body.slice(at, at + 60)}`);
    const [, closing, name = "", given = "", empty, text] = match;
    if (text !== undefined) {
      if (/&(?!(amp|lt|gt|quot|#10);)/.test(text)) throw new Error(`bad entity: ${text}`);
      continue;
    }
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    elements.push(name);
    for (const [, key = "", value = ""] of given.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (/&(?!(amp|lt|gt|quot|#10);)/.test(value)) throw new Error(`bad entity: ${value}`);
      attributes[key] = unescapeXml(value);
    }
    if (!empty) open.push(name);
  }
  if (open.length > 0) throw new Error(`left open: ${open}`);
  return { elements, attributes };
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll("&#10;", "\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

test("as annotations, one line each, in which nothing begins another", () => {
  const lines = githubAnnotations(
    reportOf([...PLAIN, result({ ending: "failed", caseId: "c", reason: HOSTILE })], { missed }),
  ).split("\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe("::error file=/suite/suite.yaml::missed: x: pass_rate < 0.8 (it is 0.333)");
  expect(lines[1]).toBe("::warning file=/suite/suite.yaml::a/x failed: no");
  for (const line of lines) expect(line).toMatch(/^::(error|warning) file=/);
  expect(lines[4]).toContain("%0A::error::x %250A");
  expect(lines[4]).not.toContain("\u001b");
});

describe("as a page", async () => {
  const log = logWith({ answer: HOSTILE, calls: [{ name: HOSTILE, kind: "shell" }] });
  const stored: Readonly<Record<string, string>> = {
    log: JSON.stringify(log),
    patch: `--- a/x\n+++ b/x\n+${HOSTILE}\n`,
  };
  const hostile = result({
    ending: "failed",
    caseId: "c",
    agentId: "y<b>",
    reason: HOSTILE,
    evaluations: [evaluation(HOSTILE)],
    artifacts: { "log.json": "log", "diff/changes.patch": "patch", gone: "gone" },
    reusedFrom: "<older>",
  });
  const html = await htmlReport(reportOf([...PLAIN, hostile], { missed }), async (hash) => {
    const text = stored[hash];
    return text === undefined ? null : Buffer.from(text);
  });

  test("needs no script, no network and no other file", () => {
    expect(html).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i);
    for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi))
      expect(tag.replace(/ href="#trial-\d+-\d+"/, "")).not.toMatch(
        /\s(src|href|srcset|action|on[a-z]+)\s*=/i,
      );
    expect(html).not.toMatch(/url\(|@import|https?:\/\//i);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test("shows figures, plots, every trial, its changes and its transcript", () => {
    expect(html).toContain("<title>suite · 5 trials</title>");
    expect(html).toContain('title="x: 33 %, 6 % to 79 %"');
    expect(html).toContain("Time of the agent: median and middle half");
    expect(html).toContain('title="x: $0.5, $0.5 to $0.5"');
    expect(html.match(/<details class="cell"/g)).toHaveLength(3);
    expect(html.match(/<details class="trial">/g)).toHaveLength(5);
    expect(html).toContain("<summary>changes</summary>");
    expect(html).toContain("<summary>transcript</summary>");
    expect(html).toContain('<span class="badge mixed">1/2 ~</span>');
    expect(html).toContain("known from run &lt;older&gt;");
    expect(html).toContain('<li class="bad">missed: x: pass_rate &lt; 0.8 (it is 0.333)</li>');
  });

  test("leads from each cell of the matrix to its trials and figures", () => {
    const matrix = html.slice(html.indexOf("<h2>Cases</h2>"), html.indexOf("<h2>Time and cost"));
    const targets = [...matrix.matchAll(/href="#(trial-\d+-0)"/g)].map(([, id]) => id);
    expect(targets).toHaveLength(3);
    // Within the folds, so that a browser opens them on the way.
    for (const id of targets) expect(html).toContain(`</summary><div class="inner" id="${id}">`);
    expect(html).toContain("50 %, 95 % interval 9–91 % · pass@2 100 %, pass^2 0 %");
  });

  test("begins with what did not pass, and its trials too", () => {
    const listed = html.slice(html.indexOf("<h2>Not passed</h2>"), html.indexOf("<h2>Cases</h2>"));
    expect(listed.match(/<a href="#trial-\d+-0">/g)?.length).toBeGreaterThan(0);
    const trials = html.slice(html.indexOf("<h2>Trials</h2>"));
    for (const cell of trials.split('<details class="cell">').slice(1)) {
      const endings = [...cell.matchAll(/#\d+ <span class="badge (\w+)">/g)].map(
        ([, look]) => look,
      );
      const firstGood = endings.indexOf("good");
      if (firstGood >= 0)
        expect(endings.slice(firstGood).every((look) => look === "good")).toBe(true);
    }
    const cells = [
      ...trials.matchAll(/<details class="cell"><summary><span class="badge (\w+)">/g),
    ];
    const looks = cells.map(([, look]) => (look === "good" ? 1 : 0));
    expect(looks).toEqual(looks.toSorted());
  });

  test("says what is missing where a log is broken or gone", async () => {
    const artifacts = { "log.json": "half", "diff/changes.patch": "gone" };
    const page = await htmlReport(
      reportOf([result({ ending: "failed", artifacts })]),
      async (hash) => (hash === "half" ? Buffer.from('{"messages": [') : null),
    );
    expect(page).toContain("transcript not on this page");
    expect(page).toContain("changes not on this page");
  });

  test("opens and closes what it opens", () => {
    const open: string[] = [];
    for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (["meta", "br", "hr"].includes(name)) continue;
      if (closing === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
