import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approve } from "../../src/config/trust-approval.ts";
import { hookAgentNames } from "../../src/hooks/agents/roster.ts";
import { parseHooksFile } from "../../src/hooks/hooks-file.ts";
import { writeFiles } from "../config/temporary-folder.ts";
import { linesOf, textOf } from "./desk.ts";
import { type HooksDesk, openHooksDesk } from "./hooks-desk.ts";

const GUARD = `  - name: no-force
    on: before_tool
    match: { kind: shell, command: "git push*--force*" }
    run: { builtin: deny, with: { reason: never by force } }
`;

function deskWith(rules: string): HooksDesk {
  const desk = openHooksDesk();
  writeFiles(desk.configDir, { "hooks.yaml": `hooks:\n${rules}` });
  return desk;
}

const hooks = async (desk: HooksDesk, ...words: string[]) => {
  const outcome = await desk.adj("hooks", ...words);
  return {
    exitCode: outcome.result.exitCode,
    text: textOf(outcome),
    lines: linesOf(outcome),
    error: outcome.result.errorOutput,
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
    facts: (outcome.result.metadata ?? {}) as any,
  };
};

describe("hooks list", () => {
  test("shows each step's pipeline as it runs: project first, with place, condition and error rule", async () => {
    const desk = deskWith(GUARD);
    mkdirSync(join(desk.root, ".git"));
    writeFiles(desk.root, {
      ".adjutant/hooks.yaml": `hooks:
  - { name: look, on: [before_tool, after_tool], async: true, run: { argv: [./look, now] } }
`,
      ".adjutant/look": "#!/bin/sh\n",
    });
    await approve(desk.root, desk.stateDir);
    const { lines, facts, exitCode } = await hooks(desk, "list");
    expect(exitCode).toBe(0);
    expect(lines.slice(0, 4)).toEqual([
      "before_tool",
      "  HOOK      LAYER    WHEN                                   RUNS          ON ERROR  ALSO   WHERE",
      "  look      project  always                                 ./look now    skip      async  .adjutant/hooks.yaml:2",
      `  no-force  user     kind shell, command git push*--force*  builtin deny  block            ${desk.configDir}/hooks.yaml:2`,
    ]);
    expect(facts.steps.map(({ step }: { step: string }) => step)).toEqual([
      "before_tool",
      "after_tool",
    ]);
    const { lines: some } = await hooks(desk, "list", "after_tool");
    expect(some.slice(0, 2).map((line) => line.trim().split(/\s+/)[0])).toEqual([
      "after_tool",
      "HOOK",
    ]);
  });

  test("without hooks says how to begin", async () => {
    const { text, exitCode } = await hooks(openHooksDesk());
    expect(text).toBe("no hooks are in force here; `adj hooks init` writes some to begin with");
    expect(exitCode).toBe(0);
  });

  test("does not show the values that a rule hands over", async () => {
    const desk = deskWith(`  - name: away
    on: before_tool
    run: { url: "https://example.org/x", headers: { authorization: Bearer abcdef } }
    env: { TOKEN: ghijkl }
`);
    const outcome = await desk.adj("hooks", "list");
    expect(JSON.stringify(outcome)).not.toMatch(/abcdef|ghijkl/);
    expect(JSON.stringify(outcome)).toContain("TOKEN");
  });

  test("a file that cannot be read is told with its place, and the exit code is that of a configuration", async () => {
    const desk = openHooksDesk();
    writeFiles(desk.configDir, { "hooks.yaml": "hooks:\n  - { name: x, on: before_tol }\n" });
    const { text, exitCode } = await hooks(desk, "list");
    expect(exitCode).toBe(2);
    expect(text).toContain(
      `broken: ${desk.configDir}/hooks.yaml:2:20: unknown step \`before_tol\`; did you mean \`before_tool\`?; no agent's tool runs until it is repaired`,
    );
  });

  test("warns of a project that is not trusted and of rules that can never match", async () => {
    const desk = deskWith(
      "  - { name: odd, on: session_end, match: { kind: shell }, run: { argv: [x] } }\n",
    );
    writeFiles(desk.root, { ".adjutant/hooks.yaml": `hooks:\n${GUARD}` });
    const { facts } = await hooks(desk, "list");
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
    const desk = deskWith(`  - { name: r, on: ${step}, run: { argv: [x] } }\n`);
    for (const agent of agents) await desk.adj("install", agent);
    const { facts } = await hooks(desk, "list");
    if (warning === null) expect(facts.warnings).toEqual([]);
    else expect(facts.warnings.join("\n")).toMatch(warning);
  });
});

describe("hooks test", () => {
  test.each(hookAgentNames())(
    "a veto in %s: the handler, the reason, the native answer, 126",
    async (agent) => {
      const desk = deskWith(GUARD);
      const { text, exitCode, facts } = await hooks(
        desk,
        ...["test", "before_tool", "--agent", agent, "--command", "cd x && git push --force"],
      );
      expect(exitCode).toBe(126);
      expect(text).toMatch(/^no-force\s+user\s+vetoed\s+[\d.]+\s+never by force$/m);
      expect(text).toContain("decision: veto by `no-force`: never by force");
      expect(JSON.stringify(JSON.parse(facts.answer))).toContain("never by force");
      expect(text).toContain(`answer: ${facts.answer.trim()}`);
    },
  );

  test("what nobody minds is a pass with the agent's own silence", async () => {
    const desk = deskWith(GUARD);
    const { exitCode, lines } = await hooks(desk, "test", "--command", "git push");
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      "before_tool of claude-code (PreToolUse): Bash (shell)",
      "decision: pass",
      "answer: {}",
    ]);
  });

  test("what an agent cannot honour is noted, and a question that nobody can be asked is a refusal", async () => {
    const desk = deskWith(
      "  - { name: ask, on: before_tool, run: { builtin: ask, with: { reason: sure } } }\n",
    );
    const claude = await hooks(desk, "test", "--command", "ls");
    expect(claude).toMatchObject({ exitCode: 0, facts: { notes: [] } });
    const codex = await hooks(desk, "test", "--command", "ls", "--agent", "codex");
    expect(codex).toMatchObject({
      exitCode: 126,
      facts: { notes: ["codex cannot honour `permission: ask` at `before_tool`; became a veto"] },
    });
  });

  test("at the end of a turn a veto carries the turn on", async () => {
    const desk = deskWith(`  - name: gate
    on: before_turn_end
    run: { builtin: run-before-stop, with: { argv: [sh, -c, "echo not yet; exit 3"] } }
`);
    const { exitCode, facts } = await hooks(desk, "test", "before_turn_end");
    expect(exitCode).toBe(126);
    expect(JSON.parse(facts.answer)).toMatchObject({ decision: "block" });
    expect(facts.answer).toContain("not yet");
  });

  test("handlers that only look on are shown too", async () => {
    const desk = deskWith(
      "  - { name: watch, on: before_tool, async: true, run: { shell: sh, command: echo seen >&2 } }\n",
    );
    const { text, facts } = await hooks(desk, "test", "--command", "ls");
    expect(text).toMatch(/^watch\s+user\s+observed\s+[\d.]+$/m);
    expect(facts.handlers).toMatchObject([{ rule: "watch", did: "observed", stderr: "seen" }]);
  });

  test("a virtual command is answered, and said to be one", async () => {
    const desk = openHooksDesk();
    const { text, facts, exitCode } = await hooks(desk, "test", "--command", "adj-sessions");
    expect(exitCode).toBe(0);
    expect(text).toContain("decision: virtual command `sessions`, answered");
    expect(facts.virtual).toMatchObject({ command: "sessions", how: "answered", exitCode: 0 });
  });

  test("reads what an agent wrote, from a file or piped in, in a session of its own", async () => {
    const desk = deskWith(GUARD);
    const payload = {
      session_id: "real-one",
      cwd: desk.root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    };
    writeFileSync(join(desk.root, "saved.json"), JSON.stringify(payload));
    const fromFile = await hooks(desk, "test", "--payload", "saved.json");
    expect(fromFile.exitCode).toBe(126);
    expect(fromFile.facts.payload).not.toContain("real-one");
    const piped = await desk.run(["hooks", "test", "--payload", "-"], {
      env: desk.env,
      pipedInput: async () => Buffer.from(JSON.stringify(payload)),
    });
    expect(piped.result.exitCode).toBe(126);
  });

  test("a payload that is none is answered as the agent would be", async () => {
    const desk = deskWith(GUARD);
    writeFileSync(join(desk.root, "odd"), "{");
    const { text, exitCode } = await hooks(desk, "test", "--payload", "odd");
    expect(exitCode).toBe(0);
    expect(text.split("\n")).toEqual([
      "no step of claude-code",
      "decision: pass, nobody was asked",
      "note: the payload is not a JSON object",
      "answer: {}",
    ]);
  });

  test("leaves no session and no step of an agent behind", async () => {
    const desk = deskWith(GUARD.replace("on: before_tool", "on: before_tool\n    once: true"));
    const again = async () => (await hooks(desk, "test", "--command", "git push --force")).exitCode;
    expect([await again(), await again()]).toEqual([126, 126]);
    const sessions = join(desk.stateDir, "hook-sessions");
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
    const types = [...desk.program.audit.read({})].map(({ type }) => type);
    expect(types).not.toContain("StepDecided");
  });

  test("tells that the project's hooks do not count", async () => {
    const desk = deskWith(GUARD);
    writeFiles(desk.root, { ".adjutant/hooks.yaml": "hooks: []\n" });
    const { text } = await hooks(desk, "test", "--command", "ls");
    expect(text).toContain("warning: this project is not trusted, so its hooks do not count");
  });
});

// biome-ignore format: one case a line
const MISUSES: readonly (readonly [readonly string[], RegExp])[] = [
  [["test"], /give `--command`, `--path` or `--tool`/],
  [["test", "before_tol"], /before_tool/],
  [["test", "before_command", "--command", "x"], /no agent's step/],
  [["test", "subagent_start", "--agent", "gemini"], /`gemini`: it has no event for `subagent_start`; it has `session_start`, /],
  [["test", "--agent", "gemni", "--command", "x"], /unknown agent `gemni`; did you mean `gemini`/],
  [["test", "--command", "x", "--path", "y"], /exclude each other/],
  [["test", "--payload", "x", "--command", "y"], /`--payload` and `--command` exclude each other/],
  [["test", "before_tool", "--payload", "x"], /a payload names its step itself/],
  [["test", "--payload", "gone.json"], /`gone.json`: there is no such file/],
  [["test", "--tool", "Write", "--command", "ls"], /`Write` of `claude-code` takes no shell line/],
  [["test", "--tool", "Bash", "--path", "x"], /`Bash` of `claude-code` names no file/],
  [["test", "--tool", "WebFetch", "--args", "[]"], /`--args` must be a JSON object/],
  [["list", "--command", "x"], /`--command` is not for `list`/],
  [["builtins", "before_tool"], /`step` is not for `builtins`/],
  [["explain", "--command", "x", "--payload", "y"], /`--payload` is not for `explain`/],
  [["test", "--command", "x", "--project"], /`--project` is not for `test`/],
  [["init", "--user", "--project"], /exclude each other/],
  [["explain", "before_command"], /needs `--command`/],
];
test.each(MISUSES)("adj hooks %j is refused", async (words, problem) => {
  const outcome = await openHooksDesk().adj("hooks", ...words);
  expect(["rejected", "failed"]).toContain(outcome.kind);
  expect(outcome.result.exitCode).toBeGreaterThan(0);
  expect(`${outcome.error?.message}; ${outcome.error?.hint ?? ""}`).toMatch(problem);
});

describe("hooks explain", () => {
  test("takes a line apart and says of every rule why or why not", async () => {
    const desk = deskWith(`${GUARD}  - name: no-env
    on: before_tool
    match: { path: .env }
    run: { argv: [./no-env] }
  - { name: idle, on: before_tool, enabled: false, run: { argv: [x] } }
  - { name: later, on: after_tool, run: { argv: [x] } }
`);
    const line = "cd x && timeout 5 git push --force; ls > out; ./tool";
    const { lines, facts } = await hooks(desk, "explain", "--command", line);
    const where = (at: number) => `user, ${desk.configDir}/hooks.yaml:${at}`;
    expect(lines).toEqual([
      "before_tool of claude-code: Bash",
      "kind: shell",
      "safety: destructive; as its most dangerous command",
      "  COMMAND                     SAFETY       BECAUSE",
      "  cd x                        read_only    `cd` is known",
      "  timeout 5 git push --force  read_only    `timeout` is known",
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
    const { text } = await hooks(openHooksDesk(), "explain", ...words);
    expect(text).toContain(`\nkind: ${kind}\n`);
    expect(text).toContain(told);
  });

  test("a rule on our own commands is tried on their line", async () => {
    const desk = deskWith(
      "  - { name: no-prod, on: before_command, match: { command: deploy prod* }, run: { argv: [x] } }\n",
    );
    const told = async (line: string) =>
      (await hooks(desk, "explain", "before_command", "--command", line)).text;
    expect(await told("deploy prod --fast")).toMatch(/^yes {2}no-prod/m);
    expect(await told("deploy stage")).toMatch(/^no {3}no-prod/m);
  });
});

test("hooks builtins names each with what it does", async () => {
  const { lines, facts } = await hooks(openHooksDesk(), "builtins");
  expect(lines).toHaveLength(facts.builtins.length + 1);
  expect(lines.find((line) => line.startsWith("git "))).toMatch(/lose work/);
});

describe("hooks init", () => {
  test("writes guards that can be read, all with something to do, and says what comes next", async () => {
    const desk = openHooksDesk();
    const { text, facts } = await hooks(desk, "init");
    const file = join(desk.configDir, "hooks.yaml");
    expect(text.split("\n")[0]).toBe(`wrote ${file}`);
    expect(text).toContain("`adj install AGENT`");
    expect(facts).toMatchObject({ file, scope: "user" });
    const { configDir: folder } = desk;
    const form = parseHooksFile(readFileSync(file, "utf8"), {
      ...{ file, layer: "user", folder, workingFolder: folder },
    });
    expect(form.warnings).toEqual([]);
    expect(form.rules.map(({ name }) => name)).toEqual([
      ...["no-lost-work", "no-secrets", "secret-files", "lock-files", "ask-network"],
      "tests-before-stop",
    ]);
  });

  // biome-ignore format: one case a line
  const GUARDED: readonly (readonly [readonly string[], number, string | null])[] = [
    [["--command", "sudo git push -f"], 126, "no-lost-work"],
    [["--command", "git push"], 0, null],
    [["--command", "cat .env"], 126, "secret-files"],
    [["--command", "cat .env.example"], 0, null],
    [["--tool", "Read", "--path", "sub/.env.local"], 126, "secret-files"],
    [["--tool", "Write", "--path", "package-lock.json"], 126, "lock-files"],
    [["--tool", "Read", "--path", "package-lock.json"], 0, null],
    [["--tool", "Write", "--path", "a", "--args", `{"content":"AKIA${"Z7QK2M4X".repeat(2)}"}`], 126, "no-secrets"],
    [["--command", "curl https://example.org", "--agent", "codex"], 126, null],
    [["--command", "curl http://localhost:3000", "--agent", "codex"], 0, null],
  ];
  test.each(GUARDED)("the guards written decide on %j: %i", async (words, exitCode, by) => {
    const desk = openHooksDesk();
    await desk.adj("hooks", "init");
    const tried = await hooks(desk, "test", ...words);
    expect({ exitCode: tried.exitCode, by: tried.facts.decision.decidedBy }, tried.text).toEqual({
      exitCode,
      by,
    });
  });

  test("in a project asks for trust, and never writes over anything", async () => {
    const desk = openHooksDesk();
    mkdirSync(join(desk.root, ".git"));
    const { text } = await hooks(desk, "init", "--project");
    expect(text).toContain("next: `adj trust`; until then a project's hooks do not count");
    const file = join(desk.root, ".adjutant/hooks.yaml");
    writeFileSync(file, "mine");
    const again = await desk.adj("hooks", "init", "--project");
    expect(again).toMatchObject({ kind: "rejected", error: { code: "InputInvalid" } });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  test("is not for an agent to do", async () => {
    const desk = openHooksDesk();
    const outcome = await desk.run(["hooks", "init"], {
      env: { ...desk.env, CLAUDECODE: "1" },
    });
    expect(outcome.result.exitCode).toBe(126);
    expect(existsSync(join(desk.configDir, "hooks.yaml"))).toBe(false);
  });
});
