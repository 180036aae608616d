import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareTrees } from "../../../src/bench/files/compare-trees.ts";
import { writePatch } from "../../../src/bench/files/write-patch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { longTest } from "../../support/tier.ts";
import { gradeBy } from "./grading.ts";

describe("what it changed", () => {
  const base = { "src/a.txt": "one\ntwo\n", "src/b.txt": "same\n", "gone.txt": "x\n" };
  const after = { "src/a.txt": "one\nTWO\nthree\n", "src/b.txt": "same\n", "new.txt": "n\n" };

  test("is counted in files and lines, and kept as a patch", async () => {
    const { grade, kept } = await gradeBy("diff", {}, { base, after });
    expect(grade).toMatchObject({
      status: "passed",
      message: "3 files, +3 −2 lines",
      metrics: { files: 3, added: 3, removed: 2 },
    });
    expect(kept.get("changes.patch")).toContain("--- a/src/a.txt\n+++ b/src/a.txt\n");
    expect(kept.get("changes.patch")).toContain("-two\n+TWO\n+three\n");
  });

  test.each([
    [{ max_files_changed: 2 }, "3 files changed, at most 2"],
    [{ max_lines_added: 2 }, "3 lines added, at most 2"],
    [{ max_lines_removed: 1 }, "2 lines removed, at most 1"],
    [{ require: ["docs/**"] }, "nothing in `docs/**` was changed"],
    [{ forbid: ["gone.*"] }, "`gone.txt` was removed"],
    [{ entropy: { max: 1 } }, "1.371 bits of entropy, at most 1"],
  ])("%j says %s", async (options, message) => {
    expect((await gradeBy("diff", options, { base, after })).grade).toMatchObject({
      status: "failed",
      message,
    });
  });

  test("git's own files are no change", async () => {
    const { grade } = await gradeBy(
      "diff",
      { max_files_changed: 0 },
      { after: { ".git/HEAD": "x" } },
    );
    expect(grade.status).toBe("passed");
  });
});

describe("what an agent leaves to be stumbled over", () => {
  test("links are not followed, to nowhere, to a folder or to what never ends", async () => {
    const arrange = ({ folder }: { folder: string }) => {
      for (const [name, target] of Object.entries({
        zero: "/dev/zero",
        folder: "..",
        nowhere: "/nowhere",
        circle: "circle",
      }))
        symlinkSync(target, join(folder, name));
    };
    const { grade, kept } = await gradeBy("diff", {}, { arrange });
    expect(grade.metrics).toMatchObject({ files: 4, added: 4 });
    expect(kept.get("changes.patch")).toContain("+/dev/zero\n\\ No newline at end of file\n");
    const near = await gradeBy("expected", { tree: "." }, { arrange, suite: { a: "1\n" } });
    expect(near.grade).toMatchObject({ status: "failed", score: 0 });
  });

  test("a link to the expected file is not the expected file", async () => {
    const { grade } = await gradeBy(
      "expected",
      { tree: "want" },
      {
        suite: { "want/a.txt": "1\n2\n" },
        arrange: ({ folder }) => symlinkSync("../suite/want/a.txt", join(folder, "a.txt")),
      },
    );
    expect(grade.score).toBe(0);
  });

  longTest("more files than can be open at once are counted", async () => {
    const arrange = ({ folder }: { folder: string }) => {
      for (let at = 0; at < 3_000; at++) writeFileSync(join(folder, `${at}.txt`), "x\n");
    };
    const { grade } = await gradeBy("diff", { max_files_changed: 5 }, { arrange });
    expect(grade).toMatchObject({ status: "failed", metrics: { files: 3_000, added: 3_000 } });
  });
});

describe("globs", () => {
  test.each([
    ["tests/**", "tests/.hidden/x", true],
    ["**", ".github/ci.yml", true],
    ["*", ".env", true],
    [".env", ".env", true],
    ["{.env,.npmrc}", ".npmrc", true],
    ["vendor", "vendor/a/b.js", true],
    ["vendor/", "vendor/a.js", true],
    ["./src/*.ts", "src/a.ts", true],
    ["*.js", "deep/a.js", false],
    ["vendor", "vendors/a.js", false],
    ["*", "deep/a.js", false],
    [".*", "visible", false],
  ])("%s and %s: %s", async (glob, path, isForbidden) => {
    const { grade } = await gradeBy("diff", { forbid: [glob] }, { after: { [path]: "x" } });
    expect(grade.status).toBe(isForbidden ? "failed" : "passed");
  });
});

describe("the patch", () => {
  const makePlace = () => {
    const place = temporaryFolder("adj-patch-");
    const [base, after] = [join(place, "base"), join(place, "after")];
    for (const folder of [base, after]) mkdirSync(folder);
    return { place, base, after };
  };

  /** A repository around would make git leave out what is not below it. */
  const applyPatch = async ({ base, after }: { base: string; after: string }) => {
    const patch = await writePatch(await compareTrees(base, after), { base, after });
    if (patch.length > 0)
      execFileSync("git", ["apply", "--whitespace=nowarn", "-"], {
        cwd: base,
        input: patch,
        env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      });
    return compareTrees(base, after);
  };

  test("makes the one out of the other: links, rights, names, bytes, ends without a line break", async () => {
    const { base, after } = makePlace();
    const binary = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7_919) % 256));
    writeFileSync(join(base, "plain.txt"), "one\ntwo\nthree");
    writeFileSync(join(base, "old.bin"), binary);
    writeFileSync(join(base, "tool.sh"), "#!/bin/sh\r\n");
    writeFileSync(join(base, "becomes a link"), "text\n");
    symlinkSync("plain.txt", join(base, "link"));
    writeFileSync(join(base, "latin1.txt"), Buffer.from([0xe4, 10, 0xff, 10]));
    cpSync(base, after, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(after, "plain.txt"), "one\nTWO\nthree\n");
    writeFileSync(join(after, "old.bin"), binary.toReversed());
    writeFileSync(join(after, "new.bin"), binary.subarray(0, 301));
    chmodSync(join(after, "tool.sh"), 0o755);
    unlinkSync(join(after, "link"));
    symlinkSync("latin1.txt", join(after, "link"));
    unlinkSync(join(after, "becomes a link"));
    symlinkSync("elsewhere", join(after, "becomes a link"));
    writeFileSync(join(after, "latin1.txt"), Buffer.from([0xe4, 10, 0xfe, 10]));
    writeFileSync(join(after, "empty"), "");
    mkdirSync(join(after, "deep/er"), { recursive: true });
    writeFileSync(join(after, 'deep/er/"ä\n\tö".txt'), "x");
    expect(await compareTrees(base, after)).toHaveLength(9);
    expect(await applyPatch({ base, after })).toEqual([]);
  });

  test("applies to whatever texts there are", async () => {
    const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "\r\n", "- d\n", "\\ e\n");
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "end", "\r"))
      .map(([lines, end]) => lines.join("") + end);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 3 }), async (files) => {
        const { place, base, after } = makePlace();
        for (const [at, [before, now]] of files.entries()) {
          writeFileSync(join(base, `${at}`), before);
          writeFileSync(join(after, `${at}`), now);
        }
        expect(await applyPatch({ base, after })).toEqual([]);
        rmSync(place, { recursive: true });
      }),
      { numRuns: 40 },
    );
  });

  test("names what is too large to be shown", async () => {
    const after = { "big.txt": "x\n".repeat(600_000), "small.txt": "y\n" };
    const { kept } = await gradeBy("diff", {}, { after });
    expect(kept.get("changes.patch")).toMatch(/^added big.txt \(not shown\)\ndiff --git/);
  });
});
