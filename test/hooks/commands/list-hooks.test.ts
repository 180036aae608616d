import { describe, expect, test } from "vitest";
import { approveProject } from "../../../src/core/project/trust/approval.ts";
import { textOf } from "../../support/program-of-commands.ts";
import { markRepository, writeFiles } from "../../support/temporary-folder.ts";
import { GUARD, hooks, programWith } from "./hooks-asking.ts";
import { openHooksProgram } from "./hooks-program.ts";

describe("hooks list", () => {
  test("shows each step's pipeline as it runs: project first, with place, condition and error rule", async () => {
    const opened = programWith(GUARD);
    markRepository(opened.root);
    writeFiles(opened.root, {
      ".adjutant/hooks.yaml": `hooks:
  - { name: look, on: [before_tool, after_tool], async: true, run: { argv: [./look, now] } }
`,
      ".adjutant/look": "#!/bin/sh\n",
    });
    await approveProject(opened.root, opened.stateDir);
    const { lines, facts, exitCode } = await hooks(opened, "list");
    expect(exitCode).toBe(0);
    expect(lines.slice(0, 4)).toEqual([
      "before_tool",
      "  HOOK      LAYER    WHEN                                   RUNS          ON ERROR  ALSO   WHERE",
      "  look      project  always                                 ./look now    skip      async  .adjutant/hooks.yaml:2",
      `  no-force  user     kind shell, command git push*--force*  builtin deny  block            ${opened.configDir}/hooks.yaml:2`,
    ]);
    expect(facts.steps.map(({ step }: { step: string }) => step)).toEqual([
      "before_tool",
      "after_tool",
    ]);
    const { lines: some } = await hooks(opened, "list", "after_tool");
    expect(some.slice(0, 2).map((line) => line.trim().split(/\s+/)[0])).toEqual([
      "after_tool",
      "HOOK",
    ]);
  });

  test("a hook whose program is not there is named, with what comes of it", async () => {
    const opened = programWith(`  - { name: gone, on: before_tool, run: { argv: [./guard.sh] } }
  - { name: nowhere, on: after_tool, run: { argv: [no-such-program] } }
  - { name: script, on: after_tool, run: { argv: [node, /nowhere/x.mjs] } }
  - { name: off, enabled: false, on: after_tool, run: { argv: [no-such-program] } }
  - { name: fine, on: after_tool, run: { argv: [sh, -c, "true"] } }
`);
    const { facts } = await hooks(opened, "list");
    const at = (line: number) => `${opened.configDir}/hooks.yaml:${line}:5: hook`;
    expect(facts.warnings.slice(0, -1)).toEqual([
      `${at(2)} \`gone\`: \`${opened.configDir}/guard.sh\` was not found, so every step that it is for is refused`,
      `${at(3)} \`nowhere\`: \`no-such-program\` was not found, so it is skipped`,
      `${at(4)} \`script\`: \`/nowhere/x.mjs\` was not found, so it is skipped`,
    ]);
    expect(textOf(await opened.adj("doctor"))).toMatch(
      /fix {3}.*hook `gone`: .*guard\.sh` was not/,
    );
  });

  test("without hooks says how to begin", async () => {
    const { text, exitCode } = await hooks(openHooksProgram());
    expect(text).toBe("no hooks are in force here; `adj hooks init` writes some to begin with");
    expect(exitCode).toBe(0);
  });

  test("does not show the values that a rule hands over", async () => {
    const opened = programWith(`  - name: away
    on: before_tool
    run: { url: "https://example.org/x", headers: { authorization: Bearer abcdef } }
    env: { TOKEN: ghijkl }
`);
    const outcome = await opened.adj("hooks", "list");
    expect(JSON.stringify(outcome)).not.toMatch(/abcdef|ghijkl/);
    expect(JSON.stringify(outcome)).toContain("TOKEN");
  });

  test("a file that cannot be read is told with its place, and the exit code is that of a configuration", async () => {
    const opened = openHooksProgram();
    writeFiles(opened.configDir, { "hooks.yaml": "hooks:\n  - { name: x, on: before_tol }\n" });
    const { text, exitCode } = await hooks(opened, "list");
    expect(exitCode).toBe(2);
    expect(text).toContain(
      `broken: ${opened.configDir}/hooks.yaml:2:20: unknown step \`before_tol\`; did you mean \`before_tool\`? no agent's tool runs until it is repaired`,
    );
  });

  test("warns of a project that is not trusted and of rules that can never match", async () => {
    const opened = programWith(
      "  - { name: odd, on: session_end, match: { kind: shell }, run: { argv: [sh] } }\n",
    );
    writeFiles(opened.root, { ".adjutant/hooks.yaml": `hooks:\n${GUARD}` });
    const { facts } = await hooks(opened, "list");
    expect(facts.warnings.join("\n")).toMatch(/this project is not trusted/);
    expect(facts.warnings.join("\n")).toMatch(/`odd` can never match: `session_end` has no `kind`/);
  });

  const CALLED: readonly (readonly [string, string, readonly string[], RegExp | null])[] = [
    ["nobody is installed", "before_tool", [], /no agent calls these hooks/],
    ["somebody calls it", "before_tool", ["gemini"], null],
    [
      "nobody installed has the event",
      "subagent_start",
      ["gemini"],
      /`r` is never asked at `subagent_start`: it is not installed in `gemini`/,
    ],
    ["another one has it", "subagent_start", ["gemini", "claude-code"], null],
    ["a plugin has it", "after_compact", ["gemini", "opencode"], null],
    ["only our own commands are meant", "before_command", [], null],
  ];
  test.each(CALLED)("rules that are never asked: %s", async (_, step, agents, warning) => {
    const opened = programWith(`  - { name: r, on: ${step}, run: { argv: [sh] } }\n`);
    for (const agent of agents) await opened.adj("install", agent);
    const { facts } = await hooks(opened, "list");
    if (warning === null) expect(facts.warnings).toEqual([]);
    else expect(facts.warnings.join("\n")).toMatch(warning);
  });
});
