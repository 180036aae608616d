import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { copyTree, removeTree } from "../../../src/bench/files/tree.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "adj-tree-"));
  return () => removeFolder(place);
});

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

test("a copy has the content, the modes and the links of the original", async () => {
  const from = join(place, "from");
  mkdirSync(join(from, "shut", "deep"), { recursive: true });
  writeFileSync(join(from, "tool"), "#!/bin/sh\n");
  writeFileSync(join(from, "shut", "deep", "note"), "kept\n");
  symlinkSync("../nowhere", join(from, "dangling"));
  chmodSync(join(from, "tool"), 0o755);
  chmodSync(join(from, "shut", "deep", "note"), 0o444);
  chmodSync(join(from, "shut"), 0o555);
  const to = join(place, "not", "there", "yet");
  await copyTree(from, to);
  expect(readFileSync(join(to, "shut", "deep", "note"), "utf8")).toBe("kept\n");
  expect(readlinkSync(join(to, "dangling"))).toBe("../nowhere");
  expect(modeOf(join(to, "tool"))).toBe(0o755);
  expect(modeOf(join(to, "shut", "deep", "note"))).toBe(0o444);
  expect(modeOf(join(to, "shut"))).toBe(0o555);
});

test("a folder behind a link is copied as the folder it is", async () => {
  mkdirSync(join(place, "real"));
  writeFileSync(join(place, "real", "file"), "here");
  symlinkSync("real", join(place, "link"));
  await copyTree(join(place, "link"), join(place, "to"));
  expect(lstatSync(join(place, "to")).isDirectory()).toBe(true);
  expect(readdirSync(join(place, "to"))).toEqual(["file"]);
});

test("a socket that an agent left is passed over", async () => {
  const from = join(place, "from");
  mkdirSync(from);
  writeFileSync(join(from, "file"), "");
  const server = createServer().listen(join(from, "socket"));
  try {
    await copyTree(from, join(place, "to"));
  } finally {
    server.close();
  }
  expect(readdirSync(join(place, "to"))).toEqual(["file"]);
});

test("a tree that is gone already is removed", async () => {
  await expect(removeTree(join(place, "nowhere"))).resolves.toBeUndefined();
});

test.each([1, 400])("a tree of %i files is removed whole", async (count) => {
  const tree = join(place, "tree");
  mkdirSync(join(tree, "below"), { recursive: true });
  for (let at = 0; at < count; at++) writeFileSync(join(tree, "below", `${at}`), "");
  await removeTree(tree);
  expect(readdirSync(place)).toEqual([]);
});
