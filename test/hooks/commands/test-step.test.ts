import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOOK_AGENT_NAMES } from "../../support/agents.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { GUARD, hooks, programWith } from "./hooks-asking.ts";
import { openHooksProgram } from "./hooks-program.ts";

describe("hooks test", () => {
  test.each(HOOK_AGENT_NAMES)(
    "a veto in %s: the handler, the reason, the native answer, 126",
    async (agent) => {
      const opened = programWith(GUARD);
      const { text, exitCode, facts } = await hooks(
        opened,
        ...["test", "before_tool", "--agent", agent, "--command", "cd x && git push --force"],
      );
      expect(exitCode).toBe(126);
      expect(text).toMatch(/^no-force\s+user\s+vetoed\s+[\d.]+\s+never by force$/m);
      expect(text).toContain("decision: veto by `no-force`: never by force");
      expect(JSON.stringify(JSON.parse(facts.answer))).toContain("never by force");
      expect(text).toContain(`answer: ${facts.answer.trim()}`);
    },
  );

  test("who vetoed is named once", async () => {
    const opened = programWith(
      [
        "  - { name: work, on: before_tool, run: { builtin: git } }",
        "  - { name: mute, on: before_tool, match: { command: 'rm *' }, run: { shell: sh, command: exit 2 } }\n",
      ].join("\n"),
    );
    const decisionOf = async (command: string) => {
      const { lines } = await hooks(opened, "test", "before_tool", "--command", command);
      return lines
        .filter((line) => /^(decision|work|mute)/.test(line))
        .map((line) => line.replace(/ {2,}[\d.]+ +/, "  "));
    };
    expect(await decisionOf("git push --force")).toEqual([
      "work     user   vetoed  a forced push overwrites what others pushed (`git push --force`)",
      "decision: veto by `work`: a forced push overwrites what others pushed (`git push --force`)",
    ]);
    expect(await decisionOf("rm -r x")).toContain("decision: veto by `mute`");
  });

  test("what nobody minds is a pass with the agent's own silence", async () => {
    const opened = programWith(GUARD);
    const { exitCode, lines } = await hooks(opened, "test", "--command", "git push");
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      "before_tool of claude-code (PreToolUse): Bash (shell)",
      "decision: pass",
      "answer: {}",
    ]);
  });

  test("what an agent cannot honour is noted, and a question that nobody can be asked is a refusal", async () => {
    const opened = programWith(
      "  - { name: ask, on: before_tool, run: { builtin: ask, with: { reason: sure } } }\n",
    );
    const claude = await hooks(opened, "test", "--command", "ls");
    expect(claude).toMatchObject({ exitCode: 0, facts: { notes: [] } });
    const codex = await hooks(opened, "test", "--command", "ls", "--agent", "codex");
    expect(codex).toMatchObject({
      exitCode: 126,
      facts: { notes: ["codex cannot honour `permission: ask` at `before_tool`; became a veto"] },
    });
  });

  test("at the end of a turn a veto carries the turn on", async () => {
    const opened = programWith(`  - name: gate
    on: before_turn_end
    run: { builtin: run-before-stop, with: { argv: [sh, -c, "echo not yet; exit 3"] } }
`);
    const { exitCode, facts } = await hooks(opened, "test", "before_turn_end");
    expect(exitCode).toBe(126);
    expect(JSON.parse(facts.answer)).toMatchObject({ decision: "block" });
    expect(facts.answer).toContain("not yet");
  });

  test("handlers that only look on are shown too", async () => {
    const opened = programWith(
      "  - { name: watch, on: before_tool, async: true, run: { shell: sh, command: echo seen >&2 } }\n",
    );
    const { text, facts } = await hooks(opened, "test", "--command", "ls");
    expect(text).toMatch(/^watch\s+user\s+observed\s+[\d.]+$/m);
    expect(facts.handlers).toMatchObject([{ rule: "watch", did: "observed", stderr: "seen" }]);
  });

  test("a virtual command is answered, and said to be one", async () => {
    const opened = openHooksProgram();
    const { text, facts, exitCode } = await hooks(opened, "test", "--command", "adj-sessions");
    expect(exitCode).toBe(0);
    expect(text).toContain("decision: virtual command `sessions`, answered");
    expect(facts.virtual).toMatchObject({ command: "sessions", how: "answered", exitCode: 0 });
  });

  test("reads what an agent wrote, from a file or piped in, in a session of its own", async () => {
    const opened = programWith(GUARD);
    const payload = {
      session_id: "real-one",
      cwd: opened.root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    };
    writeFileSync(join(opened.root, "saved.json"), JSON.stringify(payload));
    const fromFile = await hooks(opened, "test", "--payload", "saved.json");
    expect(fromFile.exitCode).toBe(126);
    expect(fromFile.facts.payload).not.toContain("real-one");
    const piped = await opened.run(["hooks", "test", "--payload", "-"], {
      env: opened.env,
      pipedInput: async () => Buffer.from(JSON.stringify(payload)),
    });
    expect(piped.result.exitCode).toBe(126);
  });

  test("a payload that is none is answered as the agent would be", async () => {
    const opened = programWith(GUARD);
    writeFileSync(join(opened.root, "odd"), "{");
    const { text, exitCode } = await hooks(opened, "test", "--payload", "odd");
    expect(exitCode).toBe(0);
    expect(text.split("\n")).toEqual([
      "no step of claude-code",
      "decision: pass, nobody was asked",
      "note: the payload is not a JSON object",
      "answer: {}",
    ]);
  });

  test("leaves no session and no step of an agent behind", async () => {
    const opened = programWith(GUARD.replace("on: before_tool", "on: before_tool\n    once: true"));
    const again = async () =>
      (await hooks(opened, "test", "--command", "git push --force")).exitCode;
    expect([await again(), await again()]).toEqual([126, 126]);
    const sessions = join(opened.stateDir, "hook-sessions");
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
    const types = [...opened.program.audit.read({})].map(({ type }) => type);
    expect(types).not.toContain("StepDecided");
  });

  test("tells that the project's hooks do not count", async () => {
    const opened = programWith(GUARD);
    writeFiles(opened.root, { ".adjutant/hooks.yaml": "hooks: []\n" });
    const { text } = await hooks(opened, "test", "--command", "ls");
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
  [["builtins", "before_tool"], /`builtins` takes no further words/],
  [["explain", "--command", "x", "--payload", "y"], /`--payload` is not for `explain`/],
  [["test", "--command", "x", "--project"], /`--project` is not for `test`/],
  [["init", "--user", "--project"], /exclude each other/],
  [["explain", "before_command"], /needs `--command`/],
];
test.each(MISUSES)("adj hooks %j is refused", async (words, problem) => {
  const outcome = await openHooksProgram().adj("hooks", ...words);
  expect(["rejected", "failed"]).toContain(outcome.kind);
  expect(outcome.result.exitCode).toBeGreaterThan(0);
  expect(`${outcome.error?.message}; ${outcome.error?.hint ?? ""}`).toMatch(problem);
});
