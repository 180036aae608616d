import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readScriptWorkflow } from "../../../src/workflow/definition/script-file.ts";
import { problemOf } from "../../support/faults.ts";
import { inTier } from "../../support/tier.ts";

const META = "export const meta = { name: 'sweep', description: 'Goes through all files' };\n";

const faultIn = (text: string, file = "sweep.js"): string =>
  problemOf(() => readScriptWorkflow(text, file));

/** What the process that runs scripts does with a body, but for running it. */
const compile = (body: string) => new Script(`(async () => {${body}\n})`);

describe("a script", () => {
  test("is its meta and a body whose places are those of the file", () => {
    const source = `#!/usr/bin/env adj
// what it is for
export const meta = {
  name: "sweep", description: \`All files\`, whenToUse: 'often',
  phases: [{ title: "Find", detail: "by name" }, { title: "Mend", model: "opus" }],
  version: -1.5, "odd key": [true, null],
}
phase("Find")
const found = await agent("export const meta", { schema: { type: "object" } })
return found
`;
    const { workflow, warnings } = readScriptWorkflow(source, "/p/sweep.js");
    expect(warnings).toEqual([]);
    expect(workflow).toMatchObject({
      form: "script",
      name: "sweep",
      description: "All files",
      whenToUse: "often",
      phases: [
        { title: "Find", detail: "by name" },
        { title: "Mend", detail: null },
      ],
      file: "/p/sweep.js",
      source,
    });
    expect(workflow.body.split("\n")[8]).toBe(source.split("\n")[8]);
    expect(workflow.body).toHaveLength(source.length);
    expect(workflow.body.split("\n")[2]).toBe("       const meta = {");
    compile(workflow.body);
  });

  test("in TypeScript loses its types and keeps its places", () => {
    const source = `/* first */ export const meta: Meta = { name: "typed", description: "d" } as const;
interface Finding { file: string }
const found = (await agent("look")) as Finding[];
if (found.length > 0) return found.map((one: Finding): string => one.file);
return [];
`;
    const { workflow } = readScriptWorkflow(source, "typed.ts");
    expect(workflow.name).toBe("typed");
    expect(workflow.body.split("\n")[3]).toBe(
      "if (found.length > 0) return found.map((one         )         => one.file);",
    );
    compile(workflow.body);
  });

  test("without a description has none, and that is said", () => {
    const { workflow, warnings } = readScriptWorkflow(
      "export const meta = { name: 'a' }\n",
      "a.mjs",
    );
    expect(workflow.description).toBe("");
    expect(warnings).toEqual(["`meta` has no `description`"]);
  });

  test("may say in prompts and comments what it may not do", () => {
    const text = `${META}// import fs from "fs"\nawait agent("use import() and require, then export default it");\n`;
    expect(faultIn(text)).toBe("no problem");
  });

  test("may use what is no strict code", () => {
    expect(faultIn(`${META}const octal = "\\033[1m"; return octal;\n`)).toBe("no problem");
  });

  test("that is nested beyond reason is refused like any other mistake", () => {
    const deep = `${META}return ${"[".repeat(100_000)}${"]".repeat(100_000)};`;
    expect(faultIn(deep)).toMatch(/^sweep\.js:2:\d+: not a script: not enough stack space/);
  });
});

const FIRST = "begin with `export const meta = { name: …, description: … }`";
const GIVEN =
  "a script has `agent`, `parallel`, `pipeline`, `phase`, `log`, `workflow`, `args`, `budget` and `adj`";
const PLAIN = "`meta` holds plain values only; it is read and never run";

test.each([
  ["nothing", "", `sweep.js:1:1: the first statement is not \`meta\`; ${FIRST}`],
  ["no meta", "await agent('x');\n", `sweep.js:1:1: the first statement is not \`meta\`; ${FIRST}`],
  [
    "meta that comes second",
    `const a = 1;\n${META}`,
    `sweep.js:1:1: the first statement is not \`meta\`; ${FIRST}`,
  ],
  [
    "meta that may change",
    META.replace("const", "let"),
    `sweep.js:1:1: the first statement is not \`meta\`; ${FIRST}`,
  ],
  [
    "no name",
    "export const meta = { description: 'd' };",
    `sweep.js:1:21: \`meta\` has no \`name\`; ${FIRST}`,
  ],
  [
    "an empty name",
    "export const meta = { name: ' ' };",
    `sweep.js:1:29: \`meta\` has no \`name\`; ${FIRST}`,
  ],
  [
    "a name that is no text",
    "export const meta = { name: 5 };",
    "sweep.js:1:29: `name` of `meta` must be text",
  ],
  ["a call in meta", "export const meta = {\n  name: os.hostname(),\n};", `sweep.js:2:9: ${PLAIN}`],
  ["an identifier in meta", "export const meta = { name };", `sweep.js:1:23: ${PLAIN}`],
  ["a computed key", "export const meta = { ['name']: 'a' };", `sweep.js:1:23: ${PLAIN}`],
  ["a spread", "export const meta = { ...other };", `sweep.js:1:23: ${PLAIN}`],
  ["a method", "export const meta = { name() {} };", `sweep.js:1:23: ${PLAIN}`],
  ["an interpolation", `export const meta = { name: \`a\${1}\` };`, `sweep.js:1:29: ${PLAIN}`],
  ["a regular expression", "export const meta = { name: /a/ };", `sweep.js:1:29: ${PLAIN}`],
  [
    "a key that is more than data",
    "export const meta = { name: 'a', x: { __proto__: 1 } };",
    "sweep.js:1:39: the key `__proto__` is not allowed in `meta`",
  ],
  [
    "a key twice",
    "export const meta = { name: 'a', name: 'b' };",
    "sweep.js:1:34: the key `name` is there twice",
  ],
  [
    "phases that are none",
    "export const meta = { name: 'a', phases: 3 };",
    "sweep.js:1:42: `phases` of `meta` must be a list of `{ title, detail }`",
  ],
  [
    "an import",
    `${META}import fs from "node:fs";`,
    `sweep.js:2:1: \`import\` is not for workflows; ${GIVEN}`,
  ],
  [
    "a late import",
    `${META}if (1) { await import("fs") }`,
    `sweep.js:2:16: \`import()\` is not for workflows; ${GIVEN}`,
  ],
  [
    "an import in a default value",
    `${META}const f = (a = import("fs")) => a;`,
    `sweep.js:2:16: \`import()\` is not for workflows; ${GIVEN}`,
  ],
  [
    "its own address",
    `${META}return import.meta.url;`,
    `sweep.js:2:8: \`import.meta\` is not for workflows; ${GIVEN}`,
  ],
  [
    "a second export",
    `${META}export const a = 1;`,
    `sweep.js:2:1: a second \`export\` is not for workflows; ${GIVEN}`,
  ],
  [
    "another dialect",
    `${META}\nexport default async () => {};`,
    `sweep.js:3:1: \`export default\` is not for workflows; ${GIVEN}`,
  ],
  ["no JavaScript", `${META}const x: string = 1;`, "sweep.js:2:8: not a script: unexpected token"],
  [
    "an await in a plain function",
    `${META}[1].map((x) => { await x });`,
    "sweep.js:2:24: not a script: unexpected token",
  ],
  ["too much", `${META}//${"x".repeat(512 * 1024)}`, "sweep.js: the script is larger than 512 KiB"],
])("%s is refused where it stands", (_, text, problem) => {
  expect(faultIn(text)).toBe(problem);
});

test.each([
  [
    "no TypeScript",
    `${META}const x: string = ;`,
    "sweep.ts:2:19: not a script: expression expected",
  ],
  [
    "what cannot be taken out",
    `${META}enum A { B }`,
    "sweep.ts:2:1: not a script: typeScript enum is not supported in strip-only mode",
  ],
  [
    "an import",
    `${META}import fs from "node:fs";`,
    "sweep.ts:2:1: not a script: 'import', and 'export' cannot be used outside of module code",
  ],
  [
    "no meta",
    "const a: number = 1;",
    `sweep.ts:1:1: the first statement is not \`meta\`; ${FIRST}`,
  ],
])("in TypeScript %s is refused where it stands", (_, text, problem) => {
  expect(faultIn(text, "sweep.ts")).toBe(problem);
});

test("whatever becomes of a script, it is read so that it compiles, or refused in one line with its place", () => {
  const source = `${META}/* a */ const x = await parallel([() => agent("y")]);\nreturn x ?? { a: \`b\` };\n`;
  const edit = fc.record({
    at: fc.nat(source.length),
    cut: fc.nat(8),
    put: fc.oneof(
      fc.constantFrom(
        "{",
        "}",
        "(",
        "`",
        "'",
        "*/",
        "//",
        "\n",
        "export ",
        "import ",
        "...",
        "return ",
        "})(); (async () => {",
      ),
      fc.string({ maxLength: 4 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 2 }), (edits) => {
      const text = edits.reduce(
        (before, { at, cut, put }) => before.slice(0, at) + put + before.slice(at + cut),
        source,
      );
      const problem = faultIn(text);
      expect(problem).toMatch(/^(no problem$|sweep\.js:\d+:\d+: )/);
      if (problem === "no problem") compile(readScriptWorkflow(text, "sweep.js").workflow.body);
    }),
    { numRuns: inTier(300, 20_000) },
  );
});
