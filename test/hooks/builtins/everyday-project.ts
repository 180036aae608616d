// A project of everyday, guarded by what `adj hooks init` writes.
import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { STARTER } from "../../../src/hooks/commands/init-hooks.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { bash, type Guarding, openGuards } from "./guarded-project.ts";

const FILES: Readonly<Record<string, string>> = {
  ".env": "TOKEN=x\n",
  ".gitignore": ".env\nnode_modules\ndist\ntarget\n",
  "package.json": "{}\n",
  "package-lock.json": "{}\n",
  "src/index.ts": "export {};\n",
  "src/old.ts": "export {};\n",
  "src/components/Old.tsx": "export {};\n",
  "node_modules/x/index.js": "\n",
  "dist/index.js": "\n",
};

export async function askEveryday(
  agent: string,
  lines: readonly string[],
): Promise<(Guarding & { readonly line: string })[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "adj-everyday-")));
  const [root, home] = [join(base, "project"), join(base, "home")];
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(home);
  const author = "-c user.name=a -c user.email=a@example.test";
  execSync(`git init -q -b main && git add -A && git ${author} commit -qm one`, { cwd: root });
  const decide = await openGuards({
    root,
    home,
    stateDir: join(base, "state"),
    hooks: STARTER,
    agent,
  });
  const asked: (Guarding & { readonly line: string })[] = [];
  for (const line of lines) {
    const guarding = await decide(bash(line));
    if (guarding.answer !== "pass") asked.push({ line, ...guarding });
  }
  removeFolder(base);
  return asked;
}
