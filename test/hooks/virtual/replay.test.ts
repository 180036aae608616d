import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planReplay, type Streams, writeReplay } from "../../../src/hooks/virtual/replay.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { SHELLS } from "../../support/shells.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { inTier } from "../../support/tier.ts";

const streams = (stdout: string | Uint8Array, stderr: string | Uint8Array = "", exitCode = 0) => ({
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
  exitCode,
});

function runLine(shell: string, line: string): Streams {
  const ended = spawnSync(shell, ["-c", line], { maxBuffer: 1 << 24 });
  return { stdout: ended.stdout, stderr: ended.stderr, exitCode: ended.status ?? -1 };
}

function makeFolder(): string {
  const folder = temporaryFolder("adjutant-test-");
  return folder;
}

const lineOf = (given: Streams): string => {
  const replay = planReplay(given);
  if (replay.kind !== "line") throw new Error("it did not fit into a line");
  return replay.line;
};

const TRICKY: readonly (readonly [title: string, given: Streams])[] = [
  ["nothing at all", streams("")],
  ["nothing at all, and a failure", streams("", "", 255)],
  ["a leading dash", streams("-n -e --version\n")],
  ["what printf takes for its own", streams("%s %d %% \\n \\0101 \\c 100%\n")],
  ["quotes of all kinds", streams(`'"\`$HOME $(id) \${x} !! ~ * ? [a] {b,c}\n`)],
  ["digits behind an escape", streams("\n1\n23\n0777")],
  ["no line break at the end", streams("a\nb", "c\nd", 3)],
  ["line breaks only", streams("\n\n\n", "\r\n\r\n", 1)],
  ["text beyond ASCII", streams("grüße 你好 🎉\u0007\u001b[31m", "ß", 2)],
  ["bytes that are no text", streams(Uint8Array.of(255, 254, 128, 1, 2, 127), "", 126)],
  ["every byte but NUL", streams(Uint8Array.from({ length: 255 }, (_, at) => at + 1))],
  ["a carriage return, a tab, a trailing blank", streams("a\rb\tc ", " x ", 130)],
];

const withoutNul = (text: string): Uint8Array => Buffer.from(text).filter((byte) => byte !== 0);

const BYTES = fc.oneof(
  fc.uint8Array({ min: 1, max: 255, maxLength: 60 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }).map(withoutNul),
  fc.string({ unit: fc.constantFrom(..."'\"\\%$`!-0\n7 n") }).map(withoutNul),
);
const CASES = fc.sample(
  fc.record({ stdout: BYTES, stderr: BYTES, exitCode: fc.nat({ max: 255 }) }),
  inTier(150, 10_000),
);

describe.each(SHELLS)("a replay line in %s", (shell) => {
  test.each(TRICKY)("gives back %s", (_, given) => {
    expect(runLine(shell, lineOf(given))).toEqual(given);
  });

  test("still means the same when an agent quotes it once more and runs it by eval", () => {
    const given = streams("it's 100% \\ `x` $y\n", "no!\n", 7);
    const quoted = `eval "${lineOf(given).replace(/(["\\$`!])/g, "\\$1")}"`;
    expect(runLine(shell, quoted)).toEqual(given);
  });

  test("gives back whatever was printed, over and over", { timeout: 120_000 }, () => {
    for (let at = 0; at < CASES.length; at += 500) expectReplayed(shell, CASES.slice(at, at + 500));
  });
});

/** Many in one process. No case can print a NUL, so one stands between each and the next. */
function expectReplayed(shell: string, cases: readonly Streams[]): void {
  const script = cases
    .map(
      (given) => `${lineOf(given)}; code=$?; printf '\\000'; printf '\\000%d\\000' "$code" >&2\n`,
    )
    .join("");
  const ended = spawnSync(shell, [], { input: script, maxBuffer: 1 << 26 });
  const printed = ended.stdout.toString("latin1").split("\0");
  const errors = ended.stderr.toString("latin1").split("\0");
  const seen = cases.map((_, at) => [printed[at], errors[2 * at], errors[2 * at + 1]]);
  const wanted = cases.map(({ stdout, stderr, exitCode }) => [
    Buffer.from(stdout).toString("latin1"),
    Buffer.from(stderr).toString("latin1"),
    String(exitCode),
  ]);
  expect(seen).toEqual(wanted);
}

describe("an output that no argument can hold", () => {
  const HUGE = streams("é".repeat(40_000), "e", 4);
  const WITH_NUL = streams(Uint8Array.of(0, 1, 0, 255), Uint8Array.of(0), 9);

  test.each([
    ["a long one", HUGE],
    ["one with NUL", WITH_NUL],
  ])("%s goes through private files which the line prints and removes", (_, given) => {
    for (const shell of SHELLS) {
      const line = writeReplay(given, makeFolder(), new Date());
      const files = [...new Set(line.match(/\/\S+\.std(?:out|err)/g))];
      expect(files).toHaveLength(2);
      for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(runLine(shell, line)).toEqual(given);
      expect(files.filter((file) => existsSync(file))).toEqual([]);
    }
  });

  test("never makes a line that is longer than one argument may be", () => {
    for (const length of [20_000, 21_300, 26_300, 102_400]) {
      const line = writeReplay(streams("\n".repeat(length)), makeFolder(), new Date());
      expect(line.replaceAll("\\", "\\\\").length).toBeLessThan(131_072 - 2_000);
    }
  });
});
