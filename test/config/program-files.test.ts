import { describe, expect, test } from "vitest";
import { findNamedPrograms } from "../../src/config/named-programs.ts";
import { programFiles, shellFiles } from "../../src/config/program-files.ts";
import { faultOf } from "./faults.ts";

describe("words of an argv that are executed", () => {
  test.each([
    [[], []],
    [["git", "status"], []],
    [["./guard", "a/b"], ["./guard"]],
    [["/usr/bin/env", "node", "x.js"], ["/usr/bin/env"]],
    [["node", "tools/x.js", "data/y.json"], ["tools/x.js"]],
    [["node", "--no-warnings", "x.js"], ["x.js"]],
    [
      ["node", "--import", "./setup.ts", "x.ts"],
      ["./setup.ts", "x.ts"],
    ],
    [["node", "-e", "1 + 1", "x.js"], []],
    [["python3", "-m", "http.server"], []],
    [
      ["/usr/bin/python3", "x.py"],
      ["/usr/bin/python3", "x.py"],
    ],
    [["bash", "-eu", "x.sh"], ["x.sh"]],
    [["bash", "-c", "scripts/x.sh"], []],
    [["deno", "run", "-A", "x.ts"], ["x.ts"]],
    [["cat", "a/b"], []],
  ])("%j names %j", (argv, words) => {
    expect(programFiles(argv)).toEqual(words);
  });
});

describe("words of a shell command that could be paths", () => {
  test.each([
    ["ls -la", []],
    ["./x.sh a b", ["./x.sh"]],
    ['cd sub && "./y.sh" > out/log', ["./y.sh", "out/log"]],
    ["X=a/b; $(tools/z.sh)|cat", ["a/b", "tools/z.sh"]],
    ["a/b a/b /", ["a/b"]],
  ])("%j names %j", (command, words) => {
    expect(shellFiles(command)).toEqual(words);
  });
});

describe("programs that YAML files name", () => {
  const find = (text: string) =>
    findNamedPrograms("/p", new Map([[".adjutant/commands.yaml", text]]));

  test.each([
    ["x: { argv: [./x] }", [".adjutant/x"]],
    ["x: { argv: [../bin/x, a/b] }", ["bin/x"]],
    ["x: { argv: [/p/bin/x] }", ["bin/x"]],
    ["x: { argv: [/usr/bin/x] }", []],
    ["x: { argv: [node, t/x.js] }", [".adjutant/t/x.js", "t/x.js"]],
    ["x: { argv: [node, x.js], cwd: ../sub }", [".adjutant/x.js", "sub/x.js", "x.js"]],
    ["x: { shell: sh, command: t/x.sh }", [".adjutant/t/x.sh", "t/x.sh"]],
    ["x: { shell: { program: ./sh, args: [-c] }, command: ls }", [".adjutant/sh"]],
    ["hooks: [{ on: before_tool, run: { argv: [./guard] } }]", [".adjutant/guard"]],
    ["x: { argv: 3 }\ny: [", []],
    ["x: { argv: [] }", []],
  ])("%j names %j", async (text, paths) => {
    expect(await find(text)).toEqual(paths);
  });

  test("a relative program outside the project is refused", async () => {
    const raised = await faultOf(() => find("x: { argv: [../../evil] }"));
    expect(raised.message).toBe(
      "`/p` cannot be trusted: the program `../../evil` lies outside the project",
    );
  });
});
