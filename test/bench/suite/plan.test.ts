import { describe, expect, test } from "vitest";
import { type FingerprintFacts, fingerprintTrial } from "../../../src/bench/suite/fingerprint.ts";
import {
  planTrials,
  reuseResults,
  selectTrials,
  unknownWords,
} from "../../../src/bench/suite/plan.ts";
import type { Suite, SuiteAgent, SuiteCase } from "../../../src/bench/suite/suite.ts";
import { result } from "../report/results.ts";
import { CASE } from "../store/plans.ts";

const caseOf = (id: string, given: Partial<SuiteCase> = {}): SuiteCase => ({
  ...CASE,
  id,
  workspace: { kind: "template", folder: "/suite/cases/a" },
  ...given,
});
const agentOf = (id: string): SuiteAgent => ({
  id,
  agent: "replay",
  config: {},
  concurrency: null,
  ratePerMinute: null,
  sandbox: { kind: "none", network: true, mounts: [], missing: null },
});
const suite: Suite = {
  name: "s",
  file: "/suite/suite.yaml",
  folder: "/suite",
  agents: [agentOf("x"), agentOf("y")],
  cases: [caseOf("a", { tags: ["small"] }), caseOf("b", { timeoutMs: 5 })],
  repeat: 2,
  limits: { timeoutMs: 100, usd: null, usdPerTrial: null, concurrency: 2, infraRetries: 0 },
  post: [],
};

const plan = (given: Partial<Suite> = {}) =>
  planTrials({
    suite: { ...suite, ...given },
    agents: suite.agents,
    cases: given.cases ?? suite.cases,
    runId: "run",
    repeat: 2,
    fingerprint: (one, agent) => `${one.id}${agent.id}`,
    files: () => null,
  });

test("trials go round by round", () => {
  expect(plan().map(({ key }) => key)).toEqual([
    ...["a/x/1", "a/y/1", "b/x/1", "b/y/1"],
    ...["a/x/2", "a/y/2", "b/x/2", "b/y/2"],
  ]);
  expect(
    plan()
      .map(({ timeoutMs }) => timeoutMs)
      .slice(0, 4),
  ).toEqual([100, 100, 5, 5]);
});

test("a case that cannot run here is not planned", () => {
  const cases = [caseOf("a", { unsupported: "it needs a container" })];
  expect(plan({ cases })).toEqual([]);
});

describe("words select cases by id or tag, and agents", () => {
  test.each([
    [[], ["x", "y"], ["a", "b"]],
    [["small"], ["x", "y"], ["a"]],
    [["b", "y"], ["y"], ["b"]],
    [["b,y"], ["y"], ["b"]],
    [["m"], ["x", "y"], ["m[one=1,two=2]", "m[one=1,two=3]"]],
    [["m[one=1,two=3]"], ["x", "y"], ["m[one=1,two=3]"]],
  ])("%j", (only, agents, cases) => {
    const wider = [...suite.cases, caseOf("m[one=1,two=2]"), caseOf("m[one=1,two=3]")];
    const selected = selectTrials(only.length === 0 ? suite : { ...suite, cases: wider }, { only });
    expect(selected.agents.map(({ id }) => id)).toEqual(agents);
    expect(selected.cases.map(({ id }) => id)).toEqual(cases);
  });

  test("and what selects nothing is said", () => {
    expect(unknownWords(suite, { only: ["a", "smal,x"] })).toEqual(["smal"]);
  });
});

describe("results that are known", () => {
  test("stand for the trial of the same fingerprint and repetition, the newest first", () => {
    const known = [
      result({ ending: "passed", fingerprint: "ax", repetition: 1, runId: "newer" }),
      result({ ending: "failed", fingerprint: "ax", repetition: 1, runId: "older" }),
      result({ ending: "failed", fingerprint: "ax", repetition: 9, runId: "older" }),
    ];
    expect(reuseResults(plan(), known)).toMatchObject([
      { key: "a/x/1", runId: "run", ending: "passed", reusedFrom: "newer" },
    ]);
  });
});

describe("a fingerprint", () => {
  const facts: FingerprintFacts = {
    case: caseOf("a"),
    fileHashes: { "cases/a/x": "1" },
    commandText: null,
    agent: agentOf("x"),
    agentVersion: "1.0.0",
    adapterVersion: "1.0.0",
    timeoutMs: 100,
    commit: null,
    suiteFolder: "/suite",
  };

  test("does not depend on where the suite lies or how its maps are ordered", () => {
    const moved = {
      ...facts,
      case: caseOf("a", { workspace: { kind: "template", folder: "/other/cases/a" } }),
      suiteFolder: "/other",
    };
    expect(fingerprintTrial(moved)).toBe(fingerprintTrial(facts));
    const turned = {
      ...facts,
      agent: Object.fromEntries(Object.entries(facts.agent).toReversed()),
    };
    expect(fingerprintTrial({ ...facts, ...turned } as FingerprintFacts)).toBe(
      fingerprintTrial(facts),
    );
  });

  test.each<[string, Partial<FingerprintFacts>]>([
    [
      "tags, labels and the solution",
      { case: caseOf("a", { tags: ["t"], labels: ["gpu"], solution: "/suite/s.sh" }) },
    ],
    ["how many run at once", { agent: { ...agentOf("x"), concurrency: 3, ratePerMinute: 9 } }],
  ])("does not change with %s", (_, change) => {
    expect(fingerprintTrial({ ...facts, ...change })).toBe(fingerprintTrial(facts));
  });

  test.each<[string, Partial<FingerprintFacts>]>([
    ["a file", { fileHashes: { "cases/a/x": "2" } }],
    ["the command", { commandText: "other" }],
    ["the agent's version", { agentVersion: "2.0.0" }],
    ["the adapter", { adapterVersion: "1.0.1" }],
    ["the model", { agent: { ...agentOf("x"), config: { model: "m" } } }],
    ["the prompt", { case: caseOf("a", { task: { kind: "prompt", text: "do that" } }) }],
    ["the commit", { commit: "abc" }],
  ])("changes with %s", (_, change) => {
    expect(fingerprintTrial({ ...facts, ...change })).not.toBe(fingerprintTrial(facts));
  });
});
