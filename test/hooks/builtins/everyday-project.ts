// A project of everyday, guarded by what `adj hooks init` writes.
import { execSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { STARTER } from "../../../src/hooks/commands/init-hooks.ts";
import { removeFolder } from "../../support/temporary-folder.ts";
import { bash, type Guarding, openGuards } from "./guarded-project.ts";

/** Lines name the project by this path, as agents do that begin with `cd`. */
const PROJECT_PATH = "/home/dev/acme";

const patchOf = (path: string, from: string, to: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${from}\n+${to}\n`;

const FILES: Readonly<Record<string, string>> = {
  ".env": "TOKEN=x\n",
  ".env.example": "TOKEN=\n",
  ".gitignore": ".env\nnode_modules\ndist\ntarget\n.venv\n__pycache__\n",
  "package.json": "{}\n",
  "package-lock.json": "{}\n",
  "src/index.ts": "export {};\n",
  "src/old.ts": "export {};\n",
  "src/components/Old.tsx": "export {};\n",
  "src/components/Button.tsx": "export {};\n",
  "src/lib/a.ts": "export {};\n",
  "src/server/app.ts": "export {};\n",
  "packages/core/package.json": "{}\n",
  "packages/core/src/index.ts": "export {};\n",
  "packages/web/package.json": "{}\n",
  "src/acme/api.py": "\n",
  "tests/test_api.py": "\n",
  "pyproject.toml": "[project]\n",
  "go.mod": "module acme\n",
  "internal/store/store.go": "package store\n",
  "Cargo.toml": "[workspace]\n",
  "crates/core/src/lib.rs": "\n",
  "pom.xml": "<project/>\n",
  Gemfile: "\n",
  "composer.json": "{}\n",
  "CMakeLists.txt": "\n",
  Makefile: "test:\n\ttrue\n",
  Dockerfile: "FROM scratch\n",
  "docker-compose.yml": "services: {}\n",
  "k8s/base/deploy.yaml": "\n",
  "data/users.csv": "id,name\n",
  "docs/guide.md": "# Guide\n",
  "README.md": "# Acme\n",
  "CHANGELOG.md": "# Changes\n",
  "scripts/release.sh": "#!/bin/sh\n",
  "one.patch": patchOf("src/lib/a.ts", "export {};", "export const a = 1;"),
  "two.patch": patchOf("src/index.ts", "export const a = 1;", "export {};"),
  "three.patch":
    "diff --git a/src/new-feature.ts b/src/new-feature.ts\ndeleted file mode 100644\n".concat(
      "--- a/src/new-feature.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export {};\n",
    ),
  "four.patch": patchOf("vendor/lib/a.ts", "export const a = 1;", "export {};"),
  "node_modules/x/index.js": "\n",
  "dist/index.js": "\n",
  "target/debug/incremental/x": "\n",
  ".venv/bin/python": "\n",
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
  const setUp = [
    "git init -q -b main && git add -A",
    `git ${author} commit -qm one && git ${author} commit -qm two --allow-empty`,
    `git branch unmerged-idea $(git ${author} commit-tree -m idea -p HEAD "HEAD^{tree}")`,
    "git branch feature/login && git branch feature/rate-limit && git tag v1.2.0",
    `git init -q --bare ../origin.git && git remote add origin ../origin.git && git push -qu origin main`,
    `git ${author} commit -qm three --allow-empty`,
  ];
  execSync(setUp.join(" && "), { cwd: root });
  // An agent's work is seldom committed yet.
  writeFileSync(join(root, "src/index.ts"), "export const a = 1;\n");
  writeFileSync(join(root, "src/new-feature.ts"), "export {};\n");
  // A repository in the repository, which git itself looks past.
  execSync("git init -q vendor/lib", { cwd: root });
  writeFileSync(join(root, "vendor/lib/a.ts"), "export const a = 1;\n");
  const decide = await openGuards({
    root,
    home,
    stateDir: join(base, "state"),
    hooks: STARTER,
    agent,
  });
  const asked: (Guarding & { readonly line: string })[] = [];
  for (const line of lines) {
    const guarding = await decide(bash(line.replaceAll(PROJECT_PATH, root)));
    if (guarding.answer !== "pass") asked.push({ line, ...guarding });
  }
  removeFolder(base);
  return asked;
}
