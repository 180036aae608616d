import { describe, expect, test } from "vitest";
import { GUARD, hooks, programWith } from "./hooks-asking.ts";
import { openHooksProgram } from "./hooks-program.ts";

describe("hooks explain", () => {
  test("takes a line apart and says of every rule why or why not", async () => {
    const opened = programWith(`${GUARD}  - name: no-env
    on: before_tool
    match: { path: .env }
    run: { argv: [./no-env] }
  - { name: idle, on: before_tool, enabled: false, run: { argv: [x] } }
  - { name: later, on: after_tool, run: { argv: [x] } }
`);
    const line = "cd x && timeout 5 git push --force; ls > out; ./tool";
    const { lines, facts } = await hooks(opened, "explain", "--command", line);
    const where = (at: number) => `user, ${opened.configDir}/hooks.yaml:${at}`;
    expect(lines).toEqual([
      "before_tool of claude-code: Bash",
      "kind: shell",
      "safety: destructive; as its most dangerous command",
      "  COMMAND                     SAFETY       BECAUSE",
      "  cd x                        read_only    `cd` with these words",
      "  timeout 5 git push --force  read_only    `timeout` with these words",
      "  git push --force            destructive  by git's own words",
      "  ls                          mutating     it writes `out`",
      "  ./tool                      mutating     `./tool` is named by its path",
      "  tool                        mutating     `tool` is unknown",
      `yes  no-force (${where(2)}): kind \`shell\` is \`shell\`; command \`git push --force\` matches \`git push*--force*\`; runs builtin deny`,
      `no   no-env (${where(6)}): the step has no path`,
      `off  idle (${where(10)}): it has no conditions`,
    ]);
    expect(facts).toMatchObject({ kind: "shell", safety: "destructive", problem: null });
  });

  // biome-ignore format: one case a line
  const CASES: readonly (readonly [readonly string[], string, string])[] = [
    [["--tool", "Read", "--path", "a"], "read", "safety: read_only; `read` always counts as this"],
    [["--path", "a", "--agent", "codex"], "edit", "safety: mutating; `edit` always counts as this"],
    [["--tool", "WebFetch", "--args", '{"url":"https://example.org"}'], "fetch", "safety: network; `fetch` always counts as this"],
    [["--command", "$X y"], "shell", "safety: destructive; only the shell knows what `$X` runs"],
    [["--command", "if"], "shell", "safety: destructive; the line cannot be read whole: "],
    [["--command", "PATH=/x ls"], "shell", "it sets `PATH`"],
  ];
  test.each(CASES)("%j is of kind %s: %s", async (words, kind, told) => {
    const { text } = await hooks(openHooksProgram(), "explain", ...words);
    expect(text).toContain(`\nkind: ${kind}\n`);
    expect(text).toContain(told);
  });

  test("a rule on our own commands is tried on their line", async () => {
    const opened = programWith(
      "  - { name: no-prod, on: before_command, match: { command: deploy prod* }, run: { argv: [x] } }\n",
    );
    const told = async (line: string) =>
      (await hooks(opened, "explain", "before_command", "--command", line)).text;
    expect(await told("deploy prod --fast")).toMatch(/^yes {2}no-prod/m);
    expect(await told("deploy stage")).toMatch(/^no {3}no-prod/m);
  });
});

test("hooks builtins names each with what it does, its options and its steps", async () => {
  const { lines, facts } = await hooks(openHooksProgram(), "builtins");
  expect(lines.filter((line) => /^ {2}\S/.test(line))).toHaveLength(facts.builtins.length);
  const at = lines.findIndex((line) => line.startsWith("  git "));
  expect(lines.slice(at, at + 3).map((line) => line.trim())).toEqual([
    expect.stringMatching(/lose work/),
    "with forbid, protected_branches, action, unsure, reason",
    "at before_tool, before_permission, before_command",
  ]);
});
