import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inTier, sampled } from "../../support/tier.ts";
import { bashCall, commandFile, makeHookedHome, runShell } from "./hooked-home.ts";

const GUARD = `hooks:
  - name: no-force
    on: before_tool
    match: { kind: shell, command: "git push*--force*" }
    run: { argv: [./no-force] }
`;
const NO_FORCE = "#!/bin/sh\ncat >/dev/null; echo 'never by force' >&2; exit 2\n";

function guardedHome(guard = GUARD) {
  const home = makeHookedHome({ "config/hooks.yaml": guard, "config/no-force": NO_FORCE });
  chmodSync(join(home.configDir, "no-force"), 0o755);
  return home;
}

describe("a guard", () => {
  test("is heard before a virtual command and by the agent's own words", {
    timeout: 60_000,
  }, async () => {
    const place = guardedHome();
    const { json } = await place.hook(
      "claude-code",
      bashCall(place, "cd x && git push --force origin main"),
    );
    expect(json.hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: "never by force",
    });
    const [event] = await place.events();
    expect(event).toMatchObject({
      type: "StepDecided",
      sessionId: "session-1",
      origin: { surface: "hook", agent: "claude-code" },
      data: { step: "before_tool", decision: "veto", handler: "no-force", tool: "Bash" },
    });
    expect(event?.data.args).toEqual({ command: "string(36)", description: "string(8)" });
  });

  test("vetoes a virtual line before the command can run", { timeout: 60_000 }, async () => {
    const guard = GUARD.replace("git push*--force*", "adj-say*");
    const place = guardedHome(guard);
    place.write({ "config/commands/say.js": commandFile('return ok("said");') });
    const { json } = await place.hook("claude-code", bashCall(place, "adj-say"));
    expect(json.hookSpecificOutput.permissionDecision).toBe("deny");
    const types = (await place.events()).map(({ type }) => type);
    expect(types).toEqual(["StepDecided"]);
  });

  test("counts wherever the agent went since its session began", { timeout: 60_000 }, async () => {
    const place = makeHookedHome({
      "project/.adjutant/hooks.yaml": GUARD,
      "project/.adjutant/no-force": NO_FORCE,
      "project/.git/HEAD": "",
      "fresh/.git/HEAD": "",
    });
    chmodSync(join(place.project, ".adjutant/no-force"), 0o755);
    await place.trust();
    const codex = (cwd: string, command: string) => ({
      ...bashCall(place, command),
      turn_id: "t",
      model: "m",
      cwd,
    });
    await place.hook("codex", codex(place.project, "ls"));
    const fresh = join(place.folder, "fresh");
    const { json } = await place.hook("codex", codex(fresh, "git push --force"));
    expect(json.hookSpecificOutput.permissionDecision).toBe("deny");
    const claude = { ...bashCall(place, "git push --force"), cwd: fresh };
    const env = { CLAUDE_PROJECT_DIR: place.project };
    const named = await place.hook("claude-code", claude, env);
    expect(named.json.hookSpecificOutput.permissionDecision).toBe("deny");
  });

  test("that answers in place of a shell line is shown by that line", {
    timeout: 60_000,
  }, async () => {
    const place = guardedHome(GUARD.replace("git push*--force*", "date*"));
    writeFileSync(
      join(place.configDir, "no-force"),
      `#!/bin/sh\ncat >/dev/null\nprintf %s '{"result":{"output":"noon\\n","error_output":"!\\n","exit_code":4}}'\n`,
    );
    const { json } = await place.hook("claude-code", bashCall(place, "date -u"));
    const { updatedInput, permissionDecision } = json.hookSpecificOutput;
    expect(permissionDecision).toBe("allow");
    expect(runShell(updatedInput.command, place.env)).toEqual({
      stdout: "noon\n",
      stderr: "!\n",
      exitCode: 4,
    });
  });

  test("file that does not parse blocks tools, and nothing else, with its place", {
    timeout: 60_000,
  }, async () => {
    const place = guardedHome("hooks:\n  - name: x\n    on: before_tol\n");
    const { json } = await place.hook("claude-code", bashCall(place, "ls"));
    expect(json.hookSpecificOutput.permissionDecision).toBe("deny");
    expect(json.hookSpecificOutput.permissionDecisionReason).toMatch(/hooks\.yaml:3:9: /);
    const prompt = { session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "hi" };
    expect((await place.hook("claude-code", { ...prompt, cwd: place.project })).stdout).toBe("{}");
  });
});

test("Copilot, calling by the entry that was made for Claude Code, is answered as Copilot", {
  timeout: 60_000,
}, async () => {
  const place = guardedHome();
  const payload = bashCall(place, "git push --force");
  await place.hook("claude-code", payload, { COPILOT_CLI: "1" });
  const own = { COPILOT_CLI: "1", CLAUDE_CODE_SESSION_ID: "session-1" };
  await place.hook("claude-code", payload, own);
  const decided = (await place.events()).filter(({ type }) => type === "StepDecided");
  expect(decided.map(({ data }) => [data.agent, data.decision])).toEqual([
    ["copilot", "veto"],
    ["claude-code", "veto"],
  ]);
});

test("a turn is sent on three times and then may end", { timeout: 60_000 }, async () => {
  const place = guardedHome(`hooks:
  - { name: gate, on: before_turn_end, run: { argv: [./no-force] } }
`);
  const stop = (isActive: boolean) =>
    place.hook("claude-code", {
      session_id: "s",
      cwd: place.project,
      hook_event_name: "Stop",
      stop_hook_active: isActive,
    });
  const turn = [await stop(false), await stop(true), await stop(true), await stop(true)];
  expect(turn.map(({ json }) => json.decision)).toEqual(["block", "block", "block", undefined]);
  expect((await stop(false)).json.decision).toBe("block");
});

test("a reason that comes back as a prompt begins no new turn", { timeout: 60_000 }, async () => {
  const place = guardedHome(`hooks:
  - { name: gate, on: before_turn_end, run: { argv: [./no-force] } }
`);
  const say = (event: string, more: object) =>
    place.hook("qwen", { session_id: "s", cwd: place.project, hook_event_name: event, ...more });
  const decisions: unknown[] = [];
  for (let round = 0; round < 5; round++) {
    const { json } = await say("Stop", { stop_hook_active: round > 0 });
    decisions.push(json.decision);
    await say("UserPromptSubmit", { prompt: json.reason ?? "" });
  }
  expect(decisions).toEqual(["block", "block", "block", undefined, "block"]);
});

describe("whatever goes wrong", () => {
  test.each(
    sampled([
      ["nothing", ""],
      ["half a payload", '{"session_id":'],
      ["a list", "[1]"],
      ["an unknown event", '{"hook_event_name":"Whatever","session_id":"s"}'],
      ["an event without its name", '{"session_id":"s"}'],
      ["a NUL", "\0"],
    ]),
  )("%s is answered with silence and exit code 0", { timeout: 60_000 }, async (_, payload) => {
    const place = makeHookedHome();
    for (const agent of ["claude-code", "codex", "gemini", "qwen", "copilot", "opencode"]) {
      const { stdout, stderr, exitCode } = await place.hook(agent, payload);
      expect(exitCode).toBe(0);
      expect(["", "{}"]).toContain(stdout.trim());
      expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
      if (agent === "gemini") expect(stderr).toBe("");
    }
  });

  test("an agent nobody knows gets nothing on stdout", { timeout: 60_000 }, async () => {
    const place = makeHookedHome();
    for (const name of ["no-such-agent", "__proto__"])
      expect(await place.hook(name, "{}")).toMatchObject({ stdout: "", exitCode: 0 });
  });

  test("a person who types it without an agent is told what it is", async () => {
    const home = makeHookedHome();
    const bare = await home.adj("hook");
    expect(bare).toMatchObject({ exitCode: 2, stdout: "" });
    expect(bare.stderr).toContain("`adj install AGENT` wires it in");
    const asked = await home.adj("hook", "--help");
    expect(asked).toMatchObject({ exitCode: 0, stderr: "" });
    expect(asked.stdout).toContain("agents: claude-code, ");
  });

  test("a store that cannot be opened costs the record, not the decision", {
    timeout: 60_000,
  }, async () => {
    const place = guardedHome();
    mkdirSync(join(place.stateDir, "audit.db"), { recursive: true });
    const { json, stderr, exitCode } = await place.hook(
      "claude-code",
      bashCall(place, "git push --force"),
    );
    expect(exitCode).toBe(0);
    expect(json.hookSpecificOutput.permissionDecision).toBe("deny");
    expect(stderr).toMatch(/^adj: [^\n]*audit\.db[^\n]*\n$/);
    const passed = await place.hook("claude-code", bashCall(place, "ls"));
    expect(passed).toMatchObject({ stdout: "{}", exitCode: 0 });
  });

  test("a secret in a line is nowhere on record", { timeout: 60_000 }, async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345";
    const place = guardedHome();
    await place.hook("claude-code", bashCall(place, `TOKEN=${secret} git push --force`));
    await place.hook("claude-code", bashCall(place, `echo ${secret}`));
    expect(readFileSync(join(place.stateDir, "audit.db")).includes(secret)).toBe(false);
    const events = JSON.stringify(await place.events());
    expect(events).toContain("StepDecided");
    expect(events).not.toContain(secret);
  });

  test("a folder that is gone is no reason to fail", { timeout: 60_000 }, async () => {
    const place = makeHookedHome({ "config/commands/say.js": commandFile('return ok("x");') });
    const payload = { ...bashCall(place, "adj-say"), cwd: join(place.folder, "gone") };
    const { json, exitCode } = await place.hook("claude-code", payload);
    expect(exitCode).toBe(0);
    const shown = runShell(json.hookSpecificOutput.updatedInput.command, place.env);
    expect(shown).toMatchObject({ stdout: "", exitCode: 2 });
  });
});

const CALLERS = inTier(4, 20);
test(`${CALLERS} at once do not disturb each other`, { timeout: 120_000 }, async () => {
  const place = makeHookedHome({
    "config/commands/say.js": commandFile('return ok(args._.join(" "));'),
  });
  const lines = Array.from({ length: CALLERS }, (_, at) =>
    at % 2 === 0 ? `adj-say ${at}` : `ls ${at}`,
  );
  const answers = await Promise.all(
    lines.map((line) => place.hook("claude-code", bashCall(place, line))),
  );
  const shown = answers.map(({ json, stderr }) => {
    const line = json.hookSpecificOutput?.updatedInput.command;
    return [line === undefined ? "" : runShell(line, place.env).stdout, stderr];
  });
  expect(shown).toEqual(lines.map((_, at) => [at % 2 === 0 ? `${at}\n` : "", ""]));
  const decided = (await place.events()).filter(({ type }) => type === "StepDecided");
  expect(decided.map(({ data }) => data.decision).sort()).toEqual([
    ...Array.from({ length: CALLERS / 2 }, () => "pass"),
    ...Array.from({ length: CALLERS / 2 }, () => "virtual"),
  ]);
});
