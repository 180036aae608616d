import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAdjutant } from "../../src/program.ts";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

const FLAGS_HINT =
  "Adjutant's flags stand before the command's name, the command's after it; see `adj --help`";
const LIST_HINT = "list all with `adj commands`";

describe("a line that cannot be meant gets one line back", () => {
  const CASES: readonly (readonly [readonly string[], number, string])[] = [
    [
      ["--jsn", "env"],
      2,
      `unknown flag \`--jsn\` of \`adj\`; did you mean \`--json\`? ${FLAGS_HINT}`,
    ],
    [["-z", "env"], 2, `unknown flag \`-z\` of \`adj\`; ${FLAGS_HINT}`],
    [["--session"], 2, "`adj`: `--session` needs a value"],
    [["-C"], 2, "`adj`: `--cwd` needs a value"],
    [["--json=yes", "env"], 2, "`adj`: `--json` takes no value"],
    [["run"], 2, `\`adj run\`: the name of a command is missing; ${LIST_HINT}`],
    [["run", "--", "env"], 127, `unknown command \`--\`; ${LIST_HINT}`],
    [["a/b"], 127, `unknown command \`a/b\`; ${LIST_HINT}`],
    [["../env"], 127, `unknown command \`../env\`; ${LIST_HINT}`],
    [["Env"], 127, `unknown command \`Env\`; did you mean \`env\`? ${LIST_HINT}`],
    [["__proto__"], 127, `unknown command \`__proto__\`; ${LIST_HINT}`],
    [["constructor"], 127, `unknown command \`constructor\`; ${LIST_HINT}`],
    [["toString"], 127, `unknown command \`toString\`; ${LIST_HINT}`],
    [[""], 127, `unknown command \`\`; ${LIST_HINT}`],
    [
      ["commands", "--color", "red"],
      2,
      "`adj`: `--color` is `always`, `never` or `auto`, not `red`",
    ],
    [
      ["commands", "--cwd", "/"],
      2,
      "unknown flag `--cwd` of `commands`; it is one of Adjutant's and stands before the name: `adj --cwd … commands`",
    ],
    [
      ["run", "model", "--sav"],
      2,
      "unknown flag `--sav` of `model`; did you mean `--save`? see `adj help model`",
    ],
  ];

  test.each(sampled(CASES))("adj %j", async (words, exitCode, line) => {
    const home = makeHome();
    expect(await home.adj(...words)).toMatchObject({
      exitCode,
      stdout: "",
      stderr: `adj: ${line}\n`,
    });
  });

  test.each(
    sampled([
      [["help"], 0, { kind: "ok" }],
      [
        ["--session"],
        2,
        { kind: "rejected", error: { message: "`adj`: `--session` needs a value" } },
      ],
      [["--jsn", "env"], 2, { kind: "rejected", error: { code: "FlagUnknown" } }],
    ]),
  )("--json %j is one object", async (words, exitCode, outcome) => {
    const { stdout, ...rest } = await makeHome().adj("--json", ...words);
    expect(rest).toMatchObject({ exitCode, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject(outcome);
  });
});

test("a command that dispatches itself is stopped at sixteen", async () => {
  const home = makeHome();
  home.write({
    "config/commands/me.js": `export default {
  description: "Asks itself",
  run: async (_, context) => (await context.dispatch({ name: "me" })).result,
};
`,
  });
  expect(await home.adj("me")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr:
      "`me` was dispatched more than 16 commands deep; look for a command that dispatches itself\n",
  });
  const events = await home.events();
  const codes = events
    .filter(({ type }) => type === "CommandResulted")
    .map(({ data }) => JSON.stringify(data.outcome).includes("TooDeep"));
  expect(events).toHaveLength(34);
  expect(codes).toEqual([true, ...Array(16).fill(false)]);
  expect(new Set(events.map(({ correlationId }) => correlationId)).size).toBe(1);
});

describe("a folder of commands that is none", () => {
  const FACTS = "make it a folder you may read, or remove it";

  test("is told with every command, and the others work", async () => {
    const home = makeHome();
    const path = join(home.configDir, "commands");
    home.write({
      "config/commands": "in the way",
      "config/commands.yaml": "hi:\n  description: Hi\n  argv: [echo, hi]\n",
    });
    const notice = `adj: \`${path}\` cannot be read: it is not a folder; ${FACTS}\n`;
    expect(await home.adj("hi")).toMatchObject({ exitCode: 0, stdout: "hi\n", stderr: notice });
    rmSync(path);
    expect(await home.adj("hi")).toMatchObject({ exitCode: 0, stdout: "hi\n", stderr: "" });
  });

  test.skipIf(process.getuid?.() === 0)("nor may be read (root may read all)", async () => {
    const home = makeHome();
    const path = join(home.configDir, "commands");
    mkdirSync(path, { recursive: true, mode: 0o000 });
    expect(await home.adj("env")).toMatchObject({
      exitCode: 0,
      stderr: `adj: \`${path}\` cannot be read: permission denied; ${FACTS}\n`,
    });
  });

  test("in an agent's configuration folder that is a file, nothing else breaks", async () => {
    const home = makeHome();
    writeFileSync(home.configDir, "in the way");
    const { exitCode, stderr } = await home.adj("env");
    expect({ exitCode, lines: stderr.trim().split("\n").length }).toEqual({
      exitCode: 0,
      lines: 1,
    });
  });
});

test("an unclosed quote in a line is shown with its column", async () => {
  const home = makeHome();
  const adjutant = await createAdjutant({ cwd: home.project, env: home.env });
  onTestFinished(() => adjutant.close());
  expect(await adjutant.dispatch({ line: `greet 'Ada "Lovelace"` })).toMatchObject({
    kind: "rejected",
    error: { class: "Usage", code: "QuoteUnclosed" },
    result: {
      exitCode: 2,
      errorOutput:
        "unclosed single quote opened at column 7; close it, or escape it with a backslash",
      output: "",
    },
  });
});
