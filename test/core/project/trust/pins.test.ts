// Definitions of many forms, each trusted, then with every file of it edited: whatever of the edit runs was listed as not
// covered, and whatever was not listed does not run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { Fault } from "../../../../src/core/command/fault.ts";
import { parseCommandsYaml } from "../../../../src/core/load/commands-yaml.ts";
import { programSpec, useTrustedCopy } from "../../../../src/core/load/program-definition.ts";
import { approveProject } from "../../../../src/core/project/trust/approval.ts";
import type { Uncovered } from "../../../../src/core/project/trust/pins.ts";
import { faultOf } from "../../../support/faults.ts";
import { temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

/** What runs after the edit: the approved file, none because it changed, or the edited one, which was listed. */
type Ending = "approved" | "refused" | "listed";

const SH = "echo SAY";
const JS = 'console.log("SAY");';
const PY = 'print("SAY")';
type Files = Readonly<Record<string, string>>;

/** A definition (a list is an argv, a text a line for sh), how it ends, and its files; `SAY` is what an edit changes. */
const FORMS: readonly (readonly [string | readonly string[], Ending, Files])[] = [
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
  ["f() { sh x.sh; }; f", "listed", { "x.sh": SH }],
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
const count = FORMS.length;

interface Outcome {
  readonly printed: string;
  readonly stderr: string;
}

const home = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-pins-")));
const root = join(home, "project");
const stateDir = join(home, "state");
const yaml = FORMS.map(([run], at) => {
  const own = typeof run === "string" ? { shell: "bash", command: run } : { argv: run };
  return `f${at}: ${JSON.stringify({ description: "d", ...own, cwd: `../f${at}` })}\n`;
}).join("");

let uncovered: readonly Uncovered[] = [];
let copyDir = "";
let before: readonly Outcome[] = [];
let after: readonly Outcome[] = [];

function write(word: string): void {
  for (const [at, [, , files]] of FORMS.entries())
    for (const [path, text] of Object.entries(files)) {
      // A form's own `.adjutant` is the project's, by a name of its own.
      const file = path.startsWith("../") ? path.slice(3) : `f${at}/${path}`;
      // The first and the last one need not both say it.
      const said = text.replaceAll("SAY", word);
      writeFiles(root, { [file]: said });
      if (text.startsWith("#!")) chmodSync(join(root, file), 0o755);
    }
}

async function runForm(at: number): Promise<Outcome> {
  const folder = join(root, ".adjutant");
  const entry = parseCommandsYaml(yaml, { file: "commands.yaml", folder, workingFolder: folder })[
    at
  ];
  if (entry?.kind !== "command") throw new Error(JSON.stringify(entry));
  try {
    const program = useTrustedCopy(entry.program, { root, copyDir, workingDirectory: root });
    const call = { name: "f", words: [], workingDirectory: root, platform: process.platform };
    const env = { PATH: process.env.PATH ?? "", HOME: root };
    const { executable, args, cwd } = programSpec(program, { ...call, env });
    const child = spawn(executable, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [printed, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    await once(child, "close");
    return { printed, stderr };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { printed: error.code, stderr: error.message };
  }
}

const runAll = async (): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < count; at += 8)
    outcomes.push(
      ...(await Promise.all(
        [...Array(Math.min(8, count - at)).keys()].map((by) => runForm(at + by)),
      )),
    );
  return outcomes;
};

beforeAll(async () => {
  writeFiles(root, { ".adjutant/commands.yaml": yaml });
  write("as-approved");
  ({
    copyDir,
    pins: { uncovered },
  } = await approveProject(root, stateDir));
  before = await runAll();
  write("EDITED");
  after = await runAll();
}, 60_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("a definition whose files were edited after it was trusted", () => {
  test.each(FORMS.map(([run, ending], at) => [JSON.stringify(run), ending, at] as const))(
    "%s: %s",
    (_, ending, at) => {
      expect(before[at]).toMatchObject({ printed: expect.stringContaining("as-approved") });
      const { printed = "" } = after[at] ?? {};
      const isListed = uncovered.some(
        ({ where, isOfProject }) =>
          isOfProject && where.endsWith(`:${at + 1}:${`f${at}: `.length + 1}`),
      );
      const seen = printed.includes("EDITED")
        ? isListed
          ? "listed"
          : "SLIPPED"
        : printed.includes("as-approved")
          ? "approved"
          : printed === "ProgramChanged"
            ? "refused"
            : printed;
      expect([seen, after[at]?.stderr]).toEqual([ending, after[at]?.stderr]);
    },
  );
});

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
      "other.sh": "exit 2",
      Makefile: "all:",
    });
    return approveProject(at, join(at, "..", "state"));
  };

  test.each([
    { argv: ["./g.sh"] },
    { argv: ["timeout", "5", "sh", "../t/../.adjutant/g.sh"] },
    { argv: ["python3", "t/g.py"] },
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
    [{ argv: ["sh", "t/calls.sh"] }, "`other.sh`, which `t/calls.sh` runs"],
    [{ argv: ["/home/me/guard"] }, "`/home/me/guard`, which lies outside the project"],
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
  expect(Object.keys(parse(yaml))).toHaveLength(count);
});
