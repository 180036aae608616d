// A trusted project runs from a copy: whatever goes wrong is told with the files that the person wrote.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

const command = (body: string): string =>
  `import { readFileSync } from "node:fs";\nexport default { description: "d", run: () => {\n  ${body}\n} };\n`;

const FILES = {
  ".adjutant/commands.yaml": `
missing: { description: d, argv: [./no-such-program] }
script: { description: d, argv: [sh, tools/broken.sh] }
line: { description: d, shell: sh, command: node tools/throws.mjs }
python: { description: d, argv: [python3, tools/throws.py] }
`,
  ".adjutant/commands/throws.ts": command("throw new Error(`from $" + "{import.meta.filename}`);"),
  ".adjutant/commands/reads.ts": command('readFileSync(new URL("gone.txt", import.meta.url));'),
  ".adjutant/commands/syntax.ts": "export default {\n  description: 'd'\n  run: 1,\n};\n",
  ".adjutant/commands/imports.ts": 'import "./gone.ts";\nexport default {};\n',
  ".adjutant/commands/loads.ts": "throw new Error(import.meta.url);\n",
  ".adjutant/hooks.yaml": `
hooks:
  - { name: gone, on: before_tool, on_error: skip, run: { argv: [./no-such-guard] } }
  - { name: broken, on: before_tool, on_error: skip, run: { argv: [sh, tools/fails.sh] } }
`,
  "tools/broken.sh": "if\n",
  "tools/fails.sh": "echo $0 >&2; exit 3\n",
  "tools/throws.mjs": "throw new Error('here');\n",
  "tools/throws.py": "raise ValueError(__file__)\n",
};

/** What must be read somewhere: the person's own file, and the line where there is one. */
const CALLS = sampled<readonly [readonly string[], RegExp]>([
  [["missing"], /project\/\.adjutant\/no-such-program|\.adjutant\/no-such-program/],
  [["script"], /tools\/broken\.sh: .*2/],
  [["line"], /tools\/throws\.mjs:1/],
  [["python"], /tools\/throws\.py", line 1/],
  [["throws"], /\.adjutant\/commands\/throws\.ts/],
  [["reads"], /\.adjutant\/commands\/gone\.txt/],
  [["syntax"], /\.adjutant\/commands\/syntax\.ts:3:/],
  [["imports"], /\.adjutant\/commands\/gone\.ts/],
  [["loads"], /\.adjutant\/commands\/loads\.ts/],
  [["--json", "reads"], /\.adjutant\/commands\/gone\.txt/],
  [["--json", "script"], /tools\/broken\.sh: .*2/],
  [["commands"], /syntax/],
  [["hooks", "test", "before_tool", "--command", "ls"], /tools\/fails\.sh/],
  [["hooks", "list"], /hooks\.yaml/],
  [["reload"], /./],
]);

function makeProject(): Home {
  const home = makeHome();
  home.write(
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`project/${path}`, text])),
  );
  chmodSync(join(home.project, "tools/broken.sh"), 0o755);
  return home;
}

test("no message names the copy", async () => {
  const home = makeProject();
  await home.trust();
  const endings = await Promise.all(CALLS.map(([words]) => home.adj(...words)));
  for (const [at, { stdout, stderr }] of endings.entries()) {
    const [words, expected] = CALLS[at] ?? [[], /$./];
    expect([words, stdout + stderr]).toEqual([words, expect.stringMatching(expected)]);
    expect([words, stdout + stderr]).toEqual([words, expect.not.stringContaining("state/trust/")]);
  }
});

test("what a repository is called reaches no terminal as it is", async () => {
  const home = makeHome();
  const name = "x\u001b[2K\u202e.sh";
  home.write({
    "project/.adjutant/commands.yaml": `"a": { description: "d\u001b[31m", argv: [sh, ${JSON.stringify(name)}] }\n`,
    "project/.adjutant/hooks.yaml": `hooks: [{ name: "n\u202ex", on: before_tool, run: { argv: [sh, ${JSON.stringify(name)}] } }]\n`,
    [`project/${name}`]: "echo a\n",
    "project/.adjutant/commands/\u001b]0;t\u0007.ts": "export default 1;\n",
  });
  const calls = sampled([
    ["trust"],
    ["trust", "--diff"],
    ["commands"],
    ["hooks", "list"],
    ["doctor"],
    ["a"],
    ["explain", "a"],
  ]);
  const untrusted = await Promise.all(calls.map((words) => home.adj(...words)));
  await home.trust();
  const trusted = await Promise.all(calls.map((words) => home.adj(...words)));
  for (const [at, { stdout, stderr }] of [...untrusted, ...trusted].entries())
    expect([calls[at % calls.length], stdout + stderr]).toEqual([
      calls[at % calls.length],
      expect.not.stringMatching(/[\p{Cf}]|(?!\n)\p{Cc}/u),
    ]);
  expect(untrusted[0]?.stdout).toContain("x\\u{1b}[2K\\u{202e}.sh");
});

test("a path that is written to, and what was in the file, cannot speak to the terminal either", async () => {
  const home = makeHome();
  const folder = "p\u001b]0;t\u0007\u202eq";
  home.write({
    [`${folder}/.adjutant/.keep`]: "",
    [`${folder}/.gemini/settings.json`]: '{\n  // \u001b[2K\n  "a": 1\n}\n',
  });
  for (const words of [
    ["hooks", "init", "--project"],
    ["config", "set", "--project", "model", "x"],
    ["new", "a", "--argv"],
    ["install", "gemini", "--project", "--dry-run"],
    ["install", "claude-code", "--project"],
    ["uninstall", "claude-code", "--project", "--dry-run"],
    ["uninstall", "claude-code", "--project"],
  ]) {
    const { exitCode, stdout, stderr } = await home.adjIn(
      { cwd: join(home.folder, folder) },
      ...words,
    );
    expect([words, exitCode, stdout + stderr]).toEqual([
      words,
      0,
      expect.not.stringMatching(/[\p{Cf}]|(?!\n)\p{Cc}/u),
    ]);
    expect([words, stdout]).toEqual([words, expect.stringContaining("p\\u{1b}]0;t")]);
  }
});
