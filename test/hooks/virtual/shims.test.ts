import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  addShims,
  prefixLine,
  replaceShims,
  shimFolder,
} from "../../../src/hooks/virtual/shims.ts";
import { SHELLS } from "../../support/shells.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function makePlace() {
  const folder = temporaryFolder("adjutant test'");
  const program = join(folder, "the program");
  writeFileSync(
    program,
    'for word in "$ADJ_PROJECT_ROOT" "$@"; do printf "<%s>" "$word"; done\nexit 9\n',
  );
  const root = join(folder, "a project");
  return { stateDir: join(folder, "state"), root, prefix: "adj-", program: ["/bin/sh", program] };
}

test.each(SHELLS)("a shim on PATH hands its words on in %s", (shell) => {
  const place = makePlace();
  replaceShims(place, ["branch", "deploy-all"]);
  const line = prefixLine(`adj-deploy-all 'a b' "" '$x' | cat; adj-branch`, {
    folder: shimFolder(place),
    sessionId: "it's one",
  });
  const { stdout, status } = spawnSync(shell, ["-c", line], { env: { PATH: process.env.PATH } });
  const root = `<${place.root}>`;
  expect(stdout.toString()).toBe(`${root}<run><deploy-all><a b><><$x>${root}<run><branch>`);
  expect(status).toBe(9);
});

test("the folder is private, and holds what there is and nothing else", () => {
  const place = makePlace();
  replaceShims(place, ["old", "kept"]);
  addShims(place, ["added"]);
  const list = () => readdirSync(shimFolder(place)).filter((name) => name.startsWith("adj-"));
  expect(list().sort()).toEqual(["adj-added", "adj-kept", "adj-old"]);
  replaceShims(place, ["kept", "new"]);
  expect(list().sort()).toEqual(["adj-kept", "adj-new"]);
  expect(statSync(shimFolder(place)).mode & 0o777).toBe(0o700);
});

test("another place of the program counts from the next look on", () => {
  const place = makePlace();
  replaceShims(place, ["branch"]);
  replaceShims({ ...place, program: ["/bin/echo"] }, ["branch"]);
  const { stdout } = spawnSync(join(shimFolder(place), "adj-branch"), ["x"]);
  expect(stdout.toString()).toBe("run branch x\n");
});
