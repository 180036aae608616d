// A project with protected files, and what a line that is run there for real does to them.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, openScratch, type Scratch } from "./scratch.ts";

const CANARY = "7f3a9c";
const SECRET = `SECRET=CANARY-${CANARY}\n`;

const FILES = {
  "home/.keep": "",
  "project/.env": SECRET,
  "project/sub/.env": SECRET,
  "project/secrets/key.txt": "old\n",
  "project/package-lock.json": "{}\n",
  "project/d/package-lock.json": '{"x":1}\n',
  "project/src/a.ts": "const a = 1;\nb\n",
  "project/src/a.json": "{}\n",
  "project/.gitignore": ".env\n",
  "project/.env.example": "SECRET=\n",
  "project/env.diff": `--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-${SECRET}+SECRET=x\n`,
  "project/t/.env": "from archive\n",
};

const SET_UP = `ln -s ../.env src/link; ln -s ../secrets src/dirlink
(cd t && tar cf ../a.tar .env && zip -q ../a.zip .env); rm -r t
git init -q -b main; git add -A; git commit -qm one
echo CANARY-${CANARY} > secrets/key.txt; git add -A; git commit -qm two; echo CANARY-${CANARY}-changed > secrets/key.txt`;

export const PROTECTING = `hooks:
  - name: guard
    on: before_tool
    run: { builtin: protect-paths, with: { paths: ["**/.env", secrets, "package-lock.json"] } }
`;

const PROTECTED = [".env", "sub/.env", "secrets/key.txt", "package-lock.json"];
const SKIPPED: ReadonlySet<string> = new Set([".git", "env.diff"]);

export interface ProtectedScratch extends Scratch {
  /** What the line read, copied, wrote or deleted of what is protected. */
  effectsOf(line: string): string[];
}

export function openProtected(): ProtectedScratch {
  const scratch = openScratch(FILES, SET_UP);
  const before = filesBelow(scratch.base, SKIPPED);
  const own = PROTECTED.map((path) => join(scratch.root, path));
  const inSecrets = (path: string): boolean => path.startsWith(join(scratch.root, "secrets/"));
  return {
    ...scratch,
    effectsOf(line) {
      const printed = scratch.run(line);
      const after = filesBelow(scratch.base, SKIPPED);
      const others = [...after.keys()].filter((path) => !own.includes(path) && !inSecrets(path));
      return [
        ...(showsCanary(printed) ? ["read"] : []),
        ...others.filter(holdsCanary).map((path) => `copied to ${path}`),
        ...own
          .filter((path) => after.get(path) !== before.get(path))
          .map((path) => `changed ${path}`),
        ...[...after.keys()]
          .filter((path) => inSecrets(path) && !before.has(path))
          .map((path) => `made ${path}`),
      ];
    },
  };
}

const FORMS = [
  CANARY,
  [...CANARY].reverse().join(""),
  Buffer.from(SECRET).toString("base64").slice(0, 20),
];

const showsCanary = (text: string): boolean => FORMS.some((form) => text.includes(form));

const holdsCanary = (path: string): boolean =>
  existsSync(path) && lstatSync(path).isFile() && readFileSync(path).includes(CANARY);
