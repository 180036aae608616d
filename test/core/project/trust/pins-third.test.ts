// A third table of definitions whose files were edited after they were trusted: options before a script, folders that a
// script goes to, lines that come from elsewhere, and imports over several lines.
import { sampled } from "../../../support/tier.ts";
import { type EditedForm, testEditedForms } from "./edited-forms.ts";

const SH = "echo SAY";
const RUN = `#!/bin/sh\n${SH}`;
const JS = 'console.log("SAY");';
const PY = 'print("SAY")';
const PM = 'package M; print "SAY"; 1;';
const X = { "x.sh": SH };
const MJS = { "x.mjs": JS };
const MAKE = "all:\n\t@echo SAY";
const EXEC = "require('child_process').execSync";
const SQL = { "x.sql": "select 'SAY';" };
const READ = 'require("fs").readFileSync("y.txt", "utf8")';
const CONFIG = '{"nodeOptions":{"import":["./p.mjs"]}}';

const FORMS: readonly EditedForm[] = [
  // What a script runs in another folder than its own.
  ["sh x.sh", "listed", { "x.sh": "cd d && ./y", "d/y": RUN }],
  ["sh x.sh", "listed", { "x.sh": "cd d\nsh y.sh", "d/y.sh": SH }],
  ["sh x.sh", "listed", { "x.sh": "(cd d/e && ../y.sh)", "d/y.sh": RUN, "d/e/k": "" }],
  ["sh x.sh", "listed", { "x.sh": 'cd "$D"; ./y.sh', "y.sh": RUN }],
  ["sh x.sh", "listed", { "x.sh": "cat y.sh | sh", "y.sh": SH }],
  ["sh x.sh", "listed", { "x.sh": "ls y.sh | xargs sh", "y.sh": SH }],
  ["sh x.sh", "listed", { "x.sh": "make -C d -s", "d/Makefile": "all:\n\t@echo SAY" }],
  // A link is followed before `..` leaves what it leads to.
  ["cd l && sh ../x.sh", "approved", { "d/e/k": "", "d/x.sh": SH, l: "-> d/e" }],
  ["sh l/../x.sh", "approved", { "d/e/k": "", "d/x.sh": SH, l: "-> d/e" }],
  ["env -C l/.. sh x.sh", "listed", { "d/e/k": "", "d/x.sh": SH, l: "-> d/e" }],
  ["sh x.sh", "listed", { "x.sh": "cd l && sh ../y.sh", "d/e/k": "", "d/y.sh": SH, l: "-> d/e" }],
  // What a line that is not in a script is listed for.
  ["sh x.sh", "listed", { "x.sh": "xargs -I% sh -c % < y", y: SH }],
  ["sh x.sh", "listed", { "x.sh": "cat y | xargs -I% sh -c %", y: SH }],
  ["sh x.sh", "listed", { "x.sh": "awk '{system($0)}' y", y: SH }],
  ["sh x.sh", "listed", { "x.sh": "sed e y", y: SH }],
  ["sh x.sh", "listed", { "x.sh": 'node -e "$(cat y)"', y: JS }],
  // Files that are not there before the script makes them.
  ["sh x.sh", "listed", { "x.sh": "cp y z; sh z", y: SH }],
  ["sh x.sh", "listed", { "x.sh": "cat y > z; chmod +x z; ./z", y: RUN }],
  ["sh x.sh", "listed", { "x.sh": "ln -sf y z; . ./z", y: SH }],
  [
    "python3 x.py",
    "listed",
    { "x.py": 'import site; site.addsitedir("l"); import y', "l/y.py": PY },
  ],
  // Options whose value stands before the script.
  ["node --disable-warning ExperimentalWarning x.mjs", "approved", MJS],
  ["node --inspect-port 0 x.mjs", "approved", MJS],
  ["node --unhandled-rejections strict x.mjs", "approved", MJS],
  ["node --dns-result-order ipv4first x.mjs", "approved", MJS],
  ["node --report-dir d x.mjs", "approved", { ...MJS, "d/k": "" }],
  ["node -e 0 -r ./x.cjs", "approved", { "x.cjs": JS }],
  ["node -p 1 --import ./x.mjs", "approved", MJS],
  ["node --import file:$PWD/x.mjs -e 0", "approved", MJS],
  [
    "node --experimental-config-file=c.json -e 0 2>/dev/null",
    "listed",
    { "c.json": CONFIG, "p.mjs": JS },
  ],
  [
    "node --experimental-default-config-file -e 0 2>/dev/null",
    "listed",
    { "node.config.json": CONFIG, "p.mjs": JS },
  ],
  ["perl -e 1 -I. -MM", "listed", { "M.pm": PM }],
  ["bash --rcfile x.sh -i -c : 2>/dev/null", "approved", X],
  ["bash --init-file x.sh -i 2>/dev/null <<<:", "approved", X],
  ["git --exec-path=./g x", "listed", { "g/git-x": RUN }],
  ["sh ~+/x.sh", "listed", X],
  ["PYTHONBREAKPOINT=x.f python3 -c 'breakpoint()'", "listed", { "x.py": `def f():\n  ${PY}` }],
  // Lines that are put together when they run.
  ["python3 -c \"__import__('x')\"", "listed", { "x.py": PY }],
  ["echo 'sh x.sh' | awk '{system($0)}'", "listed", X],
  ["awk -v c='sh x.sh' 'BEGIN { c | getline l; print l }'", "listed", X],
  ["sed 's/^/ /e' x.sh", "listed", X],
  ["xargs -a cmds -I% sh -c %", "listed", { cmds: SH }],
  ["[[ -v 'a[$(sh x.sh >&2)]' ]] 2>&1; true", "listed", X],
  ["python3 x.py", "listed", { "x.py": "from os import system as s\ns('sh y.sh')", "y.sh": SH }],
  // Names of scripts that stand in a file, and programs that get theirs from there.
  ["xargs sh < n", "listed", { ...X, n: "x.sh\n" }],
  ["xargs env sh < n", "listed", { ...X, n: "x.sh\n" }],
  ["xargs nice < n", "listed", { x: RUN, n: "./x\n" }],
  ["xargs awk -f < n", "listed", { "x.awk": 'BEGIN{print "SAY"}', n: "x.awk\n" }],
  // Code in the line that looks for its files itself.
  ["node -e 'require(\"./x\")'", "listed", { "x.js": JS }],
  ["node -p 'require(process.cwd()+\"/x\")'", "listed", { "x.js": JS }],
  ["node -e 'const r = require; r(\"./d\")'", "listed", { "d/index.js": JS }],
  ["node <<< 'require(\"dep\")'", "listed", { "node_modules/dep/index.js": JS }],
  ["jq -nr 'include \"m\"; f' -L d", "listed", { "d/m.jq": 'def f: "SAY";' }],
  ['jq -nr \'include "m" {search:"./d"}; f\'', "listed", { "d/m.jq": 'def f: "SAY";' }],
  ["perl -e 'use lib \"d\"; use M'", "listed", { "d/M.pm": PM }],
  // Imports: these did not find their files in the copy.
  [
    "python3 x.py",
    "approved",
    { "x.py": "from y import (  # why\n  a,\n)\n", "y/__init__.py": "", "y/a.py": PY },
  ],
  [
    "python3 x.py",
    "approved",
    { "x.py": "from y import \\\n  a\n", "y/__init__.py": "", "y/a.py": PY },
  ],
  [
    "python3 t/x.py",
    "approved",
    { "t/x.py": "from y import *", "t/y/__init__.py": "__all__=['a']", "t/y/a.py": PY },
  ],
  ["node x.mjs", "approved", { "x.mjs": 'import(/* c */ "./y.mjs")', "y.mjs": JS }],
  [
    "node x.cjs",
    "approved",
    { "x.cjs": 'require("./y")', "y/package.json": '{"main":"z.js"}', "y/z.js": JS },
  ],
  // Files that the line itself makes, or puts where it runs them, and takes away again.
  ["ln -s d e; sh e/x.sh; rm e", "listed", { "d/x.sh": SH }],
  ["mv y w; sh w; mv w y", "listed", { y: SH }],
  [["sh", "-c", "cp y z; sh z; rm z"], "listed", { y: SH }],
  ["sh x.sh", "listed", { "x.sh": "ln -s d e; sh e/y.sh; rm e", "d/y.sh": SH }],
  // What code starts: in another folder, and by programs that read their work from the project.
  ...[
    `process.chdir('d');${EXEC}('sh y.sh',{stdio:'inherit'})`,
    `${EXEC}('sh y.sh',{stdio:'inherit',cwd:'d'})`,
    `${EXEC}('sh y.sh',{stdio:'inherit',cwd:process.cwd()+'/d'})`,
    `${EXEC}('cd d && sh y.sh',{stdio:'inherit'})`,
    `${EXEC}('env -C d sh y.sh',{stdio:'inherit'})`,
  ].map((code): EditedForm => ["node t/x.js", "listed", { "t/x.js": code, "d/y.sh": SH }]),
  ...[
    "os.chdir('d'); os.system('sh y.sh')",
    "import subprocess; subprocess.run(['sh','y.sh'],cwd='d')",
    "import subprocess; subprocess.run(['env','-C','d','sh','y.sh'])",
  ].map(
    (code): EditedForm => [
      "python3 t/x.py",
      "listed",
      { "t/x.py": `import os\n${code}`, "d/y.sh": SH },
    ],
  ),
  ["perl t/x.pl", "listed", { "t/x.pl": "chdir 'd'; system 'sh y.sh';", "d/y.sh": SH }],
  ["node t/x.js", "listed", { "t/x.js": `${EXEC}('make -s',{stdio:'inherit'})`, Makefile: MAKE }],
  [
    "node t/x.js",
    "listed",
    { "t/x.js": `${EXEC}('make -sC d',{stdio:'inherit'})`, "d/Makefile": MAKE },
  ],
  [
    "python3 t/x.py",
    "listed",
    { "t/x.py": "import subprocess\nsubprocess.run(['make','-s'])", Makefile: MAKE },
  ],
  ["perl t/x.pl", "listed", { "t/x.pl": "system('make -s')", Makefile: MAKE }],
  ['python3 -c \'import os; os.chdir("d"); os.system("sh y.sh")\'', "listed", { "d/y.sh": SH }],
  [
    'node -e \'child_process.execSync("sh y.sh",{cwd:"d",stdio:"inherit"})\'',
    "listed",
    { "d/y.sh": SH },
  ],
  ['perl -e \'chdir "d"; system "sh y.sh"\'', "listed", { "d/y.sh": SH }],
  ["perl -e 'eval `cat x.pl`'", "listed", { "x.pl": 'print "SAY";' }],
  // Programs of the system by their whole path, and in a script; a variable that names a file.
  ["/usr/bin/sqlite3 :memory: '.read x.sql'", "listed", SQL],
  ["/usr/bin/../bin/sqlite3 :memory: '.read x.sql'", "listed", SQL],
  ["sh x.sh", "listed", { "x.sh": "sqlite3 :memory: '.read x.sql'", ...SQL }],
  ["sh x.sh", "listed", { "x.sh": "/usr/bin/sqlite3 :memory: '.read x.sql'", ...SQL }],
  ["SHELL=./x script -qc ls /dev/null", "listed", { x: RUN }],
  ["sh x.sh", "listed", { "x.sh": "SHELL=./y script -qc ls /dev/null", y: RUN }],
  ["NODE_REPL_EXTERNAL_MODULE=./x.js node -i </dev/null", "listed", { "x.js": JS }],
  ["node x.js", "listed", { "x.js": "process.execve('/bin/sh', ['sh', 'y.sh'])", "y.sh": SH }],
  // A first line that finds its module by name.
  ["./x", "listed", { x: "#!/usr/bin/env -S python3 -m y\n", "y.py": PY }],
  // Code that is evaluated by other words than usual, from a file that it names.
  ...[
    `const e = eval; e(${READ})`,
    `(0, eval)(${READ})`,
    `globalThis["eval"](${READ})`,
    `(() => {}).constructor(${READ})()`,
    `new (class {}.constructor)(${READ})()`,
    `module._compile(${READ}, "y")`,
  ].map((code): EditedForm => ["node x.js", "listed", { "x.js": code, "y.txt": JS }]),
  [
    "node x.js",
    "listed",
    { "x.js": `${EXEC}('sh '+process.cwd()+'/y.sh',{stdio:'inherit'})`, "y.sh": SH },
  ],
  ...[
    "e = exec\ne(open('y.txt').read())",
    "list(map(exec, [open('y.txt').read()]))",
    "import timeit; timeit.timeit(open('y.txt').read(), number=1)",
    "import asyncio\nasync def f():\n  await (await asyncio.create_subprocess_exec('sh', 'y.sh')).wait()\nasyncio.run(f())",
  ].map(
    (code): EditedForm => ["python3 x.py", "listed", { "x.py": code, "y.txt": PY, "y.sh": SH }],
  ),
];

testEditedForms(sampled(FORMS));
