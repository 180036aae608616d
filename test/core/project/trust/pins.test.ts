// Definitions of many forms, each trusted, then with every file of it edited: whatever of the edit runs was listed as not
// covered, and whatever was not listed does not run.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { approveProject } from "../../../../src/core/project/trust/approval.ts";
import { faultOf } from "../../../support/faults.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";
import { type EditedForm, formsYaml, testEditedForms } from "./edited-forms.ts";

const SH = "echo SAY";
const JS = 'console.log("SAY");';
const PY = 'print("SAY")';

const FORMS: readonly EditedForm[] = [
  [["./own.sh"], "approved", { keep: "", "../.adjutant/own.sh": `#!/bin/sh\n${SH}` }],
  ["sh build.sh", "approved", { "build.sh": SH }],
  ["./x.sh", "approved", { "x.sh": `#!/bin/sh\n${SH}` }],
  ["./d/../x.sh", "approved", { "x.sh": `#!/bin/sh\n${SH}`, "d/y": "" }],
  ["bash -eu x.sh", "approved", { "x.sh": SH }],
  [["timeout", "60", "./x"], "approved", { x: `#!/bin/sh\n${SH}` }],
  [["env", "sh", "x"], "approved", { x: SH }],
  [["env", "-i", "A=1", "sh", "x"], "approved", { x: SH }],
  [["nice", "-n", "5", "sh", "x"], "approved", { x: SH }],
  [["nohup", "sh", "x"], "approved", { x: SH }],
  [["setsid", "-w", "sh", "x"], "approved", { x: SH }],
  [["bash", "-c", "sh x.sh"], "approved", { "x.sh": SH }],
  [["bash", "-c", "sh -c 'sh x.sh'"], "approved", { "x.sh": SH }],
  [["xargs", "sh", "x.sh"], "approved", { "x.sh": SH }],
  ["echo a | xargs sh x.sh", "approved", { "x.sh": SH }],
  ["find . -name x.sh -exec sh x.sh {} +", "approved", { "x.sh": SH }],
  ["bash -c '. ./lib.sh; f'", "approved", { "lib.sh": `f() { ${SH}; }` }],
  [". ./lib.sh; f", "approved", { "lib.sh": `f() { ${SH}; }` }],
  ["cd d && sh x.sh", "approved", { "d/x.sh": SH }],
  ["cd d; sh x.sh", "refused", { "d/x.sh": SH }],
  ["(cd d && sh x.sh)", "approved", { "d/x.sh": SH }],
  ["sh < x.sh", "approved", { "x.sh": SH }],
  ["cat x.sh | sh", "listed", { "x.sh": SH }],
  ["eval 'sh x.sh'", "refused", { "x.sh": SH }],
  ["sh <<E\nsh x.sh\nE", "refused", { "x.sh": SH }],
  ["f=x.sh; sh $f", "approved", { "x.sh": SH }],
  ["for f in x y; do sh $f.sh; done", "refused", { "x.sh": SH, "y.sh": SH }],
  ["for f in *.sh; do sh $f; done", "listed", { "x.sh": SH }],
  ["echo $(sh x.sh)", "approved", { "x.sh": SH }],
  ["echo `sh x.sh`", "approved", { "x.sh": SH }],
  ["if true; then sh x.sh; fi", "approved", { "x.sh": SH }],
  ["f() { sh x.sh; }; f", "approved", { "x.sh": SH }],
  ["trap 'sh x.sh' EXIT", "approved", { "x.sh": SH }],
  ['sh "$PWD/x.sh"', "approved", { "x.sh": SH }],
  ['sh "$(pwd)/x.sh"', "listed", { "x.sh": SH }],
  ["env -S 'sh x.sh'", "refused", { "x.sh": SH }],
  ["BASH_ENV=./e.sh bash -c true", "listed", { "e.sh": SH }],
  ["PATH=./bin:$PATH tool", "listed", { "bin/tool": `#!/bin/sh\n${SH}` }],
  [["node", "x.mjs"], "approved", { "x.mjs": JS }],
  [["node", "x"], "approved", { "x.js": JS }],
  ["node --import=./pre.mjs x.mjs", "approved", { "pre.mjs": JS, "x.mjs": "" }],
  ["node --import ./pre.mjs x.mjs", "approved", { "pre.mjs": JS, "x.mjs": "" }],
  ["node -r ./pre.cjs x.mjs", "approved", { "pre.cjs": JS, "x.mjs": "" }],
  ["NODE_OPTIONS=--import=./pre.mjs node x.mjs", "listed", { "pre.mjs": JS, "x.mjs": "" }],
  [["node", "x.mjs"], "approved", { "x.mjs": 'import "./lib.mjs";', "lib.mjs": JS }],
  [
    ["node", "t/x.mjs"],
    "approved",
    { "t/x.mjs": 'import "../l/a.mjs";', "l/a.mjs": 'import "./b.mjs"', "l/b.mjs": JS },
  ],
  [["node", "x.cjs"], "approved", { "x.cjs": 'require("./lib")', "lib.js": JS }],
  [
    ["node", "x.ts"],
    "approved",
    {
      "x.ts": 'import { say } from "./lib.ts";\nsay();',
      "lib.ts": `export const say = (): void => ${JS}`,
    },
  ],
  [
    ["node", "t/x.mjs"],
    "approved",
    { "t/x.mjs": 'await import(new URL("lib.mjs", import.meta.url));', "t/lib.mjs": JS },
  ],
  [
    ["node", "x.mjs"],
    "listed",
    { "x.mjs": 'await import(process.cwd() + "/lib.mjs");', "lib.mjs": JS },
  ],
  ["node -e 'require(\"./x.cjs\")'", "listed", { "x.cjs": JS }],
  [
    ["node", "x.mjs"],
    "refused",
    {
      "x.mjs": `import "pkg";${JS}`,
      "node_modules/pkg/index.js": "",
      "node_modules/pkg/package.json": '{"name":"pkg"}',
    },
  ],
  [["python3", "x.py"], "approved", { "x.py": PY }],
  [["python3", "-u", "t/x.py"], "approved", { "t/x.py": "import lib", "t/lib.py": PY }],
  [
    ["python3", "t/x.py"],
    "approved",
    {
      "t/x.py": "from pkg.sub import go",
      "t/pkg/__init__.py": "",
      "t/pkg/sub.py": `${PY}\ngo = 1`,
    },
  ],
  [["python3", "t/x.py"], "approved", { "t/x.py": "if 1: import lib", "t/lib.py": PY }],
  [["python3", "t/x.py"], "approved", { "t/x.py": "import os; import lib", "t/lib.py": PY }],
  [["python3", "-m", "pkg"], "listed", { "pkg/__main__.py": PY }],
  ["python3 -c 'import lib'", "listed", { "lib.py": PY }],
  ["python3 - <<E\nimport lib\nE", "listed", { "lib.py": PY }],
  ["PYTHONPATH=l python3 x.py", "listed", { "x.py": "import lib", "l/lib.py": PY }],
  [["perl", "x.pl"], "approved", { "x.pl": 'print "SAY";' }],
  [["perl", "-Il", "x.pl"], "listed", { "x.pl": "use M;", "l/M.pm": 'package M; print "SAY"; 1;' }],
  [["awk", "-f", "x.awk"], "approved", { "x.awk": 'BEGIN { print "SAY" }' }],
  ["awk 'BEGIN { system(\"sh x.sh\") }'", "refused", { "x.sh": SH }],
  ["echo a | sed -f x.sed", "approved", { "x.sed": "s/a/SAY/" }],
  ["echo a | sed '1e sh x.sh'", "refused", { "x.sh": SH }],
  [["make", "-f", "F"], "listed", { F: "all:\n\t@echo SAY" }],
  [["make"], "listed", { Makefile: "all:\n\t@echo SAY" }],
  ["make -s -C d", "listed", { "d/Makefile": "all:\n\t@echo SAY" }],
  [["npm", "run", "--silent", "x"], "listed", { "package.json": '{"scripts":{"x":"echo SAY"}}' }],
  [["sh", "x.sh"], "listed", { "x.sh": "sh y.sh", "y.sh": SH }],
  [["sh", "x.sh"], "listed", { "x.sh": "make -s", Makefile: "all:\n\t@echo SAY" }],
  [["sh", "t/x.sh"], "approved", { "t/x.sh": '. "$(dirname "$0")/lib.sh"', "t/lib.sh": SH }],
  [
    ["bash", "t/x.sh"],
    "approved",
    { "t/x.sh": 'D="$(dirname "$BASH_SOURCE")"\nsh "$D/y.sh"', "t/y.sh": SH },
  ],
  [["sh", "t/x.sh"], "refused", { "t/x.sh": `cd "$(dirname "$0")/.." && ${SH}` }],
  [["sh", "t/x.sh"], "listed", { "t/x.sh": 'cd "$(dirname "$0")/.." && sh y.sh', "y.sh": SH }],
  [
    ["./node_modules/.bin/tool"],
    "listed",
    { keep: "", "../.adjutant/node_modules/.bin/tool": `#!/bin/sh\n${SH}` },
  ],
  [["sh", "-c", "$0", "./x.sh"], "listed", { "x.sh": `#!/bin/sh\n${SH}` }],
  [["git", "-c", "alias.z=!sh x.sh", "z"], "refused", { "x.sh": SH }],
];

testEditedForms(FORMS);

/** It speaks of programs that run what the project says, and starts none of them. */
const GUARD_CODE = `import { execFileSync } from "node:child_process";
const said = execFileSync("git", ["status"], { cwd: process.cwd() });
if (/^make/.test(said)) console.log("\`make all\` and \`npm publish\` are for people", "npm test");`;

describe("a guard", () => {
  const guard = (run: object, more: object = {}): string =>
    JSON.stringify({ hooks: [{ name: "g", on: "before_tool", run, ...more }] });

  const trust = (hooks: string) => {
    const at = join(temporaryFolder(), "project");
    writeFiles(at, {
      ".adjutant/hooks.yaml": hooks,
      ".adjutant/g.sh": "exit 2",
      "t/g.py": "import sys",
      "t/calls.sh": "sh other.sh",
      "t/p.mjs": 'try { await import("pkg"); } catch {}',
      "t/n.mjs": "",
      "t/names.mjs": GUARD_CODE,
      "node_modules/pkg/index.js": "",
      "node_modules/pkg/package.json": '{"name":"pkg"}',
      "node_modules/.bin/guard": "#!/bin/sh",
      "other.sh": "exit 2",
      Makefile: "all:",
    });
    return approveProject(at, join(at, "..", "state"));
  };

  test.each([
    { argv: ["./g.sh"] },
    { argv: ["timeout", "5", "sh", "../t/../.adjutant/g.sh"] },
    { argv: ["python3", "t/g.py"] },
    { argv: ["node", "t/names.mjs"] },
    { shell: "sh", command: "jq -e .tool | grep -q rm && exit 2" },
    { shell: "bash", command: "python3 -I -c 'import json'" },
    { builtin: "git" },
    { url: "https://example.com/guard" },
  ])("%j is pinned in full", async (run) => {
    await expect(trust(guard(run))).resolves.toBeDefined();
  });

  test.each([
    [{ argv: ["make", "guard"] }, "what `make guard` runs of the project"],
    [{ argv: ["npm", "run", "guard"] }, "what `npm run guard` runs of the project"],
    [{ argv: ["python3", "-m", "guard"] }, "what `python3 -m guard` finds by name"],
    [{ shell: "sh", command: "$GUARD" }, "`$GUARD`, which is known only when it runs"],
    [{ argv: ["node", "t/p.mjs"] }, "the package `pkg`, which `t/p.mjs` imports"],
    [{ argv: ["node", "--import", "pkg", "t/n.mjs"] }, "the package `pkg`"],
    [
      { argv: ["node", "-r", "./node_modules/pkg/index.js", "t/n.mjs"] },
      "`./node_modules/pkg/index.js`, of a package",
    ],
    [{ argv: ["node_modules/.bin/guard"] }, "`node_modules/.bin/guard`, of a package"],
    [{ argv: ["npx", "guard"] }, "what `npx guard` runs of the project"],
    [{ argv: ["sh", "t/calls.sh"] }, "`other.sh`, which `t/calls.sh` runs"],
    [{ argv: ["/home/me/guard"] }, "`/home/me/guard`, which lies outside the project"],
    [{ argv: ["sh", "/dev/shm/guard"] }, "`/dev/shm/guard`, which lies outside the project"],
    [
      { argv: ["dotenv", "--", "node", "t/n.mjs"] },
      "what `dotenv -- node t/n.mjs` runs of the project",
    ],
    [{ argv: ["mypy", "t"] }, "what `mypy t` runs of the project"],
    [
      { shell: "bash", command: "export $(cat v); node t/n.mjs" },
      "the variables that `export $(cat v)` takes from elsewhere",
    ],
    [
      { shell: "bash", command: "python3 -c 'import json'" },
      "what the code in `python3 -c import json` loads",
    ],
  ])("%j is refused, unless it says so", async (run, what) => {
    const raised = await faultOf(() => trust(guard(run)));
    expect(raised.message).toMatch(/\/\.adjutant\/hooks\.yaml:1:\d+: /);
    expect(raised.message).toContain(`the guard \`g\` runs ${what}, which trust cannot hold still`);
    expect(raised.hint).toContain("`unpinned: true`");
    await expect(trust(guard(run, { unpinned: true }))).resolves.toBeDefined();
  });
});

test("a hook that cannot veto may run anything", async () => {
  const at = join(temporaryFolder(), "project");
  const hooks = [{ name: "g", on: "notification", run: { argv: ["make"] } }];
  writeFiles(at, { ".adjutant/hooks.yaml": JSON.stringify({ hooks }), Makefile: "all:" });
  const { pins } = await approveProject(at, join(at, "..", "state"));
  expect(pins.uncovered).toMatchObject([{ paths: ["Makefile"], isOfProject: true }]);
});

test("the table is of YAML that a person could have written", () => {
  expect(Object.keys(parse(formsYaml(FORMS)))).toHaveLength(FORMS.length);
});
