import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markedSets } from "../../../src/hooks/pipeline/guard-marker.ts";
import { writeMarker } from "../../../src/hooks/pipeline/write-marker.ts";
import { createThreadAnswerer } from "../../../src/hooks/resident/thread-answerer.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { sampleRule } from "../pipeline/samples.ts";

const FILE = join(import.meta.dirname, "fixtures", "busy-thread.ts");

async function makeAnswerer(isGuarded: boolean, isWarm = true) {
  const folder = temporaryFolder();
  const env = { HOME: folder, ADJ_DATA_DIR: join(folder, "data") };
  const configDir = join(folder, ".config", "adjutant");
  const rules = isGuarded ? [sampleRule("guard", { on: ["before_tool"], layer: "user" })] : [];
  const set = { rules, broken: [], warnings: [] };
  await writeMarker(env.ADJ_DATA_DIR, markedSets(set, configDir, folder));
  const problems: string[] = [];
  const answerer = createThreadAnswerer({
    ...{ file: FILE, isWarm },
    noteProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => answerer.close());
  const ask = (command: string, change = {}) =>
    answerer.answer({
      agent: "codex",
      payload: JSON.stringify({
        ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: folder, tool_name: "Bash" },
        tool_input: { command },
      }),
      ...{ env, cwd: folder, signal: new AbortController().signal },
      ...change,
    });
  return { ask, problems };
}

test("a step that keeps the thread busy is refused at its deadline, and the next is answered", async () => {
  const { ask, problems } = await makeAnswerer(true);
  const { stdout } = await ask("spin");
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringMatching(
      /^the guards had no answer in time; .*did not run$/,
    ),
  });
  expect(problems).toHaveLength(1);
  expect((await ask("ls")).stdout).toBe("answered");
});

test("where no guards are in force it passes, and the person is told", async () => {
  const { ask } = await makeAnswerer(false);
  expect(await ask("spin")).toMatchObject({
    stdout: "",
    stderr: expect.stringMatching(/^adj: the guards had no answer/),
  });
});

test("a call that is held has the time that its entry says, and is refused after it without any guards", async () => {
  const { ask } = await makeAnswerer(false);
  const told: number[] = [];
  const held = { entryLimitMs: 1_234, onHeld: (limitMs: number) => void told.push(limitMs) };
  const { stdout } = await ask("hold", held);
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
  expect(told).toEqual([1_234]);
});

test("others that wait for the same thread are sent elsewhere; over HTTP there is nowhere else", async () => {
  const { ask } = await makeAnswerer(true);
  const [spinning, other, http] = [ask("wait"), ask("spin"), ask("wait", { isHttp: true })];
  await expect(spinning).rejects.toThrow("ended");
  await expect(other).rejects.toThrow("ended");
  expect((await http).stdout).toContain("deny");
});

test("a thread that ends by itself costs an answer only where nobody else can give it", async () => {
  const warm = await makeAnswerer(true);
  await expect(warm.ask("exit")).rejects.toThrow("ended");
  expect((await warm.ask("ls")).stdout).toBe("answered");
  const cold = await makeAnswerer(true, false);
  expect((await cold.ask("exit")).stdout).toContain("deny");
});
