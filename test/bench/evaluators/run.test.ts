import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVALUATORS } from "../../../src/bench/evaluators/roster.ts";
import { readScore } from "../../../src/bench/evaluators/test-score.ts";
import { gradeBy } from "./grading.ts";

describe("a program of the suite", () => {
  test("passes by its exit code, in a folder of its own, and its output is kept", async () => {
    const { grade, kept } = await gradeBy("run", "cat a.txt; echo bad >&2; touch mark", {
      after: { "a.txt": "content\n" },
    });
    expect(grade).toMatchObject({ status: "passed", score: 1 });
    expect(kept.get("output.txt")).toBe("content\nbad\n");
  });

  test("says a million characters and more: its beginning and its end are kept, and how many are not", async () => {
    const { kept } = await gradeBy("run", "echo begin; yes | head -c 1000100; echo; echo end");
    const [head = "", count, tail = ""] =
      kept.get("output.txt")?.split(/\n\[(\d+) characters left out\]\n/) ?? [];
    expect([head.slice(0, 6), tail.slice(-5)]).toEqual(["begin\n", "\nend\n"]);
    expect(head.length + Number(count) + tail.length).toBe(1_000_100 + "begin\n\nend\n".length);
  });

  test("fails by its exit code", async () => {
    expect((await gradeBy("run", "exit 3")).grade).toMatchObject({
      status: "failed",
      message: "exit 3",
    });
  });

  test("that hangs has failed, and nothing of it is left", async () => {
    const options = { command: "sleep 600", timeout: "200ms" };
    expect((await gradeBy("run", options)).grade.message).toBe("it did not finish in time");
  });

  test("runs the tests as they were, not as the agent left them", async () => {
    const facts = {
      base: { "test.sh": "exit 1\n", "code.sh": "" },
      after: { "test.sh": "exit 0\n", "code.sh": "", "tests/extra.sh": "" },
    };
    const cheated = await gradeBy("run", "sh test.sh", facts);
    expect(cheated.grade.status).toBe("passed");
    const options = {
      command: "sh test.sh && test ! -e tests/extra.sh",
      protect: ["test.sh", "tests/**"],
    };
    expect((await gradeBy("run", options, facts)).grade).toMatchObject({
      status: "failed",
      message: "exit 1",
    });
  });

  test("lays files of the suite over what the agent wrote", async () => {
    const facts = {
      after: { "hidden/check.sh": "exit 0\n" },
      suite: { "tests/hidden/check.sh": "exit 4\n" },
    };
    const options = { command: "sh hidden/check.sh", files: "tests" };
    expect((await gradeBy("run", options, facts)).grade.message).toBe("exit 4");
  });

  test.each([
    ["json", `printf '{"score": 0.5, "message": "half"}'`, 0.5, "failed", "half"],
    [
      "tap",
      "printf 'ok 1\\nnot ok 2\\nok 3 # skip\\n'; exit 1",
      0.5,
      "failed",
      "1 of 2 tests pass",
    ],
    [
      "junit",
      `printf '<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>'`,
      0.5,
      "failed",
      "1 of 2 tests pass",
    ],
    ["tap", "printf 'ok 1\\nok 2\\n'", 1, "passed", "2 of 2 tests pass"],
  ])("says a score as %s: %s", async (score, command, value, status, message) => {
    expect((await gradeBy("run", { command, score })).grade).toMatchObject({
      score: value,
      status,
      message,
    });
  });

  test("a report that the agent left behind is not read", async () => {
    const facts = { after: { "report.json": '{"score": 1}' } };
    const options = { command: "true", score: "json", report: "report.json" };
    expect((await gradeBy("run", options, facts)).grade).toMatchObject({
      status: "failed",
      message: "it said no score as json",
    });
  });

  test("a perfect score with a failing exit code does not pass", async () => {
    const options = { command: `printf '{"score": 1}'; exit 1`, score: "json" };
    expect((await gradeBy("run", options)).grade.status).toBe("failed");
  });
});

describe("a score", () => {
  const score = (format: "json" | "junit" | "tap", text: string) =>
    readScore(format, text)?.score ?? null;

  test.each([
    ['{"score": 0.2}\n{"score": 0.5}\n', 0.5],
    ['noise {\n{"score": 0.5}\nmore noise\n', 0.5],
    ['{\n  "parts": [\n{ "score": 0.1 }\n],\n  "score": 0.5\n}\n', 0.5],
    ['{"score": 1}\n{"score": 7}', null],
    ['{"score": 1}\n{"score": -0.1}', null],
    ['{"score": 1e999}', null],
    ['{"score": "1"}', null],
    ['{"score": NaN}', null],
    ['{"score": null}', null],
    ['[{"score": 1}]', null],
    ["", null],
    ["{", null],
  ])("in JSON: %j is %s", (text, expected) => {
    expect(score("json", text)).toBe(expected);
  });

  test.each([
    ["1..4\nok 1\nok 2\n", 0.5],
    ["ok 1\nok 2\n1..2\n", 1],
    ["1..2\nok 1\n1..2\nok 1\nok 2\n", 0.75],
    ["1..1\nnot ok 1\nok 2\nok 3\n", null],
    ["ok 1\nBail out! no disk\n", 0.5],
    ["1..2\nok 1 - a # SKIP slow\nok 2 - b # hash\n", 1],
    ["1..0 # skip all\n", null],
    ["OK\nokay\nok: fine\n", null],
    ["    ok 1 - inner\nnot ok 1 - outer\n1..1\n", 0],
  ])("in TAP: %j is %s", (text, expected) => {
    expect(score("tap", text)).toBe(expected);
  });

  test.each([
    ['<testsuite><testcase name="a > b"/><testcase><failure/></testcase></testsuite>', 0.5],
    ["<testsuite><testcase><skipped/></testcase><testcase></testcase></testsuite>", 1],
    ["<testcase><system-out><![CDATA[</testcase><failure/>]]></system-out></testcase>", 1],
    ["<!-- <testcase/> --><testcase><error>x</error></testcase>", 0],
    ["<testsuite><testcase/><testcase>", null],
    ['<testsuite><testcase name="', null],
    ['in <module>\nError\n<?xml version="1.0"?><testsuite><testcase/></testsuite>', 1],
    ["<testsuite/>", null],
    ["no xml < here", null],
    ["<j:testsuite><j:testcase><j:failure/></j:testcase></j:testsuite>", 0],
  ])("in JUnit: %j is %s", (text, expected) => {
    expect(score("junit", text)).toBe(expected);
  });

  const laughs = Array.from(
    { length: 30 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  ).join("");
  test.each([
    ["junit", "<testcase ".repeat(500_000)],
    ["junit", "<testcase>".repeat(500_000)],
    ["junit", `<!DOCTYPE t [${laughs}]><testcase>&l30;</testcase>`.repeat(100)],
    ["junit", "<".repeat(5_000_000)],
    ["tap", "ok # ".repeat(1_000_000)],
    ["json", "{\n".repeat(2_000_000)],
    ["json", "[".repeat(5_000_000)],
  ] as const)("in %s is looked for once, however the text is made", (format, text) => {
    score(format, text);
  });

  test("is from 0 to 1 or none, whatever is said", () => {
    const pieces = fc.constantFrom(
      ...["<testcase", "/>", ">", "</testcase>", "<failure/>", "<![CDATA[", "]]>", "'", '"', "\n"],
      ...["ok 1", "not ok 2", "1..2", "# skip", '{"score":', "0.5", "}", "-1", "Bail out!", "<!--"],
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }),
        fc.constantFrom("json", "junit", "tap"),
        (parts, format) => {
          const value = score(format, parts.join(""));
          expect(value === null || (value >= 0 && value <= 1)).toBe(true);
        },
      ),
    );
  });

  test.each(["tap", "junit"])(
    "of all tests does not hide a program that failed: %s",
    async (format) => {
      const said = format === "tap" ? "ok 1" : "<testcase/>";
      const options = { command: `echo '${said}'; exit 2`, score: format };
      expect((await gradeBy("run", options)).grade).toMatchObject({
        status: "failed",
        message: "exit 2, though 1 of 1 tests pass",
      });
    },
  );

  test("of most tests is enough where that is the bar", async () => {
    const command = "printf 'ok 1\\nok 2\\nok 3\\nnot ok 4\\n'; exit 1";
    const { grade } = await gradeBy("run", { command, score: "tap", pass: 0.7 });
    expect(grade).toMatchObject({ status: "passed", score: 0.75 });
  });
});

describe("a program that misbehaves", () => {
  test("and says why it failed is quoted", async () => {
    const { grade } = await gradeBy("run", "echo one >&2; echo no such test >&2; exit 5");
    expect(grade.message).toBe("exit 5: no such test");
  });

  test("and dies of an error is quoted with it", async () => {
    const { grade } = await gradeBy("run", "node -e 'throw new RangeError(`too far`)'");
    expect(grade.message).toBe("exit 1: RangeError: too far");
  });

  test("and is killed has failed", async () => {
    const { grade } = await gradeBy("run", "kill -KILL $$");
    expect(grade).toMatchObject({ status: "failed", message: "it was ended by SIGKILL" });
  });

  test("and never stops talking is graded by its exit code, its output kept in part", async () => {
    const { grade, kept } = await gradeBy("run", "yes | head -c 30000000; exit 3");
    expect(grade.message).toBe("exit 3");
    expect(kept.get("output.txt")?.length).toBeLessThan(1_100_000);
  });

  test.each(["mkfifo report.json", "ln -s /dev/zero report.json", "mkdir report.json"])(
    "and leaves `%s` as its report has said nothing",
    async (command) => {
      const options = { command, score: "json", report: "report.json" };
      expect((await gradeBy("run", options)).grade.message).toBe("it said no score as json");
    },
  );
});

describe("what stands in the way of the suite's files", () => {
  const options = { command: "sh tests/check.sh", protect: ["tests/**"] };
  const base = { "tests/check.sh": "exit 7\n" };

  test("a link in place of a folder is not followed, neither there nor for files laid over", async () => {
    let outside = "";
    const arrange = ({ folder }: { folder: string }) => {
      outside = join(folder, "../outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "check.sh"), "exit 0\n");
      symlinkSync("../outside", join(folder, "tests"));
    };
    const suite = { "files/tests/check.sh": "exit 8\n" };
    const report = { command: "true", score: "json", report: "tests/check.sh" };
    for (const [given, message] of [
      [options, "exit 7"],
      [{ command: options.command, files: "files" }, "exit 8"],
      [report, "it said no score as json"],
    ] as const) {
      const { grade } = await gradeBy("run", given, { base, arrange, suite });
      expect(grade.message).toBe(message);
      expect(readFileSync(join(outside, "check.sh"), "utf8")).toBe("exit 0\n");
    }
  });

  test("a file in place of a folder, a folder in place of a file, and hidden files go", async () => {
    const folder = { after: { "tests/check.sh/x": "", "tests/.hidden/check.sh": "" }, base };
    const isGone = { ...options, command: "test ! -e tests/.hidden/check.sh && sh tests/check.sh" };
    expect((await gradeBy("run", isGone, folder)).grade.message).toBe("exit 7");
    const file = { after: { tests: "" }, base };
    expect((await gradeBy("run", options, file)).grade.message).toBe("exit 7");
  });

  test("a folder without rights is opened", async () => {
    const arrange = ({ folder }: { folder: string }) => chmodSync(join(folder, "tests"), 0o500);
    const facts = { base, after: { "tests/check.sh": "exit 0\n" }, arrange };
    expect((await gradeBy("run", options, facts)).grade.message).toBe("exit 7");
  });

  test("a report is a file in the workspace", () => {
    const read = (report: string) =>
      EVALUATORS.find("run")?.readOptions({ command: "true", score: "json", report });
    for (const path of ["/etc/passwd", "..", "../x", "a/../../x", ".", "./"])
      expect(read(path), path).toMatchObject({ kind: "invalid" });
    for (const path of ["x.json", "./out/x.json", "..x"])
      expect(read(path), path).toMatchObject({ kind: "options" });
  });
});
