import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  labelOf,
  listSchemaArguments,
  parseDefaultArguments,
  parseSchemaArguments,
} from "../../../src/core/command/arguments.ts";
import { describeArguments } from "../../../src/core/command/describe-arguments.ts";
import { splitWords } from "../../../src/core/command/words.ts";
import { catchFault } from "./catch-fault.ts";

const DEPLOY = describeArguments(
  z.object({
    target: z.string().meta({ positional: 0 }),
    replicas: z.number().optional().meta({ positional: 1 }),
    dryRun: z.boolean().default(false).meta({ short: "n" }),
    verbose: z.boolean().optional().meta({ short: "v" }),
    noCache: z.boolean().optional(),
    noProxy: z.string().optional(),
    base_branch: z.string().optional().meta({ short: "b" }),
    maxWait: z.number().nullable().optional().meta({ short: "w" }),
    tag: z.array(z.string()).optional().meta({ short: "t" }),
    port: z.array(z.int()).optional(),
    size: z.union([z.int(), z.literal("auto")]).optional(),
  }),
);
const ADD = describeArguments(
  z.object({
    first: z.number().meta({ positional: 0 }),
    others: z.array(z.number()).default([]).meta({ positional: "rest" }),
  }),
);

const parse = (line: string) => parseSchemaArguments("deploy", DEPLOY, splitWords(line));

describe("words and a schema", () => {
  test.each<[line: string, raw: Record<string, unknown>]>([
    ["", {}],
    ["prod", { target: "prod" }],
    ["prod 3", { target: "prod", replicas: 3 }],
    ["prod -3", { target: "prod", replicas: -3 }],
    ["-2.5 -12.75", { target: "-2.5", replicas: -12.75 }],
    ["-n -5 4 -v", { target: "-5", replicas: 4, dryRun: true, verbose: true }],
    ["prod --dry-run", { target: "prod", dryRun: true }],
    ["--dry-run prod", { target: "prod", dryRun: true }],
    ["--dry-run=false", { dryRun: false }],
    ["--dry-run=true", { dryRun: true }],
    ["--no-dry-run", { dryRun: false }],
    ["--no-dry-run=true", { dryRun: false }],
    ["--no-dry-run=false", { dryRun: true }],
    ["--dry-run --no-dry-run", { dryRun: false }],
    ["--no-cache", { noCache: true }],
    ["--no-no-cache", { noCache: false }],
    ["--no-proxy localhost", { noProxy: "localhost" }],
    ["-nv", { dryRun: true, verbose: true }],
    ["-nb main", { dryRun: true, base_branch: "main" }],
    ["-bmain", { base_branch: "main" }],
    ["--base-branch main", { base_branch: "main" }],
    ["--base-branch=main", { base_branch: "main" }],
    ["--base-branch=", { base_branch: "" }],
    ["--base-branch -", { base_branch: "-" }],
    ["--base-branch=-x", { base_branch: "-x" }],
    ["--base-branch=a --base-branch=b", { base_branch: "b" }],
    ["--max-wait 1.5", { maxWait: 1.5 }],
    ["--max-wait=-1e3", { maxWait: -1000 }],
    ["-w5", { maxWait: 5 }],
    ["--tag one", { tag: ["one"] }],
    ["--tag=one -t two --tag three", { tag: ["one", "two", "three"] }],
    ["--port 1 --port=-2", { port: [1, -2] }],
    ["--size 5", { size: 5 }],
    ["--size auto", { size: "auto" }],
    ["-- --dry-run", { target: "--dry-run" }],
    ["prod -- -7", { target: "prod", replicas: -7 }],
    ["''", { target: "" }],
  ])("%j gives %j", (line, raw) => {
    expect(parse(line)).toEqual(raw);
  });

  test("the rest takes all the remaining words, also by its flag", () => {
    expect(parseSchemaArguments("add", ADD, ["1", "-2", "3"])).toEqual({
      first: 1,
      others: [-2, 3],
    });
    expect(parseSchemaArguments("add", ADD, ["1", "--others=2", "3"])).toEqual({
      first: 1,
      others: [2, 3],
    });
  });
});

describe("a malformed line is a usage error", () => {
  test.each<[line: string, code: string, message: string]>([
    ["--dry-rum", "FlagUnknown", "unknown flag `--dry-rum` of `deploy`; did you mean `--dry-run`?"],
    ["--wat", "FlagUnknown", "unknown flag `--wat` of `deploy`"],
    ["--xxxxxxxxxxxx", "FlagUnknown", "unknown flag `--xxxxxxxxxxxx` of `deploy`"],
    ["-x", "FlagUnknown", "unknown flag `-x` of `deploy`"],
    ["-nx", "FlagUnknown", "unknown flag `-x` of `deploy`"],
    ["--dryRun", "FlagUnknown", "unknown flag `--dryRun` of `deploy`; did you mean `--dry-run`?"],
    ["--target=prod", "FlagUnknown", "unknown flag `--target` of `deploy`"],
    ["--no-tag", "FlagUnknown", "unknown flag `--no-tag` of `deploy`"],
    ["--__proto__=x", "FlagUnknown", "unknown flag `--__proto__` of `deploy`"],
    ["--constructor", "FlagUnknown", "unknown flag `--constructor` of `deploy`"],
    ["--tag", "ArgumentsInvalid", "`deploy`: `--tag` needs a value"],
    [
      "--tag --dry-run",
      "ArgumentsInvalid",
      "`deploy`: `--tag` needs a value; one that begins with a dash is given as `--tag=-…`",
    ],
    [
      "-t -5",
      "ArgumentsInvalid",
      "`deploy`: `-t` needs a value; one that begins with a dash is given as `-t-…`",
    ],
    [
      "--dry-run=maybe",
      "ArgumentsInvalid",
      "`deploy`: `--dry-run` is a switch: give it alone, or as `--dry-run=false`",
    ],
    ["--max-wait soon", "ArgumentsInvalid", "`deploy`: `--max-wait` must be a number"],
    ["--max-wait=", "ArgumentsInvalid", "`deploy`: `--max-wait` must be a number"],
    ["prod many", "ArgumentsInvalid", "`deploy`: `<replicas>` must be a number"],
    ["prod 3 more", "ArgumentsInvalid", "`deploy`: takes at most 2 arguments, got 3"],
  ])("%j: %s", (line, code, message) => {
    const raised = catchFault(() => parse(line));
    expect(raised).toMatchObject({ class: "Usage", code, message, exitCode: 2 });
    expect(raised.hint).toBe("see `adj help deploy`");
  });

  test("of a command without positionals says that it takes none", () => {
    const schema = describeArguments(z.object({ all: z.boolean().optional() }));
    const raised = catchFault(() => parseSchemaArguments("list", schema, ["x"]));
    expect(raised.message).toBe("`list`: takes no arguments but flags, got 1");
  });

  test("never repeats a value, which may be a secret in the wrong place", () => {
    const secret = "hunter2-hunter2";
    const lines = [
      `--max-wait ${secret}`,
      `prod ${secret}`,
      `prod 3 ${secret}`,
      `--tag -${secret}`,
      `--dry-run=${secret}`,
      `--unknown=${secret}`,
    ];
    for (const line of lines) {
      const raised = catchFault(() => parse(line));
      expect(`${raised.message} ${raised.hint}`).not.toContain("hunter2");
    }
  });
});

test("arguments are listed with the names a person sees", () => {
  expect(listSchemaArguments(DEPLOY).map((one) => [labelOf(one), one.type, one.isList])).toEqual([
    ["<target>", "text", false],
    ["<replicas>", "number", false],
    ["--dry-run", "boolean", false],
    ["--verbose", "boolean", false],
    ["--no-cache", "boolean", false],
    ["--no-proxy", "text", false],
    ["--base-branch", "text", false],
    ["--max-wait", "number", false],
    ["--tag", "text", true],
    ["--port", "number", true],
    ["--size", "number", false],
  ]);
  expect(listSchemaArguments(DEPLOY).filter((one) => one.isRequired)).toHaveLength(1);
});

describe("arguments of a command without a schema", () => {
  test.each<[line: string, args: Record<string, unknown>]>([
    ["", { _: [] }],
    ["list --verbose --base=main -- -x", { _: ["list", "-x"], verbose: true, base: "main" }],
    ["--base main", { _: ["main"], base: true }],
    ["-v -abc -", { _: ["-v", "-abc", "-"] }],
    ["--a=1 --a=2", { _: [], a: ["1", "2"] }],
    ["--a --a=2 --a", { _: [], a: [true, "2", true] }],
    ["--a=", { _: [], a: "" }],
    ["--a=b=c", { _: [], a: "b=c" }],
    ["--a='two\nlines'", { _: [], a: "two\nlines" }],
    ["-- --a -- b", { _: ["--a", "--", "b"] }],
    ["--=x", { _: ["--=x"] }],
    ["--constructor --toString=x", { _: [], constructor: true, toString: "x" }],
  ])("%j gives %j", (line, expected) => {
    const args = parseDefaultArguments(splitWords(line));
    expect({ ...args }).toEqual(expected);
  });

  test("the object has no prototype, so a flag can be called anything", () => {
    const args = parseDefaultArguments(["--__proto__=x", "--__proto__=y", "--hasOwnProperty"]);
    expect(Object.getPrototypeOf(args)).toBeNull();
    expect(Object.entries(args)).toEqual([
      ["__proto__", ["x", "y"]],
      ["hasOwnProperty", true],
      ["_", []],
    ]);
    expect(Object.prototype).not.toHaveProperty("x");
  });

  test("a flag cannot take the place of the positionals", () => {
    expect({ ...parseDefaultArguments(["--_=x", "list"]) }).toEqual({ _: ["list"] });
  });

  test("every word is kept: as a positional, a flag's name or a flag's value", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom("--", "--flag", "--flag=1", "-x", "--__proto__=p"),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        fc.pre(!words.some((one) => /^--_(=|$)/s.test(one)));
        const { _: positionals, ...flags } = parseDefaultArguments(words);
        const given = Object.values(flags).flat();
        const kept = words.includes("--") ? words.length - 1 : words.length;
        expect(positionals.length + given.length).toBe(kept);
      }),
    );
  });
});
