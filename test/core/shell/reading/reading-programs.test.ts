// Lines are judged and then run for real: whatever counts as reading changes nothing and runs nothing.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProcess } from "../../../../src/core/process/run.ts";
import { classifyStep } from "../../../../src/core/shell/safety.ts";
import { confineTo, hasBubblewrap } from "../../../support/bubblewrap.ts";
import { removeFolder } from "../../../support/temporary-folder.ts";
import { shellSubject } from "../subjects.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const linesOf = (name: string): string[] =>
  readFileSync(join(FIXTURES, name), "utf8").trimEnd().split("\n");

const EVERYDAY = linesOf("everyday.txt");
const EFFECTS = linesOf("effects.txt");

const isReading = (line: string): boolean =>
  classifyStep(shellSubject(line.replaceAll("⏎", "\n")), new Set()) === "read_only";

const FILES: Readonly<Record<string, string>> = {
  f: "foo bar 3\na b 7\nx y 9\n",
  "g.txt": "x y z\nbar\n",
  "data.json": '{"a":[{"b":1}]}',
  b64: "aGVsbG8K",
  names: "CANARY\n",
  yes: "y\ny\n",
  arith: "a[$(touch CANARY)]\n",
  "src/a.ts": "foo\n",
  "evil.awk": 'BEGIN{system("touch CANARY")}',
  "evil.sed": "1e touch CANARY\n",
  "evil.py": 'open("CANARY","w")',
  "evil.mk": "x:\n\ttouch CANARY\n",
  "evil.cfg": '[core]\n\tfsmonitor = "touch CANARY;:"\n',
  "version.js": 'require("fs").writeFileSync("CANARY","")',
  curlrc: "output = CANARY\nurl = file:///etc/hostname\n",
  magic: "0\tstring\tx\ty\n",
  "p.diff": "--- f\n+++ f\n@@ -1 +1 @@\n-foo bar 3\n+foo\n",
  big: "line\n".repeat(20_000),
};
const PROGRAMS: Readonly<Record<string, string>> = {
  "evil.sh": "touch CANARY\n",
  "bin/ls": "/usr/bin/touch CANARY\n",
  "bin/pre-commit": "touch CANARY\n",
};

let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "adj-reading-"));
  const work = join(scratch, "template/work");
  for (const folder of ["src", "bin", "../home"])
    mkdirSync(join(work, folder), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(work, name), text);
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(work, name), `#!/bin/sh\n${text}`);
    chmodSync(join(work, name), 0o755);
  }
  writeFileSync(join(work, "binpath"), `${join(scratch, "now/work/bin")}\n`);
  const setup =
    "git init -q && git add f src && git -c user.name=n -c user.email=e@x commit -qm x && git config user.name n && git config user.email e@x && echo more >> f && tar cf a.tar --transform s,^,x/, f";
  await run("bash", ["-c", setup], work);
});

afterAll(() => removeFolder(scratch));

async function run(executable: string, args: readonly string[], cwd: string): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: join(scratch, "template/home"),
  };
  const [program = "", ...words] = confineTo(scratch, [executable, ...args]);
  const ending = await runProcess({ executable: program, args: words, env, cwd });
  return new TextDecoder().decode(ending.stdout);
}

/** The lines that changed something when they were run. */
async function effectiveOf(lines: readonly string[]): Promise<string[]> {
  const file = join(scratch, "lines");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const out = await run("bash", [join(FIXTURES, "run-lines.sh"), file, scratch], scratch);
  const numbers = new Set(
    out
      .split("\n")
      .filter((each) => each !== "")
      .map(Number),
  );
  return lines.filter((_, index) => numbers.has(index));
}

describe("what only reads", () => {
  it.each(EVERYDAY)("%j is known to", (line) => {
    expect(isReading(line)).toBe(true);
  });

  it.runIf(hasBubblewrap)("changes nothing when it is run", { timeout: 60_000 }, async () => {
    expect(await effectiveOf(EVERYDAY)).toEqual([]);
  });
});

describe("what writes or runs", () => {
  it.each(EFFECTS)("%j is not taken for reading", (line) => {
    expect(isReading(line)).toBe(false);
  });
});
