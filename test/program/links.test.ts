// A clone whose folders are links into a person's own: no command of the program writes through one.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { summarizeBundled } from "../../src/bundled-summaries.ts";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

const AGENTS = ["claude-code", "codex", "opencode"] as const;
const NATIVE = [
  ".claude",
  ".codex",
  ".gemini",
  ".qwen",
  ".opencode",
  ".github",
  ".copilot",
  ".agents",
];

/** Every file below a folder with its content. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

/** Where all links lead: a person's own files, none of which may change. */
function makePerson(home: Home): string {
  const own = join(home.folder, "own");
  for (const folder of ["adjutant/commands", ...NATIVE.map((name) => `${name}/commands`)])
    mkdirSync(join(own, folder), { recursive: true });
  writeFileSync(join(own, "adjutant/config.yaml"), "model: mine\n");
  writeFileSync(join(own, ".claude/settings.json"), "{}\n");
  writeFileSync(join(own, ".claude/commands/evil.md"), "---\ndescription: e\n---\nevil\n");
  return own;
}

const LAYER_WRITERS = [
  ["new", "a", "--ts"],
  ["new", "b", "--argv"],
  ["new", "c", "--md"],
  ["config", "set", "--project", "model", "x"],
  ["hooks", "init", "--project"],
  ["import", "claude-code"],
  ["init", "--yes"],
  ["bench", "import", "case.yaml", ".adjutant/suites/s"],
] as const;

const CASE = `name: n
description: d
repo: https://127.0.0.1/r.git
agent: { type: claude-code, config: { prompt: p } }
evaluators: [{ name: git-diff }]
`;

describe.each([
  [
    "`.adjutant` is a link",
    (home: Home, own: string) =>
      symlinkSync(join(own, "adjutant"), join(home.project, ".adjutant")),
  ],
  [
    "a folder in `.adjutant` is a link",
    (home: Home, own: string) => {
      mkdirSync(join(home.project, ".adjutant"));
      for (const name of ["commands", "suites"])
        symlinkSync(join(own, "adjutant/commands"), join(home.project, ".adjutant", name));
      for (const name of ["config.yaml", "hooks.yaml", "commands.yaml"])
        symlinkSync(join(own, "adjutant/config.yaml"), join(home.project, ".adjutant", name));
    },
  ],
])("%s", (_, prepare) => {
  test("and no command that writes there writes", async () => {
    const home = makeHome();
    const own = makePerson(home);
    home.write({
      "project/case.yaml": CASE,
      "project/.claude/commands/p.md": "---\ndescription: p\n---\nhi\n",
    });
    prepare(home, own);
    const before = contentOf(own);
    const calls = sampled(LAYER_WRITERS);
    const endings = await Promise.all(calls.map((words) => home.adj(...words)));
    for (const [at, { exitCode, stderr }] of endings.entries())
      expect([calls[at], exitCode, stderr]).toEqual([
        calls[at],
        126,
        expect.stringMatching(/is not written: .*is a link; put a folder or a file/),
      ]);
    expect(contentOf(own)).toEqual(before);
  });
});

test("the folders of agents are links, and neither `install`, `uninstall` nor `sync` writes there", async () => {
  const home = makeHome();
  const own = makePerson(home);
  home.write({ "project/.adjutant/commands/p.md": "---\ndescription: p\n---\nhi\n" });
  for (const name of NATIVE) symlinkSync(join(own, name), join(home.project, name));
  await home.trust();
  const before = contentOf(own);
  const calls = sampled([
    ...AGENTS.map((agent) => ["install", agent, "--project"]),
    ["uninstall", "claude-code", "--project"],
    ...AGENTS.map((agent) => ["sync", agent, "--project"]),
  ]);
  const endings = await Promise.all(calls.map((words) => home.adj(...words)));
  const wrote = endings.flatMap(({ exitCode, stdout, stderr }, at) => {
    const isRefused = exitCode === 126 && /is not written: .*is a link/.test(stderr);
    // Some have no file of a project's for it, which they say.
    return isRefused || exitCode === 2 ? [] : [[calls[at], exitCode, stdout, stderr]];
  });
  expect(wrote).toEqual([]);
  expect(contentOf(own)).toEqual(before);
  expect(readdirSync(home.project).sort()).toEqual([".adjutant", ...NATIVE].sort());
});

test("nor does it write to a file that a person names, where that is a link of the project", async () => {
  const home = makeHome();
  const own = makePerson(home);
  const before = contentOf(own);
  symlinkSync(join(own, "adjutant/commands/new.md"), join(home.project, "report.md"));
  symlinkSync(join(own, "adjutant/commands"), join(home.project, "reports"));
  const words = ["agent", "run", "command", "--prompt", "hi", '--set=argv=["cat"]'];
  for (const file of ["report.md", "reports/new.md"])
    for (const flag of ["--otel", "--record"])
      expect(await home.adj(...words, `${flag}=${file}`)).toMatchObject({
        exitCode: 126,
        stderr: expect.stringMatching(/is not written: .*is a link/),
      });
  expect(contentOf(own)).toEqual(before);
});

test("a link as `.adjutant` is not trusted, and what it leads to does not count", async () => {
  const home = makeHome();
  home.write({ "elsewhere/commands.yaml": "x: { description: X, argv: [echo, ran] }\n" });
  symlinkSync(join(home.folder, "elsewhere"), join(home.project, ".adjutant"));
  expect(await home.adj("trust")).toMatchObject({
    exitCode: 126,
    stderr: expect.stringContaining("`.adjutant` is a link, not a folder"),
  });
  expect((await home.adj("x")).stdout).toBe("");
});

test("every bundled command that may write is one of these, or writes to no project", async () => {
  const shown = new Set<string>([
    ...LAYER_WRITERS.map(([name]) => name),
    "install",
    "uninstall",
    "sync",
  ]);
  const elsewhere = new Set(
    // The state folder, a person's own layer, or a file whose path the person gave.
    "acp agent approve answer console forget log mode model params provider prune questions reload resident resume save send serve sessions sim trust workflow worker tour doctor run hook mcp completion env tools commands help explain".split(
      " ",
    ),
  );
  const unknown = (await summarizeBundled())
    .filter(({ safety, name }) => safety !== "read_only" && !shown.has(name))
    .map(({ name }) => name)
    .filter((name) => !elsewhere.has(name));
  expect(unknown).toEqual([]);
});
