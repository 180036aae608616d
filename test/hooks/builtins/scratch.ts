// A scratch project in which lines are run for real, and what each of them did to it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { confineTo } from "../../support/bubblewrap.ts";
import { removeFolder } from "../../support/temporary-folder.ts";

export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly base: string;
  /** Runs the line in a fresh copy and gives what it printed; the copy stays until the next one. */
  run(line: string): string;
  /** As it was made. */
  reset(): void;
  remove(): void;
}

/** The files by path from the folder that holds `project` and `home`; `setUp` is run in the project once. */
export function openScratch(files: Readonly<Record<string, string>>, setUp: string): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "adj-scratch-")));
  const base = join(folder, "live");
  const kept = join(folder, "kept");
  const [root, home] = [join(base, "project"), join(base, "home")];
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.test",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.test",
  };
  const start = ([program = "", ...args]: readonly string[], cwd: string): string => {
    const { stdout, stderr } = spawnSync(program, args, { cwd, env, input: "", maxBuffer: 1e8 });
    return `${stdout}\n${stderr}`;
  };
  const bash = (line: string, cwd: string) => start(["timeout", "20", "bash", "-c", line], cwd);
  bash(setUp, root);
  bash(`cp -a ${base} ${kept}`, folder);
  const reset = (): void => void bash(`rm -rf ${base}; cp -a ${kept} ${base}`, folder);
  return {
    ...{ root, home, base, reset },
    run(line) {
      reset();
      const words = ["timeout", "-k", "1", "5", "bash", "-O", "extglob", "-c", line];
      return start(confineTo(folder, words, [kept]), root);
    },
    remove: () => removeFolder(folder),
  };
}

/** Every file below with its content's hash; links are not followed. */
export function filesBelow(folder: string, skip: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of existsSync(path) ? readdirSync(path) : []) {
      const each = join(path, name);
      if (skip.has(name)) continue;
      const stat = lstatSync(each);
      if (stat.isDirectory()) visit(each);
      else
        found.set(
          each,
          stat.isFile() ? createHash("md5").update(readFileSync(each)).digest("hex") : "link",
        );
    }
  };
  visit(folder);
  return found;
}
