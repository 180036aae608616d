// A cloned project that means harm: nothing of it runs, and nothing waits for it, before it is trusted.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

/** Touches a file beside the project, however it comes to run. */
const touch = (home: Home) => `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(home.folder, "canary"))}, "it ran");
export default { description: "T", run: () => ({}) };
`;

const BOMB = `a: &a [x, x, x, x, x, x, x, x, x, x]
${"bcdefghijk"
  .split("")
  .map((name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghij"[at]}`).join(", ")}]\n`)
  .join("")}`;

const HOSTILITIES: Readonly<Record<string, (home: Home, folder: string) => void>> = {
  "code in command files": (home) =>
    home.write({
      "project/.adjutant/commands/x.ts": touch(home),
      "project/.adjutant/commands/env.ts": touch(home),
      "project/.adjutant/commands/help.mjs": touch(home),
    }),
  "programs in commands.yaml": (home) =>
    home.write({
      "project/.adjutant/commands.yaml": `x: { description: X, argv: [touch, ${home.folder}/canary] }\nenv: { description: X, argv: [touch, ${home.folder}/canary] }\n`,
    }),
  "a FIFO as a command file": (_, folder) =>
    void execFileSync("mkfifo", [join(folder, "commands", "x.ts")]),
  "a FIFO as commands.yaml": (_, folder) =>
    void execFileSync("mkfifo", [join(folder, "commands.yaml")]),
  "a FIFO as config.yaml": (_, folder) =>
    void execFileSync("mkfifo", [join(folder, "config.yaml")]),
  "links out of the tree": (home, folder) => {
    home.write({ "elsewhere/x.ts": touch(home), "elsewhere/commands.yaml": "x: {}\n" });
    symlinkSync(join(home.folder, "elsewhere", "x.ts"), join(folder, "commands", "x.ts"));
    symlinkSync("../../elsewhere/commands.yaml", join(folder, "commands.yaml"));
  },
  "links in a circle": (_, folder) => {
    symlinkSync("x.ts", join(folder, "commands", "x.ts"));
    symlinkSync("..", join(folder, "commands", "up"));
  },
  "a link to a device": (_, folder) => symlinkSync("/dev/zero", join(folder, "commands", "x.ts")),
  "names that mean something to JavaScript": (home) =>
    home.write({
      "project/.adjutant/commands/__proto__.ts": touch(home),
      "project/.adjutant/commands/constructor.ts": touch(home),
      "project/.adjutant/commands.yaml": `__proto__: { description: X, argv: [touch, ${home.folder}/canary] }\n`,
    }),
  "a file of 100 MB": (_, folder) => {
    for (const name of ["commands/x.ts", "commands.yaml"]) {
      const file = openSync(join(folder, name), "w");
      ftruncateSync(file, 100 * 1024 * 1024);
      closeSync(file);
    }
  },
  "YAML that unfolds without end": (home) =>
    home.write({
      "project/.adjutant/commands.yaml": BOMB,
      "project/.adjutant/config.yaml": BOMB,
    }),
  "folders without end": (_, folder) =>
    void mkdirSync(join(folder, ...Array(200).fill("deeper")), { recursive: true }),
  "a folder where a file should be": (_, folder) => {
    mkdirSync(join(folder, "commands", "x.ts"));
    mkdirSync(join(folder, "commands.yaml"));
  },
};

function makeHostile(prepare: (home: Home, folder: string) => void): Home {
  const home = makeHome();
  const folder = join(home.project, ".adjutant");
  mkdirSync(join(folder, "commands"), { recursive: true });
  prepare(home, folder);
  return home;
}

const CALLS = [
  [],
  ["commands"],
  ["env"],
  ["x"],
  ["__proto__"],
  ["trust"],
  ["trust", "--diff"],
  ["completion", "bash", "--index", "1", "--", "adj", "x"],
  ["new", "made", "--ts"],
  ["new", "done", "--argv"],
  ["config"],
  ["config", "set", "--project", "model", "x"],
] as const;

describe("an untrusted project with", () => {
  test.each(sampled(Object.entries(HOSTILITIES)))("%s", async (_, prepare) => {
    const home = makeHostile(prepare);
    for (const words of CALLS) {
      const { exitCode, stderr } = await home.adj(...words);
      // A bug is the one thing that none of it may bring about.
      expect([words, stderr, [0, 2, 126, 127].includes(exitCode ?? -1)]).toEqual([
        words,
        stderr,
        true,
      ]);
      expect([words, stderr]).toEqual([words, expect.not.stringContaining("    at ")]);
    }
    expect(existsSync(join(home.folder, "canary"))).toBe(false);
  });
});

test("a trusted project whose files turn into something else runs what was trusted", async () => {
  const home = makeHome();
  const file = join(home.project, ".adjutant", "commands.yaml");
  home.write({ "project/.adjutant/commands.yaml": "x: { description: X, argv: [echo, fine] }\n" });
  await home.trust();
  rmSync(file);
  execFileSync("mkfifo", [file]);
  expect(await home.adj("x")).toMatchObject({
    exitCode: 0,
    stdout: "fine\n",
    stderr: `adj: this project changed since you trusted it; what you trusted stays in force; \`${home.project}\` cannot be trusted: \`.adjutant/commands.yaml\` is a FIFO, not a file\n`,
  });
});

test("the same code does run once it is trusted, so the canary is a good one", async () => {
  const home = makeHostile((here) =>
    here.write({ "project/.adjutant/commands/x.ts": touch(here) }),
  );
  await home.trust();
  await home.adj("x");
  expect(existsSync(join(home.folder, "canary"))).toBe(true);
});
