import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/core/process/find-program.ts";

let root = "";
const at = (...parts: string[]) => join(root, ...parts);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "find-program-"));
  for (const folder of ["one", "two", "one/tool-folder"]) await mkdir(at(folder));
  for (const file of ["one/plain", "two/plain", "two/tool"]) await writeFile(at(file), "");
  for (const file of ["two/plain", "two/tool"]) await chmod(at(file), 0o755);
  await symlink(at("two/tool"), at("one/link"));
  await symlink(at("nowhere"), at("one/broken"));
});
afterAll(() => rm(root, { recursive: true }));

describe("finding a program", () => {
  it("looks through PATH in order and passes over what is not executable", async () => {
    const place = { path: `${at("one")}:${at("two")}`, cwd: "/" };
    expect(await findProgram("plain", place)).toEqual({ kind: "found", path: at("two/plain") });
    expect(await findProgram("link", place)).toEqual({ kind: "found", path: at("one/link") });
  });

  it("says where a file is that may not be executed", async () => {
    const place = { path: at("one"), cwd: "/" };
    const plain = await findProgram("plain", place);
    expect(plain).toEqual({ kind: "not_executable", path: at("one/plain") });
    const folder = await findProgram("tool-folder", place);
    expect(folder).toEqual({ kind: "not_executable", path: at("one/tool-folder") });
  });

  it.each(["nothing", "broken", "", "./plain"])("does not find %j", async (name) => {
    const place = { path: `${at("one")}:relative::/nowhere`, cwd: at() };
    expect(await findProgram(name, place)).toEqual({ kind: "missing" });
  });

  it("takes a name with a slash as a path from the working directory", async () => {
    const place = { path: at("one"), cwd: at("two") };
    expect(await findProgram("./tool", place)).toEqual({ kind: "found", path: at("two/tool") });
    expect(await findProgram(at("two/tool"), place)).toMatchObject({ kind: "found" });
  });

  it.each(["", ".", "two", "./two"])("takes nothing from an entry %j of PATH", async (entry) => {
    for (const cwd of [at(), at("two")]) {
      const place = { path: `/nowhere:${entry}`, cwd };
      expect(await findProgram("tool", place)).toEqual({ kind: "missing" });
    }
  });

  it("without PATH the system's own folders are searched", async () => {
    expect(await findProgram("sh", { path: undefined, cwd: "/" })).toMatchObject({ kind: "found" });
  });
});
