import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHELLS } from "../../support/shells.ts";
import { longTest, sampled } from "../../support/tier.ts";
import { bashCall, commandFile, makeHookedHome, runShell } from "../resident/hooked-home.ts";

const SAY = commandFile('return ok("it\'s " + args._.join("|") + \' 100% "\\\\n"\\n\');');
const FAIL = commandFile('return { ...fail("no such branch\\n", 3), output: "half\\n" };');
const DEPLOY = commandFile('return ok("deployed " + args._.join(" "));', "");

const home = () =>
  makeHookedHome({
    "config/commands/say.js": SAY,
    "config/commands/broken-branch.js": FAIL,
    "config/commands/deploy.js": DEPLOY,
  });

describe("a literal line with a harmless command", () => {
  test("stays as it was typed where the person's own rules in the agent speak of it", {
    timeout: 60_000,
  }, async () => {
    const place = home();
    place.write({
      ".claude/settings.json": JSON.stringify({ permissions: { deny: ["Bash(adj-say:*)"] } }),
    });
    const { stdout } = await place.hook("claude-code", bashCall(place, "adj-say a"));
    expect(stdout).toBe("{}");
  });

  test("becomes one that prints what the command printed", { timeout: 60_000 }, async () => {
    const place = home();
    const { json, stderr, exitCode } = await place.hook(
      "claude-code",
      bashCall(place, "adj-say 'two words' \"b\" c\\ d", {
        timeout: 9000,
        run_in_background: false,
      }),
    );
    const { permissionDecision, updatedInput, hookEventName } = json.hookSpecificOutput;
    expect({ stderr, exitCode, permissionDecision, hookEventName }).toEqual({
      stderr: "",
      exitCode: 0,
      permissionDecision: "allow",
      hookEventName: "PreToolUse",
    });
    const { command, ...kept } = updatedInput;
    expect(kept).toEqual({ description: "as asked", timeout: 9000, run_in_background: false });
    for (const shell of SHELLS)
      expect(runShell(command, place.env, shell)).toEqual({
        stdout: `it's two words|b|c d 100% "\\n"\n`,
        stderr: "",
        exitCode: 0,
      });
  });

  test("fails as the command failed, and both are on record", { timeout: 60_000 }, async () => {
    const place = home();
    const { json } = await place.hook("claude-code", bashCall(place, "adj-broken-branch"));
    const { command } = json.hookSpecificOutput.updatedInput;
    const shown = { stdout: "half\n", stderr: "no such branch\n", exitCode: 3 };
    expect(runShell(command, place.env)).toEqual(shown);
    const events = (await place.events()).map(({ type, sessionId, origin, data }) => ({
      type,
      sessionId,
      origin,
      name: data.name ?? data.decision,
    }));
    const facts = { sessionId: "session-1", origin: { surface: "hook", agent: "claude-code" } };
    expect(events).toEqual([
      { type: "CommandDispatched", ...facts, name: "broken-branch" },
      { type: "CommandResulted", ...facts, name: "broken-branch" },
      { type: "StepDecided", ...facts, name: "virtual" },
    ]);
  });

  test("is shown as the reason of a deny where no line can be replaced", {
    timeout: 60_000,
  }, async () => {
    const place = home();
    const payload = { ...bashCall(place, "adj-say x"), tool_name: "run_shell_command" };
    const { json } = await place.hook("qwen", payload);
    expect(json.hookSpecificOutput.permissionDecision).toBe("deny");
    expect(json.hookSpecificOutput.permissionDecisionReason).toContain("its output (exit code 0)");
    expect(json.hookSpecificOutput.permissionDecisionReason).toContain(`it's x 100% "\\n"`);
  });
});

const PROGRAMS = `
open: { description: a, safety: read_only, argv: [git, log] }
bound: { description: a, safety: read_only, argv: [echo, --] }
script: { description: a, safety: read_only, shell: sh, command: 'git log "$@"' }
bound-script: { description: a, safety: read_only, shell: sh, command: 'echo -- "$@"' }
bare-script: { description: a, safety: read_only, shell: sh, command: echo bare }
`;

test("a program takes a model's words unasked only behind a `--` of its definition", {
  timeout: 60_000,
}, async () => {
  const place = makeHookedHome({ "config/commands.yaml": PROGRAMS });
  const isAnswered = async (line: string): Promise<boolean> => {
    const { json } = await place.hook("claude-code", bashCall(place, line));
    return json.hookSpecificOutput?.updatedInput !== undefined;
  };
  const lines = [
    ...["adj-open", "adj-open --output=a", "adj-open -- a", "adj-bound --output=a"],
    ...["adj-script", "adj-script --output=a", "adj-bound-script --output=a", "adj-bare-script -x"],
  ];
  const answered: string[] = [];
  for (const line of lines) if (await isAnswered(line)) answered.push(line);
  expect(answered).toEqual([
    ...["adj-open", "adj-bound --output=a", "adj-script"],
    ...["adj-bound-script --output=a", "adj-bare-script -x"],
  ]);
});

describe("a line that only a shell can run", () => {
  const LINES = [
    "adj-say a | cat",
    "X=1; adj-say $X",
    "printf 'a b' | xargs adj-say",
    "adj-deploy now",
  ];

  longTest("stays as it is, and a shim on PATH answers", { timeout: 120_000 }, async () => {
    const place = home();
    const envFile = join(place.folder, "env-file");
    writeFileSync(envFile, "export KEPT=1\n");
    const start = { session_id: "session-1", cwd: place.project, hook_event_name: "SessionStart" };
    const started = await place.hook("claude-code", start, { CLAUDE_ENV_FILE: envFile });
    await place.hook("claude-code", start, { CLAUDE_ENV_FILE: envFile });
    expect(started.json.hookSpecificOutput.additionalContext).toContain(
      "adj-deploy - a command of a test",
    );
    expect(readFileSync(envFile, "utf8").match(/export PATH=/g)).toHaveLength(1);
    for (const line of LINES) {
      const { json } = await place.hook("claude-code", bashCall(place, line));
      expect(json).toEqual({});
    }
    const run = (line: string) => runShell(`. ${envFile}\n${line}`, place.env).stdout;
    expect(run("printf 'a b' | xargs adj-say")).toBe(`it's a|b 100% "\\n"\n`);
    expect(run("adj-deploy now | cat; echo $KEPT")).toBe("deployed now\n1\n");
    expect(run("adj-say || true; echo $ADJ_SESSION_ID")).toContain("session-1");
  });

  test("is given the shims by a prefix where PATH cannot be set before", {
    timeout: 60_000,
  }, async () => {
    const place = home();
    const payload = {
      ...bashCall(place, "adj-say a b | tr a-z A-Z && (exit 5)"),
      hook_event_name: "BeforeTool",
      tool_name: "run_shell_command",
      timestamp: "2026-01-01T00:00:00Z",
    };
    const { json } = await place.hook("gemini", payload);
    const { command } = json.hookSpecificOutput.tool_input;
    expect(command).toMatch(/^export PATH=\S+:"\$PATH" ADJ_SESSION_ID=session-1; adj-say a b \|/);
    expect(json.decision).toBeUndefined();
    for (const shell of SHELLS)
      expect(runShell(command, place.env, shell)).toEqual({
        stdout: `IT'S A|B 100% "\\N"\n`,
        stderr: "",
        exitCode: 5,
      });
  });

  test("is refused with the line to type where a rewrite would be a permission", {
    timeout: 60_000,
  }, async () => {
    const place = home();
    const payload = {
      ...bashCall(place, "cd /tmp && adj-deploy now | cat"),
      turn_id: "t",
      model: "m",
    };
    const { json } = await place.hook("codex", payload);
    const { permissionDecision, permissionDecisionReason: reason } = json.hookSpecificOutput;
    expect(permissionDecision).toBe("deny");
    // No `adj` is on PATH here, so the line names the program by its path, and works.
    const line = reason.replace("type this instead: ", "");
    expect(line).toMatch(/^cd \/tmp && \/.* run deploy now \| cat$/);
    expect(runShell(line, place.env)).toMatchObject({ stdout: "deployed now\n", exitCode: 0 });
    place.write({ "bin/adj": "#!/bin/sh\n" });
    chmodSync(join(place.folder, "bin/adj"), 0o755);
    const found = await place.hook("codex", payload, {
      PATH: `${join(place.folder, "bin")}:${place.env.PATH}`,
    });
    expect(found.json.hookSpecificOutput.permissionDecisionReason).toBe(
      "type this instead: cd /tmp && adj run deploy now | cat",
    );
  });
});

describe("what is none of ours", () => {
  test.each(
    sampled([
      "adj-nobody-knows-this",
      "echo adj-say",
      "./adj-say",
      "adj-constructor; adj-__proto__",
      "",
      "adj-",
    ]),
  )("%j passes untouched", { timeout: 60_000 }, async (line) => {
    const place = home();
    const { stdout, exitCode } = await place.hook("claude-code", bashCall(place, line));
    expect({ stdout, exitCode }).toEqual({ stdout: "{}", exitCode: 0 });
  });

  test.each(sampled([{ command: 7 }, {}, { command: null }, { command: ["adj-say"] }]))(
    "a shell call with %j passes untouched",
    { timeout: 60_000 },
    async (input) => {
      const place = home();
      const payload = { ...bashCall(place, ""), tool_input: input };
      expect((await place.hook("claude-code", payload)).stdout).toBe("{}");
    },
  );

  test("another tool may say what it likes", { timeout: 60_000 }, async () => {
    const place = home();
    const payload = { ...bashCall(place, "adj-say"), tool_name: "Write" };
    expect((await place.hook("claude-code", payload)).stdout).toBe("{}");
  });
});

test("the prefix is the user's to choose, and counts at once", { timeout: 60_000 }, async () => {
  const place = home();
  const say = async (line: string) =>
    (await place.hook("claude-code", bashCall(place, line))).stdout !== "{}";
  expect(await say("do-say")).toBe(false);
  place.write({ "config/config.yaml": "prefix: do-\n" });
  expect([await say("do-say"), await say("adj-say")]).toEqual([true, false]);
  place.write({ "config/config.yaml": "prefix: please-\n" });
  expect([await say("please-say"), await say("do-say")]).toEqual([true, false]);
});

test("a very long output is cut, and the whole is in a file", { timeout: 60_000 }, async () => {
  const place = makeHookedHome({
    "config/commands/flood.js": commandFile('return ok("é".repeat(200_000));'),
  });
  const { json } = await place.hook("claude-code", bashCall(place, "adj-flood"));
  const { stdout } = runShell(json.hookSpecificOutput.updatedInput.command, place.env);
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(102_400);
  expect(stdout).not.toContain("\ufffd");
  const file = /the whole is in (\S+)\]\n$/.exec(stdout)?.[1] ?? "";
  expect(readFileSync(file, "utf8")).toBe(`${"é".repeat(200_000)}\n`);
});

describe("a prompt that is a virtual command and nothing else", () => {
  const PROMPT = { session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "adj-say hello" };

  test("is answered without the model by Claude Code", { timeout: 60_000 }, async () => {
    const place = home();
    const { json } = await place.hook("claude-code", { ...PROMPT, cwd: place.project });
    expect(json).toEqual({
      decision: "block",
      reason: `it's hello 100% "\\n"`,
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
    });
  });

  test("is answered without the model by Copilot and Gemini CLI", { timeout: 60_000 }, async () => {
    const place = home();
    const copilot = { sessionId: "s", timestamp: 1, cwd: place.project, prompt: "adj-say hello" };
    const handled = await place.hook("copilot", copilot);
    expect(handled.json).toEqual({ handled: true, responseContent: `it's hello 100% "\\n"` });
    const gemini = {
      session_id: "s",
      cwd: place.project,
      hook_event_name: "BeforeModel",
      llm_request: { model: "m", messages: [{ role: "user", content: "adj-say hello" }] },
    };
    const { json } = await place.hook("gemini", gemini);
    expect(json.decision).toBe("deny");
    expect(JSON.stringify(json.hookSpecificOutput.llm_response)).toContain("it's hello 100%");
  });

  test("no gate sends an answered prompt on to the model", { timeout: 60_000 }, async () => {
    const place = home();
    const gate = "{ name: gate, on: before_turn_end, run: { shell: sh, command: exit 2 } }";
    place.write({ "config/hooks.yaml": `hooks: [${gate}]` });
    const base = { session_id: "s", cwd: place.project };
    const messages = [{ role: "user", content: "adj-say hello" }];
    const asked = { ...base, hook_event_name: "BeforeModel", llm_request: { messages } };
    const ended = { ...base, hook_event_name: "AfterAgent", prompt: "x", prompt_response: "y" };
    await place.hook("gemini", asked);
    expect((await place.hook("gemini", ended)).json).toEqual({});
    expect((await place.hook("gemini", ended)).json.decision).toBe("deny");
  });

  test.each(sampled(["please run adj-say", "adj-say; ls", "adj-nobody", "what is adj-say"]))(
    "%j goes to the model",
    { timeout: 60_000 },
    async (prompt) => {
      const place = home();
      const payload = { ...PROMPT, prompt, cwd: place.project };
      expect((await place.hook("claude-code", payload)).stdout).toBe("{}");
    },
  );
});

test("nothing is left behind in the state folder by an answer that fitted", {
  timeout: 60_000,
}, async () => {
  const place = home();
  await place.hook("claude-code", bashCall(place, "adj-say"));
  expect(readdirSync(join(place.stateDir, "virtual", "results"))).toEqual([]);
  expect(existsSync(join(place.stateDir, "virtual", "outputs"))).toBe(false);
});
