import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

/** Every file below a folder with its content. */
function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [path, readFileSync(path, "latin1")]),
  );
}

const GOOD = "export default { description: 'fine', run: () => ({}) };";

interface BadFile {
  readonly file: string;
  readonly content: string;
  readonly asked?: string;
  /** What stands between the file's path and the end of the line. */
  readonly says: string;
}

const BAD_FILES: readonly (BadFile & { readonly what: string })[] = [
  {
    what: "an unknown key",
    file: "commands.yaml",
    content: "bad:\n  description: A\n  argv: [true]\n  safty: read_only\n",
    says: ":4:3: unknown key `safty`; did you mean `safety`?",
  },
  {
    what: "a value of the wrong type",
    file: "commands.yaml",
    content: "bad:\n  description: A\n  argv: ls\n",
    says: ":3:9: `argv` must be a list",
  },
  {
    what: "a duration without a unit",
    file: "commands.yaml",
    content: "bad:\n  description: A\n  argv: [ls]\n  timeout: 5\n",
    says: ":4:12: `timeout` must be a duration such as `30s` or `10m`",
  },
  {
    what: "nothing to start",
    file: "commands.yaml",
    content: "bad:\n  description: A\n",
    says: ":1:1: it starts nothing: give `argv`, or `shell` with `command`",
  },
  {
    what: "a syntax error",
    file: "commands/bad.ts",
    content: "export default {\n  description: 'A' 'B',\n};\n",
    says: ":2:20: syntax error: Expected ',', got 'string literal'",
  },
  {
    what: "a throw while it is loaded",
    file: "commands/bad.ts",
    content: "\nthrow new Error('boom');\n",
    says: ":2:7: it threw while it was loaded: boom",
  },
  {
    what: "no export",
    file: "commands/bad.ts",
    content: "const nothing = 1;\n",
    says: ": it exports nothing by default; write `export default defineCommand({ … })`",
  },
  {
    what: "a top-level await that never settles",
    file: "commands/bad.ts",
    content: `await new Promise(() => undefined);\n${GOOD}`,
    says: ": a top-level `await` in it never ends",
  },
  {
    what: "a loop without end",
    file: "commands/bad.ts",
    content: "for (;;);\n",
    says: ": it did not finish loading within 5 s; do the work of `bad.ts` when it runs, not while it is loaded; it is tried again when it is called by its name",
  },
  {
    what: "a call of process.exit",
    file: "commands/bad.ts",
    content: "process.exit(7);\n",
    says: ": it called `process.exit(7)` while it was loaded",
  },
  {
    what: "a capital in its name",
    file: "commands/Bad.ts",
    asked: "Bad",
    content: GOOD,
    says: ": `Bad` is not a command name: small letters, digits and dashes, beginning with a letter, at most 64",
  },
  {
    what: "a name of the program",
    file: "commands.yaml",
    asked: "ui",
    content: "ui:\n  description: A\n  argv: [true]\n",
    says: ":1:1: `ui` belongs to the program and cannot be defined; give it another name",
  },
];

describe("a command that cannot be loaded says where and why, and harms no other", () => {
  test.each(sampled(BAD_FILES))("$what", async ({ file, content, asked = "bad", says }) => {
    const home = makeHome();
    home.write({ [`config/${file}`]: content, "config/commands/good.js": GOOD_COMMAND });
    const before = readAll(home.configDir);
    const path = join(home.configDir, file);
    expect(await home.adj(asked)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `adj: \`${asked}\` could not be loaded: ${path}${says}\n`,
    });
    expect(await home.adj("good")).toMatchObject({ exitCode: 0, stdout: "good\n", stderr: "" });
    expect(readAll(home.configDir)).toEqual(before);
    const kept = Object.keys(readAll(home.stateDir)).map((path) => relative(home.stateDir, path));
    expect(kept.filter((path) => !/^(audit|index)\.db(-shm|-wal)?$/.test(path))).toEqual([]);
  });
});

const GOOD_COMMAND = `import { defineCommand, ok } from "adjutant";
export default defineCommand({ description: "Fine", run: () => ok("good") });
`;

describe("a file of commands that cannot be read as a whole is told before any command runs", () => {
  const CASES = [
    [
      "a key twice",
      "a:\n  description: A\n  argv: [ls]\na:\n  description: B\n",
      ":4:1: the key `a` is there twice",
    ],
    ["no map", "- a\n- b\n", ":1:1: the file must be a map of names to commands"],
    [
      "no YAML",
      "a: [1\n",
      ":2:1: not YAML: flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
  ] as const;

  test.each(sampled(CASES))("%s", async (_, content, says) => {
    const home = makeHome();
    home.write({ "config/commands.yaml": content, "config/commands/good.js": GOOD_COMMAND });
    const line = `adj: ${join(home.configDir, "commands.yaml")}${says}\n`;
    expect(await home.adj("good")).toMatchObject({ exitCode: 0, stdout: "good\n", stderr: line });
    const isNamed = /^a:/m.test(content);
    expect(await home.adj("a")).toMatchObject(
      isNamed
        ? {
            exitCode: 2,
            stdout: "",
            stderr: line.replace("adj: ", "adj: `a` could not be loaded: "),
          }
        : {
            exitCode: 127,
            stdout: "",
            stderr: `${line}adj: unknown command \`a\`; list all with \`adj commands\`\n`,
          },
    );
  });
});

// biome-ignore format: a table, one line each
test.each<[what: string, file: Readonly<Record<string, string>>, says: string]>([
  ["a folder", { "config/commands.yaml/inner": "" }, "it is a folder"],
  ["UTF-16", { "config/commands.yaml": "\u{ff}\u{fe}a\0" }, "it is UTF-16; save it as UTF-8"],
])("a name that a file nobody can read may hold is that file's fault, in one line: %s", async (_, file, says) => {
  const home = makeHome();
  for (const [path, text] of Object.entries(file)) {
    home.write({ [path]: "" });
    writeFileSync(join(home.folder, path), Buffer.from(text, "latin1"));
  }
  expect(await home.adj("mine")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: `adj: \`mine\` could not be loaded: ${join(home.configDir, "commands.yaml")}: it cannot be read: ${says}\n`,
  });
  expect(await home.adj("model")).toMatchObject({ exitCode: 0 });
});
