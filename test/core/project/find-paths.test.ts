import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findGlobPaths } from "../../../src/core/project/find-paths.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const FILES = {
  "a.ts": "",
  "b.md": "",
  ".env": "",
  "src/a.ts": "",
  "src/deep/c.ts": "",
  "src/.hidden/d.ts": "",
  "app/[id]/page.tsx": "",
};

it.each<[string, readonly string[]]>([
  ["*", ["a.ts", "app", "b.md", "src"]],
  [".*", [".env"]],
  ["*.{ts,md}", ["a.ts", "b.md"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/c.ts"]],
  [
    "**",
    [
      "a.ts",
      "app",
      "app/[id]",
      "app/[id]/page.tsx",
      "b.md",
      "src",
      "src/a.ts",
      "src/deep",
      "src/deep/c.ts",
    ],
  ],
  ["src/*/c.ts", ["src/deep/c.ts"]],
  ["src/.hidden/*", ["src/.hidden/d.ts"]],
  ["./src/*.ts", ["src/a.ts"]],
  ["app/\\[id]/*", ["app/[id]/page.tsx"]],
  ["{src,app}/../*.md", ["b.md"]],
  ["nothing/*", []],
  ["a.ts/*", []],
])("%j finds %j", (pattern, expected) => {
  const folder = temporaryFolder();
  writeFiles(folder, FILES);
  expect([...findGlobPaths({ folder, pattern })].sort()).toEqual(expected);
});

it("what is left out is not looked into, and two stars follow no links", () => {
  const folder = temporaryFolder();
  writeFiles(folder, FILES);
  symlinkSync(folder, join(folder, "loop"));
  const isLeftOut = (path: string): boolean => path === "src";
  const found = [...findGlobPaths({ folder, pattern: "**/*.ts", isLeftOut })];
  expect(found).toEqual(["a.ts"]);
  expect([...findGlobPaths({ folder, pattern: "src/*", isLeftOut })]).toEqual([]);
  const absolute = `${folder}/*.md`;
  expect([...findGlobPaths({ folder: "/", pattern: absolute })]).toEqual([join(folder, "b.md")]);
  expect([...findGlobPaths({ folder, pattern: "loop/*.md" })]).toEqual(["loop/b.md"]);
});
