import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLinks, pathBehindLinks } from "../../../src/core/project/followed-path.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function makeTree(): string {
  const root = realpathSync(temporaryFolder());
  mkdirSync(join(root, "a/b"), { recursive: true });
  mkdirSync(join(root, "c"));
  symlinkSync("../a/b", join(root, "c/link"));
  symlinkSync("../nowhere/x", join(root, "c/dangling"));
  return root;
}

test.each([
  ["c/link/../x", "a/x"],
  ["c/link/../../c/link/../x", "a/x"],
  ["c/./link/./../b/../x", "a/x"],
  ["c/link/../*.txt", "a/*.txt"],
  ["c/dangling/../x", "nowhere/x"],
  ["c/link/x", null],
  ["c/../a/x", null],
  ["missing/../a", null],
  ["c/../link", null],
])("%s is opened as %s", (path, opened) => {
  const root = makeTree();
  const expected = opened === null ? null : `${root}/${opened}`;
  expect(pathBehindLinks(`${root}/${path}`)).toBe(expected);
});

test("a link that leads nowhere yet is followed to what a write through it makes", () => {
  const root = makeTree();
  expect(followLinks(join(root, "c/dangling"))).toBe(join(root, "nowhere/x"));
});

test("thousands of folders left again take no time", () => {
  const root = makeTree();
  expect(pathBehindLinks(`${root}/${"c/../".repeat(1_000)}c/link/../x`)).toBe(`${root}/a/x`);
});
