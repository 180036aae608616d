import { expect, test } from "vitest";
import { listImportedPackages } from "../../../../src/core/project/trust/imported-packages.ts";

// biome-ignore format: a table, one line each
test.each<[text: string, packages: readonly string[]]>([
  ['import ms from "ms";', ["ms"]],
  ['import "@team/x/part.js";', ["@team/x"]],
  ['import {\n  a,\n  b,\n} from "left-pad";', ["left-pad"]],
  ['export * from "chalk";', ["chalk"]],
  ['const x = await import("ms");', ["ms"]],
  ['const x = require("ms/y");', ["ms"]],
  ['import a from "ms"; import b from "ms";', ["ms"]],
  ['import type { X } from "ms";', []],
  ['import { type X, y } from "ms";', ["ms"]],
  ['import { ok, z } from "adjutant";', []],
  ['import fs from "node:fs"; import { join } from "path";', []],
  ['import x from "./x.ts"; import y from "../y.ts"; import z from "/z.ts";', []],
  ['import x from "#own";', []],
  ['import x from "https://a.example/x.js";', []],
])("of %j: %j", (text, packages) => {
  expect(listImportedPackages(text).map(({ name }) => name)).toEqual(packages);
});

test("names the line", () => {
  expect(listImportedPackages('\nimport {\n  a,\n} from "ms";\n')).toEqual([
    { name: "ms", line: 4 },
  ]);
});
