// A project with files that can be had again and files that cannot, and what a line that is run there for real loses.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { openScratch, type Scratch } from "./scratch.ts";

const FILES = {
  "home/docs/x.txt": "home\n",
  "home/.cache/y": "cache\n",
  "other/file.txt": "other\n",
  "project/.gitignore": "node_modules\ndist\nbuild\ntarget\n*.db\n.env\n*.log\n",
  "project/src/a.ts": "a\n",
  "project/src/b.ts": "b\n",
  "project/src/mod.ts": "old\n",
  "project/docs/x.md": "x\n",
  "project/node_modules/x/i.js": "x\n",
  "project/dist/i.js": "x\n",
  "project/build/o": "x\n",
  "project/target/debug/o": "x\n",
  "project/app.log": "x\n",
  "project/local.db": "data\n",
  "project/.env": "TOKEN=x\n",
};

const SET_UP = `git init -q -b main; git add -A; git commit -qm one
echo changed > src/mod.ts; echo note > notes.txt; mkdir -p draft/empty; echo plan > draft/plan.md`;

/** Neither git nor a build brings these back. */
const PRECIOUS = [
  ...["src/mod.ts", "notes.txt", "draft/plan.md", "local.db", ".env", ".git/HEAD"].map(
    (path) => `project/${path}`,
  ),
  "home/docs/x.txt",
];

export const GUARDING = "hooks:\n  - name: guard\n    on: before_tool\n    run: { builtin: rm }\n";

export interface DeletableScratch extends Scratch {
  /** What is gone or empty after the line and cannot be had again. */
  lossesOf(line: string): string[];
}

export function openDeletable(): DeletableScratch {
  const scratch = openScratch(FILES, SET_UP);
  return {
    ...scratch,
    lossesOf(line) {
      scratch.run(line);
      const isLost = (path: string): boolean => !existsSync(path) || statSync(path).size === 0;
      return PRECIOUS.filter((path) => isLost(join(scratch.base, path)));
    },
  };
}
