import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listNamedFiles } from "../../../src/bench/suite/programs.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

test("a folder of PATH that may not be entered has no program in it, and a long word is no file", () => {
  const folder = temporaryFolder();
  symlinkSync("loop", join(folder, "loop"));
  writeFiles(folder, { "bin/tool": "#!/bin/sh\n" });
  const PATH = [join(folder, "loop"), join(folder, "bin/tool"), join(folder, "bin")].join(":");
  const argv = ["tool", "a".repeat(300), "loop/x"];
  expect(listNamedFiles({ argv }, { folder, env: { PATH } })).toEqual([join(folder, "bin/tool")]);
});
