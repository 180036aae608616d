// Every way a command can end, by the real program: what is printed, the exit code, and two events.

import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Ending, expectPair, makeEndings } from "./endings.ts";

const UNASKED = "needs a person's consent and there is nobody to ask; `--yes` allows it";

const ENDINGS: readonly Ending[] = [
  { line: "fine", exitCode: 0, stdout: "fine\n", stderr: "", kind: "ok", error: null },
  { line: "fine-program", exitCode: 0, stdout: "fine\n", stderr: "", kind: "ok", error: null },
  {
    line: "count many",
    exitCode: 2,
    stdout: "",
    stderr: "adj: `count`: `<times>` must be a number; see `adj help count`\n",
    kind: "rejected",
    error: ["Usage", "ArgumentsInvalid"],
  },
  {
    line: "count 3 --lout",
    exitCode: 2,
    stdout: "",
    stderr: "adj: unknown flag `--lout` of `count`; see `adj help count`\n",
    kind: "rejected",
    error: ["Usage", "FlagUnknown"],
  },
  {
    line: "throwing",
    exitCode: 1,
    stdout: "",
    stderr: "adj: CONFIG/commands/throwing.js:2:72: `throwing` threw: out of range\n",
    kind: "failed",
    error: ["Internal", "HandlerThrew"],
  },
  {
    line: "late",
    exitCode: 1,
    stdout: "",
    stderr: "adj: CONFIG/commands/late.js:2:107: `late` threw: too late\n",
    kind: "failed",
    error: ["Internal", "HandlerThrew"],
  },
  {
    line: "stuck",
    exitCode: 1,
    stdout: "",
    stderr: "adj: `stuck` waits for something that can no longer happen\n",
    kind: "failed",
    error: ["Internal", "HandlerStuck"],
  },
  {
    line: "odd",
    exitCode: 1,
    stdout: "",
    stderr:
      "adj: `odd` returned an invalid result: `success` does not agree with `exitCode`; build it with `ok(…)` or `fail(…)`\n",
    kind: "failed",
    error: ["Internal", "ResultInvalid"],
  },
  {
    line: "seven",
    exitCode: 7,
    stdout: "",
    stderr: "no such branch\n",
    kind: "failed",
    error: null,
  },
  {
    line: "seven-program",
    exitCode: 7,
    stdout: "out\n",
    stderr: "err\n",
    kind: "failed",
    error: null,
  },
  {
    line: "missing-program",
    exitCode: 127,
    stdout: "",
    stderr:
      "adj: `no-such-program` could not be started: there is no such program on PATH; it is named in `CONFIG/commands.yaml`\n",
    kind: "failed",
    error: ["Process", "SpawnFailed"],
  },
  ...["slow", "deaf"].map((line) => ({
    line,
    exitCode: 124,
    stdout: "",
    stderr: `adj: \`${line}\` did not finish within 200 ms\n`,
    kind: "failed" as const,
    error: ["Timeout", "CommandTimeout"] as const,
  })),
  ...["wipe", "wipe-program"].flatMap((line) => [
    {
      line,
      exitCode: 126,
      stdout: "",
      stderr: `adj: \`${line}\` ${UNASKED}\n`,
      kind: "rejected" as const,
      error: ["Consent", "Required"] as const,
    },
    {
      line: `--yes ${line}`,
      exitCode: 0,
      stdout: "gone\n",
      stderr: "",
      kind: "ok" as const,
      error: null,
    },
  ]),
];

describe("a command leaves what it printed, its exit code and exactly two events", () => {
  test.each(sampled(ENDINGS))("adj $line → $exitCode", async (ending) => {
    const { line, exitCode, stdout } = ending;
    const home = makeEndings();
    const stderr = ending.stderr.replace("CONFIG", home.configDir);
    expect(await home.adj(...line.split(" "))).toMatchObject({ exitCode, stdout, stderr });
    expectPair(await home.events(), ending);
  });
});

test("a name that nobody answers to leaves one event and up to three suggestions", async () => {
  const home = makeEndings();
  expect(await home.adj("fin", "secret")).toMatchObject({
    exitCode: 127,
    stdout: "",
    stderr: "adj: unknown command `fin`; did you mean `fine`? list all with `adj commands`\n",
  });
  expect(await home.events()).toMatchObject([{ type: "CommandUnknown", data: { name: "fin" } }]);
});
