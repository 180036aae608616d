import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { hasPrograms } from "../support/programs.ts";
import { ADJ, type Home, makeHome, run, typeInTerminal } from "./adj.ts";

/** A project with scripts and a prompt, and one agent that can tell its version and run a line. */
function makeProject(): { readonly home: Home; readonly env: NodeJS.ProcessEnv } {
  const home = makeHome();
  home.write({
    "bin/claude": '#!/bin/sh\n[ "$1" = --version ] && { echo 2.1.325; exit; }\nsh -c "$1"\n:\n',
    "project/package.json": '{ "scripts": { "test": "vitest run" } }\n',
    "project/Makefile": ".PHONY: deploy\ndeploy:\n\ttrue\n",
    "project/.claude/commands/review.md": "Look at the change\n",
  });
  chmodSync(join(home.folder, "bin/claude"), 0o755);
  const PATH = `${home.folder}/bin:${dirname(process.execPath)}:/usr/bin:/bin`;
  return { home, env: { ...home.env, PATH } };
}

const planOf = (home: Home): string =>
  [
    `${home.project}: claude-code 2.1.325`,
    "to do:",
    "  import   .claude/commands/review.md as `review`: .adjutant/commands/review.md",
    "  command  `test` for npm run test: vitest run: .adjutant/commands.yaml",
    "  command  `deploy` for make deploy: .adjutant/commands.yaml",
    "  guard    no lost work, no secrets, protected files: .adjutant/hooks.yaml",
    "  schema   for editors: .adjutant/schemas/commands.schema.json",
    "  schema   for editors: .adjutant/schemas/hooks.schema.json",
    "  install  hooks for claude-code: ~/.claude/settings.json",
    "what you do not want stays out by `--without command` and the like",
    "",
  ].join("\n");

const LAST_STEPS = [
  "next: `adj hooks test before_tool --command 'git push --force'` shows what an agent would be told",
  "next: `adj uninstall --all` takes all of this back, but for what you change in it",
  "",
].join("\n");

test("a plan alone writes nothing; with `--yes` it is done, and then there is nothing to do", async () => {
  const { home, env } = makeProject();
  const plan = planOf(home);
  const dry = await home.adjIn({ env }, "init", "--dry-run");
  expect(dry).toEqual({ exitCode: 0, signal: null, stdout: plan, stderr: "" });
  const asked = await home.adjIn({ env }, "init");
  expect(asked).toEqual({
    exitCode: 126,
    signal: null,
    stdout: plan,
    stderr:
      "adj: `init` needs a person's consent and there is nobody to ask; run it in a terminal, or say `--yes`\n",
  });
  expect(existsSync(join(home.project, ".adjutant"))).toBe(false);
  expect(existsSync(join(home.folder, ".claude"))).toBe(false);

  const done = await home.adjIn({ env }, "init", "--yes");
  expect(done).toEqual({
    exitCode: 0,
    signal: null,
    stdout: `${plan}${[
      "wrote .adjutant/commands/review.md",
      "wrote .adjutant/commands.yaml",
      "wrote .adjutant/hooks.yaml",
      "wrote .adjutant/schemas/commands.schema.json",
      "wrote .adjutant/schemas/hooks.schema.json",
      "wrote ~/.claude/settings.json",
      "next: `adj trust`; until then what lies in `.adjutant` does not count",
      "next: `adj test`, and `adj commands` for all of them",
    ].join("\n")}\n${LAST_STEPS}`,
    stderr: "",
  });
  await home.trust();
  const commands = await home.adjIn({ env }, "commands", "--json");
  for (const name of ["review", "test", "deploy"])
    expect(commands.stdout).toContain(`"name":"${name}"`);

  // The guard counts now, so the agent is told to refuse where the hook itself fails.
  const guarded = await home.adjIn({ env }, "init", "--yes");
  expect(guarded.stdout).toContain(
    "to do:\n  install  hooks for claude-code: ~/.claude/settings.json\nwrote ~/.claude/settings.json\n",
  );
  const settings = readFileSync(join(home.folder, ".claude/settings.json"), "utf8");
  const again = await home.adjIn({ env }, "init", "--yes");
  expect(again).toEqual({
    exitCode: 0,
    signal: null,
    stdout: `${home.project}: claude-code 2.1.325\nnothing to do: all is set up\n${LAST_STEPS}`,
    stderr: "",
  });
  expect(readFileSync(join(home.folder, ".claude/settings.json"), "utf8")).toBe(settings);
});

test("below an agent only the plan is shown, `--yes` or not", async () => {
  const { home, env } = makeProject();
  const line = ["init", "init --yes", "--yes init --dry-run", "init --dry-run"]
    .map((words) => `${ADJ} ${words} >/dev/null 2>&1; echo $?`)
    .join("; ");
  const { stdout } = await run(join(home.folder, "bin/claude"), [line], { cwd: home.project, env });
  expect(stdout).toBe("126\n126\n126\n0\n");
  expect(existsSync(join(home.project, ".adjutant"))).toBe(false);
  expect(existsSync(join(home.folder, ".claude"))).toBe(false);
});

const DOWN = "\u001b[B";

test("in a terminal one yes is all, trust included", async () => {
  const { home, env } = makeProject();
  const place = { cwd: home.project, env };
  const typed = await typeInTerminal(`${ADJ} init`, place, [["yes, all of it", ["\r"]]]);
  expect(typed.stdout).toContain(`trusted ${home.project} with 7 files`);
  if (!hasPrograms("make")) return;
  const tried = await home.adjIn({ env }, "deploy");
  expect(tried).toMatchObject({ exitCode: 0, stdout: "true\n" });
});

test("in a terminal a person leaves out what is not wanted, and all is taken back byte for byte", async () => {
  const { home, env } = makeProject();
  // Of the list the import is left out, and `deploy`.
  const { stdout } = await typeInTerminal(`${ADJ} init`, { cwd: home.project, env }, [
    ["let me choose", [DOWN, "\r"]],
    ["what of it?", [" ", DOWN, DOWN, " ", "\r"]],
  ]);
  expect(stdout).toContain("wrote .adjutant/commands.yaml");
  const listed = await home.adjIn({ env }, "commands", "--json");
  expect(listed.stdout).toContain('"name":"test"');
  expect(listed.stdout).not.toMatch(/"name":"(?:review|deploy)"/);

  const undone = await home.adjIn({ env }, "uninstall", "--all", "--yes");
  expect(undone.stdout).toContain("init: removed .adjutant/commands.yaml\n");
  expect(readdirSync(home.project).sort()).toEqual([".claude", "Makefile", "package.json"]);
  expect(existsSync(join(home.folder, ".claude"))).toBe(false);
});
