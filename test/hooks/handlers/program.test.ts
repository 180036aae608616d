import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveProject } from "../../../src/core/project/trust/approval.ts";
import type { HandlerOutcome } from "../../../src/hooks/handlers/protocol.ts";
import type { RuleRun } from "../../../src/hooks/match/rule.ts";
import { loadHookSet } from "../../../src/hooks/pipeline/set.ts";
import { findCarriers } from "../../core/process/programs.ts";
import { hasPrograms } from "../../support/programs.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { sampleEnvelope, subjectOf } from "../pipeline/samples.ts";
import { runRule, shell, toolCall } from "./handlers.ts";

const MEGABYTE = 1024 * 1024;
const none = (diagnostic: string | null = null, stderr: string | null = null) => ({
  kind: "none",
  diagnostic,
  stderr,
});
const error = (problem: string) => ({ kind: "error", problem });
const veto = (reason: string) => ({
  kind: "verdict",
  verdict: { control: "veto", reason },
  stderr: null,
});

const ZSH: readonly [string, RuleRun][] = hasPrograms("zsh")
  ? [
      ["zsh", { type: "shell", shell: { program: "zsh", args: ["-c"] }, command: "exec ./deny" }],
      ["zsh as a program", { type: "argv", argv: ["zsh", "-c", "./deny"], argvWindows: null }],
      ["zsh in a line", { type: "shell", shell: "sh", command: "zsh -c ./deny" }],
    ]
  : [];

test.each<[string, RuleRun]>([
  ["shell: bash", { type: "shell", shell: "bash", command: 'printf %s "$1"; exec ./deny' }],
  ["shell: sh", { type: "shell", shell: "sh", command: "exec ./deny" }],
  [
    "another bash",
    { type: "shell", shell: { program: "bash", args: ["-c"] }, command: "exec ./deny" },
  ],
  ["bash as a program", { type: "argv", argv: ["bash", "-c", "exec ./deny"], argvWindows: null }],
  ...ZSH,
])("%s: what the user's start-up files print does not stand before a verdict", async (_, run) => {
  const folder = temporaryFolder();
  writeFiles(folder, { deny: `#!/bin/sh\necho '{"control":"veto","reason":"no"}'\n` });
  chmodSync(join(folder, "deny"), 0o755);
  for (const name of [".bashrc", ".profile", ".bash_profile", ".env", ".zshenv"])
    writeFileSync(join(folder, name), "echo hello from a start-up file\n");
  const file = join(folder, ".env");
  const callerEnv = { PATH: process.env.PATH, HOME: folder, BASH_ENV: file, ENV: file };
  for (const inheritEnv of [false, true])
    expect(await runRule(run, { callerEnv, inheritEnv, cwd: folder })).toEqual(veto("no"));
});

describe("how a program's end is read", () => {
  test.each<[what: string, command: string, outcome: unknown]>([
    ["nothing", ":", none()],
    ["white space alone", "printf ' \\n '", none()],
    ["a verdict among white space", `echo '  {"control":"veto","reason":"no"}  '`, veto("no")],
    ["something on stderr, kept", "echo careful >&2", none(null, "careful")],
    ["text", "echo all is well", none('it printed what is no JSON: "all is well"')],
    ["a list", "echo '[]'", error("its verdict is invalid: a verdict must be a JSON object")],
    ["a number", "echo 3", error("its verdict is invalid: a verdict must be a JSON object")],
    [
      "a field nobody knows",
      `echo '{"veto":true}'`,
      error("its verdict is invalid: unknown field `veto`"),
    ],
    [
      "a control of another step",
      `echo '{"control":"continue"}'`,
      error(
        "its verdict is invalid: `continue` is no control of `before_tool`, which accepts `proceed`, `veto`, `break`",
      ),
    ],
    ["exit 2 with a reason", "echo ' not here ' >&2; exit 2", veto("not here")],
    ["exit 2 without one", "exit 2", veto("vetoed by `guard`")],
    [
      "exit 2, whatever is on stdout",
      `echo '{"control":"proceed"}'; exit 2`,
      veto("vetoed by `guard`"),
    ],
    ["exit 2 with bytes that are no text", "printf 'a\\377b' >&2; exit 2", veto("a\ufffdb")],
    ["another exit code", "exit 3", error("it ended with exit code 3")],
    [
      "another exit code with a word",
      "echo oh >&2; echo no >&2; exit 1",
      error("it ended with exit code 1: oh"),
    ],
    ["a signal", "kill -KILL $$", error("it was ended by SIGKILL")],
    ["a crash", "kill -SEGV $$", error("it was ended by SIGSEGV")],
  ])("%s", async (_, command, outcome) => {
    expect(await runRule(shell(command))).toEqual(outcome);
  });

  test("a reason has at most 10,000 characters", async () => {
    const outcome = await runRule(shell("yes | tr -d '\\n' | head -c 20000 >&2; exit 2"));
    expect(outcome).toEqual(veto("y".repeat(10_000)));
  });

  test("strict takes no text for an answer, and shows at most 200 bytes of it", async () => {
    const outcome = await runRule(shell("printf 'é%.0s' $(seq 300)"), { isStrict: true });
    expect(outcome).toEqual(error(`it printed what is no JSON: "${"é".repeat(100)}"`));
  });

  test("a program that is not there", async () => {
    expect(
      await runRule({ type: "argv", argv: ["./no-such"], argvWindows: null }, { folder: "/" }),
    ).toEqual(error("`/no-such` could not be started: there is no such file"));
  });
});

describe("what a program is given", () => {
  test("the envelope as one line of JSON, then an end", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "seen");
    const subject = toolCall();
    await runRule(shell(`cat > "${file}"; [ $(wc -l < "${file}") = 1 ] || exit 1`), { subject });
    const text = readFileSync(file, "utf8");
    expect(text.endsWith("}\n")).toBe(true);
    expect(JSON.parse(text)).toEqual(subject.envelope);
  });

  const variables = (outcome: HandlerOutcome): Record<string, string> => {
    if (outcome.kind !== "none") throw new Error(`ended as ${outcome.kind}`);
    const lines = (outcome.stderr ?? "").split("\n").map((line) => line.split("="));
    return Object.fromEntries(lines.map(([name = "", ...rest]) => [name, rest.join("=")]));
  };

  test("the base set, the agent's, the step's, and the definition's, which win", async () => {
    const callerEnv = {
      PATH: process.env.PATH,
      HOME: "/home/me",
      SECRET: "no",
      CLAUDE_PROJECT_DIR: "/work",
      ADJ_TOOL_NAME: "of an outer step",
      ADJ_STEP: "outer",
    };
    const seen = variables(
      await runRule(shell("env >&2"), { callerEnv, env: { MY: "own", ADJ_AGENT: "mine" } }),
    );
    expect(seen).toMatchObject({
      HOME: "/home/me",
      CLAUDE_PROJECT_DIR: "/work",
      ADJ_SESSION_ID: "s1",
      ADJ_CWD: "/",
      ADJ_STEP: "before_tool",
      ADJ_AGENT: "mine",
      ADJ_CORRELATION_ID: "c1",
      ADJ_TOOL_NAME: "Bash",
      MY: "own",
    });
    expect(seen).not.toHaveProperty("SECRET");
    const inherited = await runRule(shell("env >&2"), { callerEnv, inheritEnv: true });
    expect(variables(inherited)).toMatchObject({ SECRET: "no" });
  });

  test("a step without a tool names none", async () => {
    const callerEnv = { PATH: process.env.PATH, ADJ_TOOL_NAME: "of an outer step" };
    const subject = subjectOf(sampleEnvelope({ step: "session_start" }));
    const seen = variables(await runRule(shell("env >&2"), { callerEnv, subject }));
    expect(seen).not.toHaveProperty("ADJ_TOOL_NAME");
  });

  test("the step's folder, or its own", async () => {
    const folder = temporaryFolder();
    const at = async (cwd: string | null) => {
      const outcome = await runRule(shell("pwd >&2"), { cwd });
      return outcome.kind === "none" ? outcome.stderr : outcome;
    };
    expect(await at(null)).toBe("/");
    expect(await at(folder)).toBe(folder);
  });

  test("a relative program lies beside the hooks file", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "guards"));
    writeFileSync(join(folder, "guards/one"), "#!/bin/sh\necho ran >&2\n", { mode: 0o755 });
    const run = { type: "argv", argv: ["./guards/one"], argvWindows: null } as const;
    expect(await runRule(run, { folder })).toEqual(none(null, "ran"));
  });

  test("a shell of one's own gets its words and then the command", async () => {
    const run = {
      type: "shell",
      shell: { program: "sh", args: ["-e", "-c"] },
      command: "echo $- >&2",
    } as const;
    const outcome = await runRule(run);
    expect(outcome.kind === "none" && outcome.stderr).toContain("e");
  });

  test("hooks that call each other end", async () => {
    const callerEnv = { PATH: process.env.PATH, ADJ_HOOK_DEPTH: "4" };
    expect(await runRule(shell(":"), { callerEnv })).toEqual(
      error("hooks called each other more than 4 deep"),
    );
    const deeper = await runRule(shell("echo $ADJ_HOOK_DEPTH >&2"), {
      callerEnv: { ...callerEnv, ADJ_HOOK_DEPTH: "2" },
    });
    expect(deeper).toEqual(none(null, "3"));
  });
});

describe("a project's program", () => {
  const trusted = async (entry: string, files: Readonly<Record<string, string>>) => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      "project/.git/HEAD": "",
      "project/.adjutant/hooks.yaml": `hooks:\n  - { name: guard, on: before_tool, ${entry} }\n`,
      ...files,
    });
    const root = join(folder, "project");
    for (const path of Object.keys(files)) chmodSync(join(folder, path), 0o755);
    const paths = { stateDir: join(folder, "state"), configDir: join(folder, "config") };
    await approveProject(root, paths.stateDir);
    const [rule] = (await loadHookSet({ paths, root })).rules;
    if (rule === undefined) throw new Error("no rule");
    const run = () => runRule(rule.run, { ...rule, subject: { ...toolCall(), root } });
    return { folder, run };
  };

  test("runs as it was approved, whatever lies in the working tree by now", async () => {
    const path = "project/.adjutant/guard";
    const it = await trusted("run: { argv: [./guard] }", {
      [path]: "#!/bin/sh\necho approved >&2\n",
    });
    writeFiles(it.folder, { [path]: "#!/bin/sh\necho slipped in >&2\n" });
    expect(await it.run()).toEqual(none(null, "approved"));
  });

  test("a script for an interpreter is taken from the copy, too", async () => {
    const path = "project/tools/guard.sh";
    const it = await trusted("run: { argv: [sh, tools/guard.sh] }", {
      [path]: "echo approved >&2\n",
    });
    writeFiles(it.folder, { [path]: "echo slipped in >&2\n" });
    expect(await it.run()).toEqual(none(null, "approved"));
  });

  test("a script below the `cwd` of its entry is part of what was approved", async () => {
    const path = "project/sub/guard.sh";
    const it = await trusted("cwd: ../sub, run: { argv: [sh, guard.sh] }", {
      [path]: "echo approved >&2\n",
    });
    writeFiles(it.folder, { [path]: "echo slipped in >&2\n" });
    expect(await it.run()).toEqual(none(null, "approved"));
  });

  test("what a shell line names is run as it was approved, too", async () => {
    const path = "project/tools/guard.sh";
    const it = await trusted("cwd: .., run: { shell: sh, command: 'sh tools/guard.sh' }", {
      [path]: "echo approved >&2\n",
    });
    expect(await it.run()).toEqual(none(null, "approved"));
    writeFiles(it.folder, { [path]: "echo slipped in >&2\n" });
    expect(await it.run()).toEqual(none(null, "approved"));
  });

  test("what runs where it lies is an error as soon as it changed", async () => {
    const path = "project/tools/guard.sh";
    const it = await trusted("cwd: .., run: { shell: sh, command: 'eval \"sh tools/guard.sh\"' }", {
      [path]: "echo approved >&2\n",
    });
    expect(await it.run()).toEqual(none(null, "approved"));
    writeFiles(it.folder, { [path]: "echo slipped in >&2\n" });
    expect(await it.run()).toMatchObject({
      kind: "error",
      problem: expect.stringContaining("changed since the project was trusted"),
    });
  });
});

describe("a program that misbehaves", () => {
  /** A mark in the environment by which whatever is left of the handler is found. */
  const marked = () => {
    const mark = `MARK_${crypto.randomUUID().replaceAll("-", "")}`;
    return { env: { [mark]: "1" }, left: () => findCarriers(mark) };
  };

  test("hangs: it is ended in time, deaf to SIGTERM or not, and nothing of it is left", async () => {
    const { env, left } = marked();
    const command = "trap '' TERM; sleep 300 & while :; do sleep 300; done";
    const outcome = await runRule(shell(command), { env, limitMs: 300 });
    expect(outcome).toEqual(error("it did not answer within 300 ms"));
    expect(left()).toEqual([]);
  });

  test("leaves a grandchild in a session of its own: it is ended, and the verdict counts", async () => {
    const { env, left } = marked();
    const command = `setsid sh -c 'trap "" HUP; sleep 300; :' >/dev/null 2>&1 & echo '{"control":"veto","reason":"no"}'`;
    expect(await runRule(shell(command), { env })).toEqual(veto("no"));
    expect(left()).toEqual([]);
  });

  test("hangs with a grandchild in a session of its own: both are ended", async () => {
    const { env, left } = marked();
    const command = "setsid sh -c 'trap \"\" HUP TERM; sleep 300; :' & sleep 300";
    const outcome = await runRule(shell(command), { env, limitMs: 500 });
    expect(outcome).toEqual(error("it did not answer within 500 ms"));
    expect(left()).toEqual([]);
  });

  test("prints a gigabyte: it is stopped at one megabyte", async () => {
    const { env, left } = marked();
    const outcome = await runRule(shell("head -c 1073741824 /dev/zero"), { env });
    expect(outcome).toEqual(error("it printed more than 1 MB"));
    expect(left()).toEqual([]);
  });

  test("complains at length: what is beyond one megabyte is read and thrown away", async () => {
    const outcome = await runRule(shell("head -c 20000000 /dev/zero | tr '\\0' x >&2; echo '{}'"));
    expect(outcome).toEqual({ kind: "verdict", verdict: {}, stderr: "x".repeat(10_000) });
  });

  const large = subjectOf(sampleEnvelope({ native: { text: "x".repeat(10 * MEGABYTE) } }));

  test("never reads: a broken pipe is no error", async () => {
    const outcome = await runRule(shell(`exec <&-; echo '{"control":"veto","reason":"no"}'`), {
      subject: large,
    });
    expect(outcome).toEqual(veto("no"));
  });

  test("takes ten megabytes and answers", async () => {
    const outcome = await runRule(shell("wc -c >&2"), { subject: large });
    expect(outcome.kind === "none" && Number(outcome.stderr)).toBeGreaterThan(10 * MEGABYTE);
  });

  test("gives ten megabytes back while it reads them: no deadlock, one megabyte too many", async () => {
    expect(await runRule(shell("cat"), { subject: large })).toEqual(
      error("it printed more than 1 MB"),
    );
  });

  test("is cancelled, which is no timeout, and nothing of it is left", async () => {
    const { env, left } = marked();
    const controller = new AbortController();
    const file = join(temporaryFolder(), "started");
    const running = runRule(shell(`: > "${file}"; sleep 300`), { env, signal: controller.signal });
    await waitUntil(() => existsSync(file));
    controller.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(left()).toEqual([]);
  });
});

describe("protocol: claude-code", () => {
  test("hands over Claude Code's payload and its project, and reads its answer", async () => {
    const file = join(temporaryFolder(), "seen");
    const answer = JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not on a Friday",
      },
    });
    const command = `cat > "${file}"; echo "$CLAUDE_PROJECT_DIR" >&2; echo '${answer}'`;
    const { envelope } = toolCall();
    const subject = { ...subjectOf({ ...envelope, agent: "codex" }), root: "/my/project" };
    const outcome = await runRule(shell(command), { protocol: "claude-code", subject });
    expect(outcome).toMatchObject({
      kind: "verdict",
      verdict: { reason: "not on a Friday" },
      stderr: "/my/project",
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
    });
  });

  test("of Claude Code itself the native payload, with what was rewritten since", async () => {
    const file = join(temporaryFolder(), "seen");
    const native = { hook_event_name: "PreToolUse", tool_input: { command: "old" }, more: 1 };
    const subject = subjectOf(sampleEnvelope({ native, args: { command: "new" } }));
    await runRule(shell(`cat > "${file}"`), { protocol: "claude-code", subject });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      hook_event_name: "PreToolUse",
      tool_input: { command: "new" },
      more: 1,
    });
  });

  test("what it makes of the arguments goes back by the agent's own names", async () => {
    const updatedInput = { file_path: "/a.txt", content: "theirs" };
    const answer = JSON.stringify({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput },
    });
    const args = { filePath: "a.txt", content: "ours" };
    const call = { agent: "opencode", tool: "write", kind: "write", args } as const;
    const subject = subjectOf(sampleEnvelope(call));
    const outcome = await runRule(shell(`echo '${answer}'`), { protocol: "claude-code", subject });
    expect(outcome).toMatchObject({
      kind: "verdict",
      verdict: { args: { filePath: "a.txt", content: "theirs" } },
    });
  });

  test("exit 2 is its veto", async () => {
    const outcome = await runRule(shell("echo never >&2; exit 2"), { protocol: "claude-code" });
    expect(outcome).toMatchObject({ kind: "verdict", verdict: { reason: "never" } });
  });
});
