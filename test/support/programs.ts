// What a machine may lack beside Node, npm, git and a shell: a test that needs it is skipped there, by its name.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Nothing counts as lacking then, so that tests fail without it. */
export const isAllRequired = process.env.ADJ_TEST_REQUIRE === "all";

/** Whether these are all on PATH. */
export const hasPrograms = (...names: readonly string[]): boolean =>
  isAllRequired || names.every(isOnPath);

const isOnPath = (name: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** The number of the user who owns nothing: root is stopped by no mode of a file. */
export const NOBODY = 65_534;

/** Whether root's tests can run this Node as another user, who may not come to a checkout below root's own home. */
export const canRunAsNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["-e", "0"], { cwd: "/", uid: NOBODY }).status === 0;
