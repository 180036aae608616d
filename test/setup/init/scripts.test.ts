import { describe, expect, test } from "vitest";
import { SCRIPT_FILES } from "../../../src/setup/init/scripts.ts";

const read = (name: string, text: string, beside: readonly string[] = []) =>
  SCRIPT_FILES.find(({ names }) => names.includes(name))?.read(text, beside) ?? [];

const namesIn = (name: string, text: string) => read(name, text).map((script) => script.name);

describe("scripts of package.json", () => {
  test("are run by npm, with the words behind them for the script", () => {
    expect(read("package.json", '{"scripts":{"test:unit":"vitest run\\n"}}')).toEqual([
      {
        name: "test-unit",
        otherName: "npm-test-unit",
        argv: ["npm", "run", "test:unit", "--"],
        description: "npm run test:unit: vitest run",
      },
    ]);
  });

  // biome-ignore format: a table, one case a line
  test.each([
    [["pnpm-lock.yaml"], "", "pnpm run bench", "pnpm-bench"],
    [["yarn.lock"], "", "yarn run bench", "yarn-bench"],
    [["bun.lock"], "", "bun run bench", "bun-bench"],
    [["bun.lockb"], "", "bun run bench", "bun-bench"],
    [["package-lock.json", "yarn.lock"], "", "npm run bench --", "npm-bench"],
    [["package-lock.json"], "pnpm@10.1.0", "pnpm run bench", "pnpm-bench"],
    [[], "vlt@1", "npm run bench --", "npm-bench"],
  ])("beside %s, and %s in it, are run by `%s`", (beside, packageManager, line, otherName) => {
    const text = JSON.stringify({ packageManager, scripts: { bench: "x" } });
    expect(read("package.json", text, beside)).toMatchObject([
      { name: "bench", otherName, argv: line.split(" "), description: `${line.replace(" --", "")}: x` },
    ]);
  });

  test("what npm runs by itself is no command, nor what runs with another", () => {
    const scripts = { prepare: "x", postinstall: "x", pretest: "x", test: "x", prettier: "x" };
    expect(namesIn("package.json", JSON.stringify({ scripts }))).toEqual(["test", "prettier"]);
  });

  test("a name that no command can have is made one, or left out", () => {
    const scripts = { buildAll: "x", "@scope/x": "x", "42": "x", "…": "x", odd: 7 };
    const names = namesIn("package.json", JSON.stringify({ scripts }));
    expect(names).toEqual(["build-all", "scope-x"]);
  });

  test.each(["{}", "[]", "null", '{"scripts":[]}'])("%s has none", (text) => {
    expect(namesIn("package.json", text)).toEqual([]);
  });

  test("text that is no JSON is a syntax error", () => {
    expect(() => read("package.json", "{")).toThrow(SyntaxError);
  });
});

describe("targets of a Makefile", () => {
  test("where some are phony these alone, with what their line says of them", () => {
    const text = [
      ".PHONY: all lint \\",
      "  clean",
      "CC := gcc",
      "lint: CFLAGS = -O2",
      "all: app ## build it all",
      "lint clean:",
      "\trm -rf x: y",
      "app: main.o",
      "%.o: %.c",
    ].join("\n");
    expect(read("Makefile", text).map(({ name, description }) => [name, description])).toEqual([
      ["all", "make all: build it all"],
      ["lint", "make lint"],
      ["clean", "make clean"],
    ]);
  });

  test("else all that look like no file", () => {
    const text = "VERSION ?= 1\nURL=http://x\nbuild: a.o\na.o: a.c\n$(BIN): x\ndocs:: x\nx::=1\n";
    expect(namesIn("Makefile", text)).toEqual(["build", "docs"]);
  });
});

test("recipes of a justfile, but those that are private", () => {
  const text = [
    "#!/usr/bin/env just",
    "set shell := ['sh']",
    'name := "a:b"',
    "alias b := build",
    "# Build it",
    'build target="x": deps',
    "  echo a: b",
    "_hidden:",
    "[private]",
    "secret:",
    "@lint *args:",
  ].join("\n");
  expect(read("justfile", text).map(({ argv, description }) => [argv, description])).toEqual([
    [["just", "build"], "just build: Build it"],
    [["just", "lint"], "just lint"],
  ]);
});
