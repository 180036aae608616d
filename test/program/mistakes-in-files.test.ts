// Mistakes that people make in files. Each gets one line that says what, in which file and where in it, and what to do next, nothing
// on stdout, and an exit code that a script can go by.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quoteNames } from "../../src/core/command/names.ts";
import { builtinNames } from "../../src/hooks/builtins/builtins.ts";
import { ADAPTERS } from "../support/agents.ts";
import { sampled } from "../support/tier.ts";
import { makeHome } from "./adj.ts";

type Mistake = readonly [
  what: string,
  files: Readonly<Record<string, string>>,
  line: string,
  words?: readonly string[],
  exitCode?: number,
];

const yaml = (text: string) => ({ "config/commands.yaml": text });
const keys = (more: string) => yaml(`a:\n  description: d\n  argv: [ls]\n  ${more}\n`);
const markdown = (front: string, body = "hi\n") => ({
  "config/commands/a.md": `---\ndescription: d\n${front}\n---\n${body}`,
});
const typed = (text: string) => ({ "config/commands/a.ts": text });
const script = (text: string) => ({
  "config/x.sh": text,
  ...yaml("a: { description: d, argv: [./x.sh] }\n"),
});
const settings = (text: string) => ({ "config/config.yaml": text });
const hooks = (rule: string) => ({ "config/hooks.yaml": `hooks:\n  - name: a\n${rule}\n` });
const suite = (more: string, files: Readonly<Record<string, string>> = {}) => ({
  ...files,
  "project/s.yaml": `name: s\nagents: [{ id: a, agent: command, config: { argv: [echo] } }]\n${more}\n`,
});
const ONE_CASE = "cases: [{ id: one, prompt: go, evaluators: [{ contains: x }] }]";

const A = "`a` could not be loaded: ";
const YAML = `${A}HOME/config/commands.yaml`;
const MD = `${A}HOME/config/commands/a.md`;
const TS = `${A}HOME/config/commands/a.ts`;
const VALIDATE = ["bench", "validate", "s.yaml"];
const LIST = ["hooks", "list"];

// biome-ignore format: a table, one line each
const MISTAKES: readonly Mistake[] = [
  ["tabs in YAML", yaml("a:\n\tdescription: d\n"), `${YAML}:2:1: not YAML: tabs are not allowed as indentation`],
  ["a name twice", yaml("a: { description: d, argv: [ls] }\na: { description: d, argv: [ls] }\n"), `${YAML}:2:1: the key \`a\` is there twice`],
  ["a misspelt key", yaml("a:\n  descripton: d\n  argv: [ls]\n"), `${YAML}:2:3: unknown key \`descripton\`; did you mean \`description\`?`],
  ["a line instead of a list", yaml("a:\n  description: d\n  argv: npm test\n"), `${YAML}:3:9: \`argv\` must be a list`],
  ["a line alone", yaml("a: npm test\n"), `${YAML}:1:4: \`a\` must be a map`],
  ["numbers in a list of words", yaml("a:\n  description: d\n  argv: [sleep, 5]\n"), `${YAML}:3:17: entry 2 of \`argv\` must be text`],
  ["a duration in words", keys("timeout: 5 minutes"), `${YAML}:4:12: \`timeout\` must be a duration such as \`30s\` or \`10m\``],
  ["a value spelt otherwise", keys("safety: read-only"), `${YAML}:4:11: \`safety\` must be one of \`read_only\`, \`mutating\`, \`destructive\``],
  ["the other ending", { "config/commands.yml": "a:\n  description: d\n" }, `${A}HOME/config/commands.yml: it is not read: the file is called \`commands.yaml\`; rename it`],
  ["a script among the commands", { "config/commands/a.sh": "echo" }, `${A}HOME/config/commands/a.sh: it is not read: the name of a command's file ends in \`.ts\`, \`.js\`, \`.mjs\`, \`.md\`; \`adj new a --argv -- PROGRAM\` makes a command of a program`],
  ["a folder among the commands", { "config/commands/a/b.md": "hi" }, `${A}HOME/config/commands/a: it is a folder, and a command is a file`],
  ["a letter that no name has", yaml("über: { description: d, argv: [ls] }\n"), "`über` could not be loaded: HOME/config/commands.yaml:1:1: `über` is not a command name: small letters, digits and dashes, beginning with a letter, at most 64", ["über"]],
  ["a program that is not installed", yaml("a: { description: d, argv: [no-such] }\n"), "`no-such` could not be started: there is no such program on PATH; it is named in `HOME/config/commands.yaml`", ["a"], 127],
  ["a script that is not there", yaml("a: { description: d, argv: [./x.sh] }\n"), "`HOME/config/x.sh` could not be started: there is no such file; it is named in `HOME/config/commands.yaml`", ["a"], 127],
  ["a script that may not be run", script("#!/bin/sh\n"), "`HOME/config/x.sh` could not be started: it is not an executable file; it is named in `HOME/config/commands.yaml`", ["a"], 126],
  ["a script saved on Windows", script("#!/bin/sh\r\necho\r\n"), "`HOME/config/x.sh` could not be started: its first line ends as on Windows; save it with Unix line endings; it is named in `HOME/config/commands.yaml`", ["a"], 127],
  ["a script with an interpreter of another machine", script("#!/opt/no/python\n"), "`HOME/config/x.sh` could not be started: its interpreter `/opt/no/python` cannot be run; it is named in `HOME/config/commands.yaml`", ["a"], 127],
  // TypeScript.
  ["an empty file", typed(""), `${TS}: it exports nothing by default; write \`export default defineCommand({ … })\``],
  ["an enum", typed("enum A { B }\n"), `${TS}:1:1: syntax error: TypeScript enum is not supported in strip-only mode`],
  ["a package that is not installed", typed('\nimport ms from "ms/x";\n'), `${TS}:2:16: the package \`ms\` is not installed; install it: \`npm install --prefix HOME/config ms\``],
  ["a file that is not there", typed('import "./b.ts";\n'), `${TS}:1:8: there is no \`HOME/config/commands/b.ts\``],
  ["a name that the library does not have", typed('import { defineComand } from "adjutant";\n'), `${TS}:1:10: syntax error: The requested module 'adjutant' does not provide an export named 'defineComand'`],
  ["no `run`", typed('export default { description: "d" };\n'), `${TS}: \`run\` must be a function`],
  ["a bare text returned", typed('export default { description: "d", run: () => "hi" };\n'), "`a` returned an invalid result: it is not an object; build it with `ok(…)` or `fail(…)`", ["a"], 1],
  // Prompts.
  ["front matter that does not end", { "config/commands/a.md": "---\ndescription: d\nhi\n" }, `${MD}:1:1: the front matter does not end: a second line \`---\` is missing`],
  ["an unknown agent", markdown("agent: claud"), "HOME/config/commands/a.md:3:8: unknown agent `claud`; did you mean `claude-code`? list all with `adj agent list`"],
  ["a template that is cut off", markdown("agent: replay", "{% if x %}\n"), `${MD}:5:1: \`{% if %}\` is not closed; close it with \`{% endif %}\`, outside of code, where tags are text`],
  ["no prompt", markdown("agent: replay", ""), "HOME/config/commands/a.md: the prompt is empty; write it below the front matter"],
  ["a number for a duration", markdown("timeout: 5"), `${MD}:3:10: \`timeout\` must be a duration such as \`30s\` or \`10m\``],
  ["a list for a map", markdown("inputs: [x]"), `${MD}:3:9: \`inputs\` must be a map`],
  ["an import that is not there", markdown("agent: replay", "see @./no.txt\n"), "HOME/config/commands/a.md:5:5: `@./no.txt` cannot be read: it does not exist; paths are relative to `HOME/config/commands`; for text that is no import write `\\@`"],
  // Settings.
  ["an unknown setting", settings("modell: opus\n"), "HOME/config/config.yaml:1:1: unknown key `modell`; did you mean `model` or `mode`?", ["model"]],
  ["a list for a name", settings("model: [a]\n"), "HOME/config/config.yaml:1:8: `model` must be text", ["model"]],
  ["a quote that is open", settings('model: "a\n'), 'HOME/config/config.yaml:2:1: not YAML: missing closing "quote', ["model"]],
  ["an agent misspelt", settings("# mine\nagent: claud\n"), "HOME/config/config.yaml:2:8: unknown agent `claud`; did you mean `claude-code`?", ["send", "hi"]],
  ["a path for an agent that there is none of", settings("agents: { vim: { path: vi } }\n"), `HOME/config/config.yaml:1:11: unknown agent \`vim\`; known are ${quoteNames(ADAPTERS.map(({ name }) => name))}`, ["agent", "list"]],
  ["a folder for a file", { "config/config.yaml/x": "" }, "HOME/config/config.yaml: it cannot be read: it is a folder", ["model"]],
  ["a setting that there is none of", {}, "`modell`: no such setting; did you mean `model`? known are `adjutant`, `agent`, `model`, `params`, `plugins`, `requires_plugins`, `prefix`, `agents`, `mode`, `allow`, `inbox`, `commands`, `import_hosts`", ["config", "set", "modell", "x"]],
  // Suites, scenarios, workflows.
  ["an empty suite", { "project/s.yaml": "" }, "s.yaml:1:1: the file must be a map", VALIDATE],
  ["a folder without a suite", {}, "HOME/project: the suite cannot be read: there is no `suite.yaml` in this folder", ["bench", "."]],
  ["an evaluator misspelt", suite("cases: [{ id: one, prompt: go, evaluators: [{ contain: x }] }]"), "s.yaml:3:47: unknown evaluator `contain`; did you mean `contains`?", VALIDATE],
  ["no worker at all", suite(`${ONE_CASE}\nlimits: { concurrency: 0 }`), "s.yaml:4:24: `concurrency` must be a whole number from 1 to 1000", VALIDATE],
  ["a line that is not JSON", suite("cases: [{ from: c.jsonl, prompt: x }]", { "project/c.jsonl": '{"q":1}\n{q}\n' }), "s.yaml:3:17: c.jsonl:2: not JSON: Expected property name or '}' in JSON at position 1", VALIDATE],
  ["a case twice", suite("cases: [{ id: a, prompt: go }, { id: a, prompt: go }]"), "s.yaml:3:38: case `a` is there twice", VALIDATE],
  ["a server that is not installed", {}, "`no-such` could not be started: there is no such program on PATH", ["mcp", "wrap", "--", "no-such"], 127],
  ["a switch with a value", {}, "`model`: `--yes` takes no value; see `adj help model`", ["model", "--yes=no"]],
  ["a workflow that there is none of", {}, "`nothing`: there is no workflow of that name; list all with `adj workflow list`", ["workflow", "run", "nothing"]],
  ["a workflow's key misspelt", { "config/workflows/w.yaml": "descripton: d\nstages: {}\n" }, "HOME/config/workflows/w.yaml:1:1: unknown key `descripton`; did you mean `description`?", ["workflow", "run", "w"]],
  ["a workflow's script cut off", { "config/workflows/w.js": "export const meta = {" }, "HOME/config/workflows/w.js:1:22: not a script: unexpected token", ["workflow", "run", "w"]],
];

async function make(files: Readonly<Record<string, string>>, words: readonly string[]) {
  const home = makeHome();
  home.write(files);
  // Node alone, so that no agent of this machine is found.
  mkdirSync(join(home.folder, "bin"));
  symlinkSync(process.execPath, join(home.folder, "bin", "node"));
  const saved = join(home.configDir, "x.sh");
  if (existsSync(saved)) chmodSync(saved, files["config/x.sh"]?.length === 10 ? 0o644 : 0o755);
  const path = join(home.folder, "bin");
  const env = { ...home.env, PATH: path, ADJ_HOST: "off", ADJ_RESIDENT: "off" };
  const { stdout, stderr, exitCode } = await home.adjIn({ env }, ...words);
  const show = (text: string) => text.replaceAll(home.folder, "HOME");
  return { stdout: show(stdout), stderr: show(stderr), exitCode };
}

describe("a mistake in a file gets one line with what, where and what next", () => {
  const rows = sampled<Mistake>(MISTAKES).map(([what, ...mistake]) => ({ what, mistake }));
  test.each(rows)("$what", async ({ mistake: [files, line, words = ["a"], exitCode = 2] }) => {
    expect(await make(files, words)).toEqual({ stdout: "", stderr: `adj: ${line}\n`, exitCode });
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["a step by another's name", hooks("    on: PreToolUse\n    run: { builtin: git }"), ":3:9: unknown step `PreToolUse`; did you mean `before_tool`? no"],
    ["an unknown builtin", hooks("    on: before_tool\n    run: { builtin: gti }"), `:4:12: unknown builtin \`gti\`; did you mean \`git\`? known are ${quoteNames(builtinNames())}; no`],
    ["milliseconds", hooks("    on: before_tool\n    timeout: 5000\n    run: { builtin: git }"), ":4:14: `timeout` must be a duration such as `250ms`, `5s` or `10m`; no"],
    ["a line for a map", hooks("    on: before_tool\n    run: ./x.sh"), ":4:10: `run` must be a map; no"],
  ]))("of hooks: %s", async (_, files, line) => {
    const { stdout, exitCode } = await make(files, LIST);
    const broken = `broken: HOME/config/hooks.yaml${line} agent's tool runs until it is repaired`;
    expect({ last: stdout.trimEnd().split("\n").at(-1), exitCode }).toEqual({ last: broken, exitCode: 2 });
  });

  // biome-ignore format: a table, one line each
  test.each(sampled([
    ["a percentage", "`bench`: `--fail-if pass_rate < 80`, column 13: `pass_rate` is from 0 to 1: `0.8` or `80 %`;", ["bench", "s.yaml", "--fail-if", "pass_rate < 80"]],
    ["a prompt's file that is not there", "agent `replay` failed: `prompt_file`: `no.txt` cannot be read: it does not exist; see `adj agent log ", ["agent", "run", "replay", "--prompt-file", "no.txt"]],
  ]))("%s, in a line that goes on", async (_, line, words) => {
    const { stderr, exitCode } = await make(suite(ONE_CASE), words);
    expect({ begins: stderr.startsWith(`adj: ${line}`), lines: stderr.split("\n").length, exitCode }).toEqual({ begins: true, lines: 2, exitCode: 2 });
  });

  test("a rule for an agent that there is none of says which was meant", async () => {
    const rule = "    on: before_tool\n    match: { agent: claud }\n    run: { builtin: git }";
    const { stdout } = await make(hooks(rule), LIST);
    expect(stdout).toContain("no agent is called `claud`; did you mean `claude-code`?\n");
  });

  test.each(
    sampled([
      ["config/config.yaml", "model", 2],
      ["config/commands/a.md", "a", 2],
      ["config/commands.yaml", "a", 2],
    ]),
  )("%s in UTF-16 is told as such", async (path, word, code) => {
    const home = makeHome();
    home.write({ [path]: "" });
    writeFileSync(join(home.folder, path), Buffer.from("\ufeffa: { b: c }\n", "utf16le"));
    const { stderr, exitCode } = await home.adj(word);
    const file = join(home.folder, path);
    expect(stderr).toContain(`${file}: it cannot be read: it is UTF-16; save it as UTF-8\n`);
    expect(exitCode).toBe(code);
  });

  test.each(
    sampled([
      ["config/config.yaml", "adjutant: 1\nmodel: caf", "model"],
      ["config/hooks.yaml", "adjutant: 1\nhooks: [{ name: caf", "hooks"],
      ["config/commands.yaml", "x: {}\na: { description: caf", "a"],
    ]),
  )("%s in Latin-1 is told as such, where it begins", async (path, text, word) => {
    const home = makeHome();
    home.write({ [path]: "" });
    writeFileSync(join(home.folder, path), Buffer.from(`${text}\u00e9 }\n`, "latin1"));
    const { stdout, stderr, exitCode } = await home.adj(word);
    const column = text.length - text.indexOf("\n");
    const problem = `:2:${column}: not UTF-8 from here on; save it as UTF-8`;
    expect(`${stdout}${stderr}`).toContain(`${join(home.folder, path)}${problem}`);
    expect(exitCode).toBe(2);
  });

  test("files of Windows are read: line ends, and the mark at the beginning", async () => {
    const files = {
      "config/commands/a.md": "\ufeff---\r\ndescription: d\r\nagent: replay\r\n---\r\nhi\r\n",
    };
    expect(await make(files, ["a"])).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
