import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FaultReport } from "../../../src/core/command/fault.ts";
import type { Outcome } from "../../../src/core/command/request.ts";
import { fail, ok } from "../../../src/core/command/result.ts";
import { formatMessage, renderJson, renderOutcome } from "../../../src/core/terminal/render.ts";

const FAULT: FaultReport = { class: "Usage", code: "TooDeep", message: "too deep", hint: null };

const outcome = (result: Outcome["result"], error?: FaultReport): Outcome => ({
  kind: result.success ? "ok" : "failed",
  result,
  ...(error === undefined ? {} : { error }),
  correlationId: "c",
  durationMs: 1.5,
});

const bytes = (...values: number[]) => new Uint8Array(values);

describe("what is shown of an outcome", () => {
  const CASES: readonly (readonly [string, Outcome, readonly ("stdout" | "stderr")[], unknown])[] =
    [
      ["text gets its line break", outcome(ok("done")), [], { stdout: "done\n", stderr: "" }],
      ["but one only", outcome(ok("done\n")), [], { stdout: "done\n", stderr: "" }],
      ["nothing stays nothing", outcome(ok()), [], { stdout: "", stderr: "" }],
      [
        "bytes stay as they are",
        outcome(ok(bytes(255, 0))),
        [],
        { stdout: bytes(255, 0), stderr: "" },
      ],
      ["a command's own reason", outcome(fail("no")), [], { stdout: "", stderr: "no\n" }],
      ["the program's reason", outcome(fail("no"), FAULT), [], { stdout: "", stderr: "adj: no\n" }],
      [
        "output beside a reason",
        outcome({ ...fail("no"), output: "half" }),
        [],
        { stdout: "half\n", stderr: "no\n" },
      ],
      [
        "what was streamed is not shown again",
        outcome({ ...fail("no"), output: "half" }),
        ["stdout", "stderr"],
        { stdout: "", stderr: "" },
      ],
      [
        "each channel for itself",
        outcome({ ...fail("no"), output: "half" }),
        ["stdout"],
        { stdout: "", stderr: "no\n" },
      ],
      [
        "the program's reason even so",
        outcome(fail("no"), FAULT),
        ["stderr"],
        { stdout: "", stderr: "adj: no\n" },
      ],
    ];

  test.each(CASES)("%s", (_, shown, streamed, expected) => {
    expect(renderOutcome(shown, new Set(streamed))).toEqual(expected);
  });
});

describe("an outcome as JSON is one line", () => {
  const CASES = [
    [
      "text",
      ok("é"),
      { output: "é", outputEncoding: "utf8", errorOutput: null, errorOutputEncoding: null },
    ],
    ["bytes that are text", ok(Buffer.from("é")), { output: "é", outputEncoding: "utf8" }],
    [
      "bytes with a mark",
      ok(bytes(0xef, 0xbb, 0xbf, 97)),
      { output: "\ufeffa", outputEncoding: "utf8" },
    ],
    ["other bytes", ok(bytes(255)), { output: "/w==", outputEncoding: "base64" }],
    [
      "other bytes as a reason",
      fail(bytes(255)),
      { errorOutput: "/w==", errorOutputEncoding: "base64" },
    ],
    ["metadata", ok("", { count: 3 }), { metadata: { count: 3 }, exitCode: 0, success: true }],
  ] as const;

  test.each(CASES)("%s", (_, result, expected) => {
    const line = renderJson(outcome(result));
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(line)).toMatchObject({
      correlationId: "c",
      durationMs: 1.5,
      result: expected,
    });
  });

  test("with its fault", () => {
    expect(JSON.parse(renderJson(outcome(fail("no"), FAULT)))).toMatchObject({ error: FAULT });
  });
});

test("files of this folder are named from here", () => {
  const here = process.cwd();
  expect(formatMessage(`${join(here, "a", "b.ts")}:1:2: odd`)).toBe("adj: a/b.ts:1:2: odd\n");
  expect(formatMessage(`\`${here}\` and ${here}x/y`)).toBe(`adj: \`${here}\` and ${here}x/y\n`);
});
