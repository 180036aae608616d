// A home and a project with everything that keeps guards in force, and what a line that is run there for real does to it.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openGuards } from "./guarded-project.ts";
import { filesBelow, openScratch, type Scratch } from "./scratch.ts";

const ENTRY = '{"hooks":{"PreToolUse":[{"hooks":[{"command":"adj hook claude-code"}]}]}}\n';
const RULES = "hooks: []\n";

/** What no line may change unasked; each entry below it counts too. */
const OWN: Readonly<Record<string, string>> = {
  "home/.config/adjutant/hooks.yaml": RULES,
  "home/.config/adjutant/config.yaml": "mode: ask\n",
  "home/.local/state/adjutant/trust/p/current.json": "{}\n",
  "home/.local/state/adjutant/installed/a.json": "{}\n",
  "home/.local/share/adjutant/adj-hook": "#!/bin/sh\n",
  "home/.local/share/adjutant/guards.json": "{}\n",
  "home/.claude/settings.json": ENTRY,
  "home/.codex/hooks.json": ENTRY,
  "home/.codex/config.toml": "[features]\nhooks = true\n",
  "home/.gemini/settings.json": ENTRY,
  "home/.qwen/settings.json": ENTRY,
  "home/.copilot/hooks/adjutant.json": ENTRY,
  "home/.config/opencode/plugin/adjutant.js": "// adjutant\n",
  "home/guards/mine.sh": "#!/bin/sh\nexit 2\n",
  "project/.adjutant/hooks.yaml": RULES,
  "project/.adjutant/guards/stop": "#!/bin/sh\nexit 2\n",
  "project/scripts/guard.sh": "#!/bin/sh\nexit 2\n",
  "project/.claude/settings.json": ENTRY,
  "project/.github/hooks/adjutant.json": ENTRY,
  "project/.opencode/plugin/adjutant.js": "// adjutant\n",
};

/** Start-up files: what a line adds to them may send the hooks elsewhere. */
const STARTED: Readonly<Record<string, string>> = {
  "home/.bashrc": "# mine\n",
  "home/.profile": "# mine\n",
  "home/.zshenv": "# mine\n",
};

const FILES: Readonly<Record<string, string>> = {
  ...OWN,
  ...STARTED,
  "home/.claude/notes.md": "mine\n",
  "home/notes.txt": "mine\n",
  "project/.adjutant/commands.yaml": "\n",
  "project/.gemini/settings.json": "{}\n",
  "project/.env": "A=1\n",
  "project/src/a.ts": "const a = 1;\n",
  "project/package.json": "{}\n",
  "project/empty/.keep": "",
  "project/evil/hooks.yaml": "hooks: [] # evil\n",
  "project/evil/.adjutant/hooks.yaml": "hooks: [] # evil\n",
  "project/evil/.config/adjutant/hooks.yaml": "hooks: [] # evil\n",
  "project/evil.diff": `--- a/.adjutant/hooks.yaml\n+++ b/.adjutant/hooks.yaml\n@@ -1 +1 @@\n-${RULES}+hooks: [] # evil\n`,
};

const SET_UP = `chmod +x .adjutant/guards/stop scripts/guard.sh ../home/guards/mine.sh ../home/.local/share/adjutant/adj-hook
for db in state audit; do sqlite3 ../home/.local/state/adjutant/$db.db 'create table t(x); insert into t values(1)'; done
(cd evil && tar cf ../evil.tar .adjutant hooks.yaml .config && zip -qr ../evil.zip .adjutant hooks.yaml .config)
ln -s .adjutant/hooks.yaml linked; ln -s ../home/.config conf
mkdir -p ../home/bin ../home/lib/node_modules/adjutant/bin
printf '#!/bin/sh\\necho "$*" >> %s/called\\n' "$(cd .. && pwd)" > ../home/bin/adj; chmod +x ../home/bin/adj
cp ../home/bin/adj ../home/bin/adj-trust; cp ../home/bin/adj ../home/bin/claude; cp ../home/bin/adj ../home/bin/codex
cp ../home/bin/adj ../home/bin/gemini; ln -s adj ../home/bin/helper
printf 'require("fs").appendFileSync("%s/called", "js\\\\n")\\n' "$(cd .. && pwd)" > ../home/lib/node_modules/adjutant/bin/adj
git init -q -b main; git add -Af; git commit -qm one; echo 'hooks: [] # old' > .adjutant/hooks.yaml; git commit -qam two
git checkout -q HEAD~1 -- .adjutant/hooks.yaml; git commit -qm three`;

const MINE = `hooks:
  - name: mine
    on: before_tool
    match: { command: "never-*" }
    run: { argv: ["HOME/guards/mine.sh"] }
`;

const OURS = `hooks:
  - name: stop
    on: before_tool
    match: { command: "never-*" }
    run: { argv: ["./guards/stop"] }
  - name: script
    on: before_tool
    match: { command: "never-*" }
    run: { shell: sh, command: "sh ../scripts/guard.sh" }
`;

const SKIPPED: ReadonlySet<string> = new Set([".git"]);

export interface SelfScratch extends Scratch {
  /** What the line did to what is protected, and whether it called the program. */
  effectsOf(line: string): string[];
}

export function openSelf(): SelfScratch {
  const scratch = openScratch(FILES, SET_UP);
  const { base, home } = scratch;
  const databases = ["state", "audit"].map((name) => `home/.local/state/adjutant/${name}.db`);
  const own = [...Object.keys(OWN), ...databases].map((path) => join(base, path));
  const started = Object.keys(STARTED).map((path) => join(base, path));
  const modesOf = (paths: readonly string[]): string[] =>
    paths.map((path) => (existsSync(path) ? `${lstatSync(path).mode & 0o777}` : "gone"));
  const before = filesBelow(base, SKIPPED);
  const modes = modesOf(own);
  return {
    ...scratch,
    effectsOf(line) {
      scratch.run(`PATH=${home}/bin:$PATH\n${line}`);
      const after = filesBelow(base, SKIPPED);
      const called = join(base, "called");
      const now = modesOf(own);
      return [
        ...own
          .filter((path) => after.get(path) !== before.get(path))
          .map((path) => `changed ${path}`),
        ...own
          .filter((_, at) => now[at] !== modes[at])
          .map((path) => `changed the mode of ${path}`),
        ...started
          .filter(
            (path) =>
              existsSync(path) && /ADJ_|XDG_|_HOME|PATH|alias/.test(readFileSync(path, "utf8")),
          )
          .map((path) => `diverted in ${path}`),
        ...(existsSync(called) ? [`called ${readFileSync(called, "utf8").trim()}`] : []),
      ];
    },
  };
}

/** The guards of a user and of a project that never match: what is left is what keeps them in force. */
export function guardSelf({ base, root, home }: Scratch, agent = "claude-code") {
  return openGuards({
    ...{ agent, root, home, hooks: MINE.replace("HOME", home), projectHooks: OURS },
    stateDir: join(base, "home/.local/state/adjutant"),
  });
}
