import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Fault } from "../../src/core/command/fault.ts";
import { runSim, type SimRun } from "../../src/sim/run-sim.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

// An agent as small as can be: it asks once, prints the answer, and ends as it is told.
const AGENT = `
const [prompt, exitCode] = process.argv.slice(2);
const response = await fetch(process.env.OPENAI_BASE_URL + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ messages: [{ role: "user", content: prompt }] }),
});
const answer = await response.json();
console.log(answer.choices?.[0].message.content ?? answer.error.message);
console.log("home " + process.env.HOME);
process.exitCode = Number(exitCode ?? 0);
`;

function prepare(scenario: string, words: readonly string[]): SimRun {
  const cwd = temporaryFolder();
  writeFiles(cwd, { "scenario.yaml": scenario, "agent.mjs": AGENT });
  return {
    file: join(cwd, "scenario.yaml"),
    command: words.length === 0 ? [] : [process.execPath, join(cwd, "agent.mjs"), ...words],
    cwd,
    env: process.env,
    signal: new AbortController().signal,
    timeoutMs: 20_000,
  };
}

test("the program talks to the scripted model, from a home that is gone afterwards", async () => {
  const scenario = "turns: [{ text: hello }]\nexpect: [{ user: say hello }, { exit_code: 0 }]";
  const ending = await runSim(prepare(scenario, ["say hello"]));
  expect(ending.exitCode).toBe(0);
  expect(ending.report.checks.map(({ holds }) => holds)).toEqual([true, true]);
  const output = Buffer.from(ending.process?.stdout ?? []).toString();
  const [answer, home = ""] = output.split("\n");
  expect(answer).toBe("hello");
  expect(home).toMatch(/^home .+/);
  expect(existsSync(home.slice("home ".length))).toBe(false);
});

test.each([
  ["all expectations hold", "expect: [{ requests: 1 }]", ["hi"], 0],
  ["they hold though the program fails", "expect: [{ requests: 1 }]", ["hi", "3"], 0],
  ["one does not hold", "expect: [{ requests: 2 }]", ["hi"], 1],
  ["the program's exit code is not as expected", "expect: [{ exit_code: 0 }]", ["hi", "3"], 1],
  ["nothing is expected and the program succeeds", "", ["hi"], 0],
  ["nothing is expected and the program fails", "", ["hi", "3"], 3],
])("exit code when %s", async (_, expectations, words, exitCode) => {
  const ending = await runSim(prepare(`turns: [{ text: hello }]\n${expectations}`, words));
  expect(ending.exitCode).toBe(exitCode);
});

test("a program that takes too long is ended", async () => {
  const run = prepare("turns: [{ fault: { hang: true } }]", ["hi"]);
  const ending = await runSim({ ...run, timeoutMs: 1_000 });
  expect([ending.process?.kind, ending.exitCode]).toEqual(["timed_out", 124]);
});

test("a program that is not there is a fault", async () => {
  const run = prepare("turns: [{ text: hello }]", []);
  const missing = runSim({ ...run, command: ["no-such-agent"] });
  await expect(missing).rejects.toThrow(Fault);
  await expect(missing).rejects.toThrow("`no-such-agent` could not be started");
});

test("without a program it serves until the signal fires, then reports", async () => {
  const stop = new AbortController();
  const run = prepare("turns: [{ text: hello }]\nexpect: [{ requests: 1 }]", []);
  const told: string[] = [];
  const ending = await runSim({
    ...run,
    signal: stop.signal,
    onRequest: ({ answered }) => told.push(answered),
    onReady: (url) => {
      const body = { messages: [{ role: "user", content: "hi" }] };
      void fetch(`${url}/v1/chat/completions`, { method: "POST", body: JSON.stringify(body) })
        .then((response) => response.text())
        .then(() => stop.abort());
    },
  });
  expect(told).toEqual(["turn 1"]);
  expect([ending.process, ending.exitCode]).toEqual([null, 0]);
});

test("what the program prints is passed on as it comes", async () => {
  const chunks: string[] = [];
  await runSim({
    ...prepare("turns: [{ text: hello }]", ["hi"]),
    onChunk: (channel, bytes) => void chunks.push(`${channel} ${Buffer.from(bytes)}`),
  });
  expect(chunks.join("")).toContain("stdout hello");
});
