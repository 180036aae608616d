import { expect, test } from "vitest";
import { describeReport } from "../../src/sim/commands/play-scenario.ts";
import { ask, serve } from "./model-client.ts";
import { chat } from "./wire-clients.ts";

const TURNS = `
turns:
  - text: I will look.
    tool_calls: [{ tool: shell, command: ls }]
  - text: Done.
`;

/** A conversation of two requests: the prompt, then the result of a tool. */
async function converse(expectations: string) {
  const sim = await serve(`${TURNS}${expectations}`);
  await ask(chat, sim, { stream: true, said: ["please list files"], tools: true });
  const said = ["please list files", "I will look."];
  await ask(chat, sim, { stream: true, said, toolResult: "alpha beta", tools: true });
  return sim;
}

test.each([
  ["requests: 2", true, "requests: 2"],
  ["requests: 3", false, "requests: 3; found: 2"],
  ["requests: { at_least: 2 }", true, "requests: at least 2"],
  ["requests: { at_least: 3, at_most: 4 }", false, "requests: at least 3, at most 4; found: 2"],
  ["user: list files", true, 'request any: user contains "list files"'],
  ["user: delete files", false, 'request any: user contains "delete files"; found: in none of 2'],
  [
    "{ request: 1, tool_result: alpha }",
    false,
    'request 1: tool_result contains "alpha"; found: in 2 of 2',
  ],
  ["{ request: 2, tool_result: alpha }", true, 'request 2: tool_result contains "alpha"'],
  ["{ request: 3, text: be }", false, 'request 3: text contains "be"; found: in 1, 2 of 2'],
  [
    "{ request: last, tool_result: { matches: '^alpha' } }",
    true,
    "request last: tool_result matches /^alpha/",
  ],
  ["{ request: every, system: be brief }", true, 'request every: system contains "be brief"'],
  [
    "{ request: every, text: alpha }",
    false,
    'request every: text contains "alpha"; found: in 2 of 2',
  ],
  ["{ request: none, text: password }", true, 'request none: text contains "password"'],
  [
    "{ request: none, text: files }",
    false,
    'request none: text contains "files"; found: in 1, 2 of 2',
  ],
  [
    "{ request: 1, user: list, tool_result: alpha }",
    false,
    'request 1: user contains "list" and tool_result contains "alpha"; found: in 2 of 2',
  ],
  ["tool_offered: bash", true, "request any: tool_offered `bash`"],
  ["tool_offered: Bash", false, "request any: tool_offered `Bash`; found: in none of 2"],
  ["header: X-Api-Key", true, "request any: header `x-api-key`"],
  ["header: x-other", false, "request any: header `x-other`; found: in none of 2"],
  [
    "header: { name: content-type, value: json }",
    true,
    'request any: header `content-type` contains "json"',
  ],
  [
    "header: { name: content-type, value: xml }",
    false,
    'request any: header `content-type` contains "xml"; found: in none of 2',
  ],
  ["order: [list files, alpha, beta]", true, 'order: "list files", "alpha", "beta"'],
  [
    "order: [alpha, list files]",
    false,
    'order: "alpha", "list files"; found: "list files" came before "alpha"',
  ],
  ["order: [list files, gamma]", false, 'order: "list files", "gamma"; found: "gamma" never came'],
  ["exit_code: 0", false, "exit code: 0; found: none"],
])("`%s`", async (line, holds, words) => {
  const sim = await converse(`expect: [${line.startsWith("{") ? line : `{ ${line} }`}]`);
  const report = sim.report();
  expect(report.holds).toBe(holds);
  expect(describeReport(report)[0]).toBe(`${holds ? "ok  " : "FAIL"} ${words}`);
});

test.each([
  ["exit_code: 3", 3, true],
  ["exit_code: 3", 0, false],
  ["exit_code: nonzero", 7, true],
  ["exit_code: nonzero", 0, false],
])("`%s` against a program that ended with %i", async (line, exitCode, holds) => {
  const sim = await serve(`${TURNS}expect: [{ ${line} }]`);
  expect(sim.report(exitCode).holds).toBe(holds);
});

test("a request the scenario has no turn for fails the report, whatever was expected", async () => {
  const sim = await serve("turns: [{ text: only one }]\nexpect: [{ requests: 2 }]");
  await ask(chat, sim, { stream: true, said: ["go"] });
  const answer = await ask(chat, sim, { stream: true, said: ["go", "only one", "more"] });
  expect(answer.text).toBe("[sim] the scenario has no turn for this request");
  expect(describeReport(sim.report())).toEqual([
    "ok   requests: 2",
    "FAIL request 2: the scenario has no turn for it",
    "1 of 1 expectations hold, 2 turns in 2 requests",
  ]);
  expect(sim.report().holds).toBe(false);
});

test("a tool that the agent does not offer fails the report", async () => {
  const sim = await serve("turns: [{ tool_calls: [{ tool: write, path: a, content: b }] }]");
  const answer = await ask(chat, sim, { stream: true, said: ["go"], tools: true });
  expect(answer.text).toBe("[sim] the agent offers no tool for this turn");
  expect(sim.report().problems).toEqual(["request 1: the agent offers no tool for `write`"]);
});
