import { expect, test } from "vitest";
import { sampled } from "../../support/tier.ts";
import { bashCall, commandFile, makeHookedHome, runShell } from "../resident/hooked-home.ts";

const CASES: readonly (readonly [title: string, body: string, shown: object])[] = [
  [
    "throws",
    'throw new Error("boom");',
    {
      stdout: "",
      stderr: expect.stringMatching(/^adj: \S+\/bad\.js:\d+:\d+: `bad` threw: boom\n$/),
      exitCode: 1,
    },
  ],
  [
    "ends the process",
    "process.exit(0);",
    {
      stdout: "",
      stderr: "adj: the process running `bad` ended before it finished\n",
      exitCode: 1,
    },
  ],
  [
    "prints by every way there is",
    `process.stdout.write("noise"); console.log("noise"); writeSync(1, "noise");
     execFileSync("echo", ["noise"], { stdio: "inherit" }); return ok("result");`,
    { stdout: "result\n", stderr: "", exitCode: 0 },
  ],
  [
    "throws behind its own back",
    'setTimeout(() => { throw new Error("late"); }, 1); await new Promise(() => {});',
    {
      stdout: "",
      stderr: "adj: the process running `bad` ended before it finished\n",
      exitCode: 1,
    },
  ],
  [
    "waits for ever",
    "await new Promise(() => setInterval(() => {}, 1000));",
    { stdout: "", stderr: "adj: `bad` did not finish within 700 ms\n", exitCode: 124 },
  ],
  [
    "never lets go of its thread",
    "for (;;);",
    { stdout: "", stderr: "adj: `bad` did not finish within 700 ms\n", exitCode: 124 },
  ],
  [
    "returns what is no result",
    "return { exitCode: 7 };",
    expect.objectContaining({ stdout: "", exitCode: 1 }),
  ],
];

test.each(sampled(CASES))(
  "a command that %s cannot break the hook",
  { timeout: 60_000 },
  async (_, body, shown) => {
    const place = makeHookedHome({ "config/commands/bad.js": commandFile(body) });
    const payload = bashCall(place, "adj-bad", { timeout: 700 });
    const { json, stderr, exitCode } = await place.hook("claude-code", payload);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(json.hookSpecificOutput.permissionDecision).toBe("allow");
    expect(runShell(json.hookSpecificOutput.updatedInput.command, place.env)).toEqual(shown);
  },
);

test("a destructive one is not run for a prompt either: nobody can be asked", {
  timeout: 60_000,
}, async () => {
  const place = makeHookedHome({
    "config/commands/bad.js": commandFile('return ok("gone");', 'safety: "destructive",'),
  });
  const payload = {
    session_id: "s",
    cwd: place.project,
    hook_event_name: "UserPromptSubmit",
    prompt: "adj-bad",
  };
  const { json } = await place.hook("claude-code", payload);
  expect(json.reason).toMatch(/needs a person|consent|--yes/);
});
