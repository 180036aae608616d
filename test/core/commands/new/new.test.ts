import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseYaml } from "../../../../src/core/project/yaml-file.ts";
import { CHECKOUT } from "../../../support/checkout.ts";
import {
  linesOf,
  openTestProgram,
  type TestProgram,
  textOf,
} from "../../../support/program-of-commands.ts";
import { sampled } from "../../../support/tier.ts";
import { waitUntil } from "../../../support/wait-until.ts";

const layerOf = ({ root }: TestProgram) => join(root, ".adjutant");
const yamlOf = (opened: TestProgram) => join(layerOf(opened), "commands.yaml");
/** What TypeScript says of the command files. */
function problemsIn(opened: TestProgram): string[] {
  const { stdout } = spawnSync(process.execPath, [TSC, "-p", "."], {
    cwd: layerOf(opened),
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line.startsWith("commands/"));
}
const TSC = join(CHECKOUT, "node_modules/typescript/bin/tsc");
const TYPES = join(CHECKOUT, "dist/types");

const USES_NODE = `import { readFileSync } from "node:fs";
import { defineCommand, ok } from "adjutant";

export default defineCommand({
  description: "Uses Node, and a program",
  run: async (_, context) => {
    const { stdout, exitCode } = await context.run(["git", "status"], { timeout: "5s" });
    return ok(readFileSync("x", "utf8") + stdout + String(exitCode + process.pid));
  },
});
`;

describe("--ts", () => {
  test("writes a command and what an editor needs, and says what to do next", async () => {
    const opened = openTestProgram();
    const outcome = await opened.run(["new", "greet", "--ts", "--description", "Greet `all`"]);
    const file = join(layerOf(opened), "commands", "greet.ts");
    expect(outcome.result.metadata).toMatchObject({
      name: "greet",
      kind: "ts",
      layer: "project",
      files: [file, join(layerOf(opened), "tsconfig.json")],
      hides: null,
    });
    expect(linesOf(outcome).slice(-3)).toEqual([
      "  edit it",
      "  adj trust  (a project's commands run only when trusted)",
      "  adj greet",
    ]);
    expect(readFileSync(file, "utf8")).toContain('description: "Greet `all`"');
  });

  test("its types resolve in an editor, and a wrong argument is seen", async () => {
    // The build makes them beside the tests.
    await waitUntil(() => existsSync(TYPES), 60_000);
    const opened = openTestProgram();
    await opened.run(["new", "greet", "--ts"]);
    const file = join(layerOf(opened), "commands", "greet.ts");
    const wrong = readFileSync(file, "utf8").replace("{ name, loud }", "{ name, lout }");
    writeFileSync(join(layerOf(opened), "commands", "wrong.ts"), wrong);
    const problems = problemsIn(opened);
    expect(problems.join()).toContain("'lout' does not exist");
    expect(problems.filter((line) => !line.startsWith("commands/wrong.ts"))).toEqual([]);
  }, 120_000);

  test.each(
    sampled<
      [
        what: string,
        words: readonly string[],
        files: Record<string, string>,
        command: string | null,
      ]
    >([
      ["nothing installed at all", [], {}, null],
      ["a package of CommonJS", [], { "package.json": '{ "type": "commonjs" }' }, null],
      ["the package installed there", [], { "node_modules/adjutant": "link" }, null],
      [
        "the types of Node",
        [],
        { "node_modules/@types/node": "link", "node_modules/undici-types": "link" },
        USES_NODE,
      ],
      ["commands for yourself", ["--user"], {}, null],
    ]),
  )(
    "what it writes type-checks with %s",
    async (_, words, files, command) => {
      const opened = openTestProgram();
      for (const [path, text] of Object.entries(files)) {
        const file = join(opened.root, path);
        mkdirSync(dirname(file), { recursive: true });
        const name = path.replace("node_modules/", "");
        if (text !== "link") writeFileSync(file, text);
        else symlinkSync(name === "adjutant" ? CHECKOUT : join(CHECKOUT, path), file);
      }
      await opened.run(["new", "greet", "--ts", ...words]);
      const folder = words.length > 0 ? opened.configDir : layerOf(opened);
      if (command !== null) writeFileSync(join(folder, "commands", "node.ts"), command);
      const { stdout, status } = spawnSync(process.execPath, [TSC, "-p", "."], {
        cwd: folder,
        encoding: "utf8",
      });
      // From the unbuilt source what the checkout itself needs is not there; whoever installs it has the built types.
      const own = stdout.split("\n").filter((line) => line.startsWith("commands/"));
      expect(existsSync(TYPES) ? [stdout, status] : own).toEqual(existsSync(TYPES) ? ["", 0] : []);
    },
    60_000,
  );

  test("leaves a tsconfig.json that is there as it is", async () => {
    const opened = openTestProgram();
    mkdirSync(layerOf(opened));
    writeFileSync(join(layerOf(opened), "tsconfig.json"), "{}");
    await opened.run(["new", "greet", "--ts"]);
    expect(readFileSync(join(layerOf(opened), "tsconfig.json"), "utf8")).toBe("{}");
  });

  test("--user writes into the user's own layer, which needs no trust", async () => {
    const opened = openTestProgram();
    const outcome = await opened.run(["new", "greet", "--ts", "--user"]);
    expect(existsSync(join(opened.configDir, "commands", "greet.ts"))).toBe(true);
    expect(existsSync(layerOf(opened))).toBe(false);
    expect(textOf(outcome)).not.toContain("adj trust");
  });
});

describe("--argv", () => {
  test("makes commands.yaml with the words as they were given", async () => {
    const opened = openTestProgram();
    await opened.run(["new", "lint", "--argv", "--", "npx", "eslint", "--fix", "a b", "x: y"]);
    const text = readFileSync(yamlOf(opened), "utf8");
    expect(parseYaml(text, "commands.yaml").value).toEqual({
      adjutant: 1,
      lint: {
        description: "Describe lint in one line",
        argv: ["npx", "eslint", "--fix", "a b", "x: y"],
      },
    });
  });

  test("keeps comments and order of what is there", async () => {
    const opened = openTestProgram();
    mkdirSync(layerOf(opened));
    const before = `# ours
adjutant: 1

# the first
zeta: { description: z, argv: [z] } # inline

alpha:
  description: a # why
  argv: [a]
`;
    writeFileSync(yamlOf(opened), before);
    await opened.run(["new", "lint", "--argv"]);
    expect(readFileSync(yamlOf(opened), "utf8")).toBe(
      `${before}lint:\n  description: Describe lint in one line\n  argv: [echo, hello from lint]\n`,
    );
  });

  test.each(
    sampled([
      ["nothing but a comment", "# later\n"],
      ["no line break at its end", "# later\nzeta: { description: z, argv: [z] }"],
      ["braces around it", "{ zeta: { description: z, argv: [z] } } # later\n"],
      ["an end mark", "# later\nzeta: { description: z, argv: [z] }\n...\n"],
      ["nothing in it", "# later"],
    ]),
  )("adds to a file with %s", async (_, before) => {
    const opened = openTestProgram();
    mkdirSync(layerOf(opened));
    writeFileSync(yamlOf(opened), before);
    expect((await opened.run(["new", "lint", "--argv", "--", "x"])).kind).toBe("ok");
    const text = readFileSync(yamlOf(opened), "utf8");
    expect(text).toContain("# later");
    const { value } = parseYaml(text, "commands.yaml");
    expect(value).toEqual({
      ...(before.includes("zeta") ? { zeta: { description: "z", argv: ["z"] } } : {}),
      lint: { description: "Describe lint in one line", argv: ["x"] },
    });
  });

  test("a file that is not YAML is named with its place and left alone", async () => {
    const opened = openTestProgram();
    mkdirSync(layerOf(opened));
    writeFileSync(yamlOf(opened), "a: [1\n");
    const outcome = await opened.run(["new", "lint", "--argv"]);
    expect(outcome.error).toMatchObject({ class: "Config", code: "FileInvalid" });
    expect(outcome.error?.message).toMatch(/commands\.yaml:\d+:\d+: /);
    expect(readFileSync(yamlOf(opened), "utf8")).toBe("a: [1\n");
  });
});

describe("--md", () => {
  test("writes a prompt with front matter", async () => {
    const opened = openTestProgram();
    await opened.run(["new", "review", "--md", "--description", "Review: the diff"]);
    const text = readFileSync(join(layerOf(opened), "commands", "review.md"), "utf8");
    const [, front = "", body = ""] = text.split(/^---$/m);
    expect(parseYaml(front, "review.md").value).toMatchObject({
      description: "Review: the diff",
      inputs: { focus: { default: "everything" } },
    });
    expect(body).toContain("{{ focus }}");
  });

  test("the next step is a look at what would run", async () => {
    const outcome = await openTestProgram().run(["new", "x", "--md"]);
    expect(linesOf(outcome).at(-1)).toBe("  adj explain x");
  });
});

test("a name that hides a lower one says which", async () => {
  const outcome = await openTestProgram().run(["new", "model", "--argv"]);
  expect(linesOf(outcome)).toContain("it hides the bundled command of the same name");
});

test.each(
  sampled([
    [["Greet", "--ts"], "NameInvalid"],
    [["../x", "--ts"], "NameInvalid"],
    [["__proto__", "--argv"], "NameInvalid"],
    [["trust", "--ts"], "NameReserved"],
    [["greet"], "ArgumentsInvalid"],
    [["greet", "--ts", "--md"], "ArgumentsInvalid"],
    [["greet", "extra", "--ts"], "ArgumentsInvalid"],
  ]),
)("`new %j` is refused and writes nothing", async (words, code) => {
  const opened = openTestProgram();
  expect(await opened.run(["new", ...words])).toMatchObject({ kind: "rejected", error: { code } });
  expect(existsSync(layerOf(opened))).toBe(false);
});

test.each(
  sampled([
    ["another kind of file", ["lint", "--md"], "commands/lint.ts", "mine"],
    ["a file named for an agent", ["lint", "--ts"], "commands/lint.codex.md", "mine"],
    [
      "an entry of commands.yaml",
      ["lint", "--ts"],
      "commands.yaml",
      "lint: { description: x, argv: [x] }\n",
    ],
  ]),
)("%s of that name is never written over", async (_, words, path, content) => {
  const opened = openTestProgram();
  mkdirSync(join(layerOf(opened), "commands"), { recursive: true });
  writeFileSync(join(layerOf(opened), path), content);
  const outcome = await opened.run(["new", ...words]);
  expect(outcome).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
  expect(outcome.error?.message).toContain(path);
  expect(readFileSync(join(layerOf(opened), path), "utf8")).toBe(content);
});

test("a folder that cannot be made is a failure that names the file", async () => {
  const opened = openTestProgram();
  writeFileSync(layerOf(opened), "in the way");
  const outcome = await opened.run(["new", "greet", "--ts"]);
  expect(outcome.kind).not.toBe("ok");
  expect(outcome.error?.message).toContain(".adjutant");
});

describe("--workflow", () => {
  test.each([
    [[], "ship.yaml", "workflow"],
    [["--script"], "ship.js", "script"],
  ])("with %j writes one that can be read, and says how to try it", async (words, name, kind) => {
    const opened = openTestProgram();
    const outcome = await opened.run(["new", "ship", "--workflow", ...words, "--user"]);
    const file = join(opened.configDir, "workflows", name);
    expect(outcome.result.metadata).toMatchObject({ kind, files: [file], hides: null });
    expect(linesOf(outcome).at(-1)).toContain("adj workflow run ship --agent replay");
    const listed = await opened.run(["workflow", "list"]);
    expect(listed.result.metadata).toMatchObject({ workflows: [{ name: "ship", problem: null }] });
    expect((await opened.run(["new", "ship", "--workflow", "--user"])).error?.message).toContain(
      "it is there already",
    );
  });

  test("--script alone means nothing", async () => {
    const { error } = await openTestProgram().run(["new", "ship", "--ts", "--script"]);
    expect(error?.message).toBe("`new`: `--script` goes with `--workflow` alone");
  });
});
