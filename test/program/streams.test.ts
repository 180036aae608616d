// What goes through the program, goes through it whole, once and unchanged.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { CHECKOUT } from "../support/checkout.ts";
import { inTier, longTest, sampled } from "../support/tier.ts";
import { ADJ, type Home, makeHome, type Printed, run } from "./adj.ts";

const SIZE = inTier(4_000_000, 20_000_000);

const FILES: Readonly<Record<string, string>> = {
  "config/commands.yaml": `
lines: { description: Counts, argv: [wc, -l] }
same: { description: Copies, argv: [cat] }
bytes: { description: Not text, argv: [printf, '\\377\\000\\376\\n'] }
both: { description: Two channels, shell: sh, command: "echo out; echo err >&2; exit $1" }
`,
  "config/commands/said.js": `import { fail } from "adjutant";
export default {
  description: "Shows its reason as it comes",
  run: async (_, { write }) => {
    await write("half\\n");
    await write("reason\\n", "stderr");
    return { ...fail("reason\\n", 3), output: "half\\n" };
  },
};
`,
  "config/commands/long.js": `import { ok } from "adjutant";
export default { description: "Much text", run: () => ok("0123456789abcde\\n".repeat(${SIZE / 16})) };
`,
};

function makeStreams(): Home {
  const home = makeHome();
  home.write(FILES);
  return home;
}

/** Types a line of shell, where \`adj\` is the program. */
const type = ({ project, env }: Home, line: string): Promise<Printed> =>
  run("bash", ["-c", `set -o pipefail; adj() { "${ADJ}" "$@"; }; ${line}`], { cwd: project, env });

describe("standard input", () => {
  test("reaches a program", async () => {
    const home = makeStreams();
    expect(await type(home, "printf 'a\\nb\\n' | adj lines")).toMatchObject({
      exitCode: 0,
      stdout: "2\n",
      stderr: "",
    });
    expect(await home.adj("lines")).toMatchObject({ exitCode: 0, stdout: "0\n" });
  });

  test("of any size and any bytes comes out as it went in", async () => {
    const home = makeStreams();
    const [given, taken] = ["given", "taken"].map((name) => join(home.project, name));
    writeFileSync(given ?? "", randomBytes(3_000_000));
    expect(await type(home, "adj same < given > taken")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(hashOf(taken ?? "")).toBe(hashOf(given ?? ""));
  });
});

const hashOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

describe("output", () => {
  test(`of ${SIZE / 1_000_000} MB arrives whole through a reader that takes little at a time`, async () => {
    const home = makeStreams();
    writeFileSync(join(home.project, "given"), randomBytes(SIZE));
    const slowly = "dd bs=700 2>/dev/null | cksum";
    const { stdout } = await type(home, `${slowly} < given`);
    expect(await type(home, `adj same given | ${slowly}`)).toMatchObject({
      exitCode: 0,
      stdout,
      stderr: "",
    });
    expect(await type(home, `adj long | ${slowly}; adj long | wc -c`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(new RegExp(`^\\d+ ${SIZE}\\n${SIZE}\\n$`)),
      stderr: "",
    });
    expect(await type(home, "adj --json long | tail -c 1 | od -c | head -1")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("\\n"),
    });
  });

  test("that is not text passes unchanged, and stands in JSON as base64", async () => {
    const home = makeStreams();
    await type(home, "adj bytes > taken");
    expect([...readFileSync(join(home.project, "taken"))]).toEqual([255, 0, 254, 10]);
    const { result } = JSON.parse((await home.adj("--json", "bytes")).stdout);
    expect(result).toMatchObject({ output: "/wD+Cg==", outputEncoding: "base64" });
  });

  test.each(
    sampled([
      ["both 0", 0, "out\n", "err\n"],
      ["both 3", 3, "out\n", "err\n"],
      ["said", 3, "half\n", "reason\n"],
    ]),
  )("on two channels is shown once on each: %s", async (line, exitCode, stdout, stderr) => {
    const home = makeStreams();
    expect(await home.adj(...line.split(" "))).toMatchObject({ exitCode, stdout, stderr });
    const json = await home.adj("--json", ...line.split(" "));
    expect({ ...json, stdout: JSON.parse(json.stdout).result }).toMatchObject({
      exitCode,
      stdout: { output: stdout, errorOutput: stderr },
      stderr: "",
    });
  });
});

describe("a reader that has seen enough", () => {
  longTest("ends a long log in silence", async () => {
    const home = makeStreams();
    const driver = join(import.meta.dirname, "fixtures", "dispatch-often.ts");
    const library = pathToFileURL(join(CHECKOUT, "dist", "library.js")).href;
    const place = { cwd: home.project, env: home.env };
    await run(process.execPath, [driver, library, "tools", "800"], place);
    const printed = await type(home, "adj log --last 10000 | head -1");
    expect(printed).toMatchObject({ exitCode: 141, stderr: "" });
    expect(printed.stdout).toMatch(/^\S+ \S+ +CommandDispatched +\S+ +tools\n$/);
  });

  test.each(
    sampled(["adj long | head -c 5", "adj --json long | head -c 5", "yes | adj same | head -c 5"]),
  )("%s", async (line) => {
    const printed = await type(makeStreams(), line);
    expect(printed).toMatchObject({ stderr: "", exitCode: 141 });
    expect(printed.stdout).toHaveLength(5);
  });

  test("of messages alone stops nothing", async () => {
    const home = makeStreams();
    expect(await type(home, "adj both 0 2>&-")).toMatchObject({ exitCode: 0, stdout: "out\n" });
  });
});

test("what a command prints by itself stays out of the one object of --json", async () => {
  const home = makeHome();
  home.write({
    "config/commands/chatty.ts": `import { ok, z } from "adjutant";
console.log("loaded");
export default { description: "Prints", args: z.object({}), run: () => {
  console.log("noise");
  process.stdout.write("more\\n");
  return ok("said");
} };
`,
  });
  for (const words of [
    ["--json", "chatty"],
    ["chatty", "--json"],
  ]) {
    const { stdout, stderr } = await home.adj(...words);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "ok", result: { output: "said" } });
    expect(stderr).toMatch(/^(?:loaded\n)+noise\nmore\n$/);
  }
  expect(await home.adj("chatty")).toMatchObject({
    stdout: "noise\nmore\nsaid\n",
    stderr: "loaded\n",
  });
});

test.each(sampled(["--version", "commands", "--json commands"]))(
  "%s into a full disk is told in one line, as no bug",
  async (words) => {
    const { stderr, exitCode } = await type(makeHome(), `adj ${words} > /dev/full`);
    expect({ stderr, exitCode }).toEqual({
      stderr: "adj: stdout cannot be written: the disk is full\n",
      exitCode: 1,
    });
  },
);
