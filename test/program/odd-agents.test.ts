// Agents that misbehave in a turn, and persons who type secrets: one clear line, nothing left running, nothing kept.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longTest, sampled } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, run, start } from "./adj.ts";
import { makeSessionHome } from "./session-home.ts";

const AGENT = join(import.meta.dirname, "../agents/protocol/acp/fixtures/staying-agent.ts");

function openOddSession() {
  const home = makeSessionHome();
  const place = { cwd: home.project, env: home.env };
  const param = `argv=${JSON.stringify([process.execPath, AGENT, home.project])}`;
  const startSend = (text: string) =>
    start(ADJ, ["send", "--agent", "acp", "--param", param, text], place);
  return { home, startSend, send: (text: string) => startSend(text).ended };
}

/** Processes of the agent that this test started. */
const findLeft = (project: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words[1] === AGENT && words.includes(project);
    } catch {
      return false;
    }
  });

describe("in a turn, an agent that", () => {
  test.each(
    sampled([
      [
        "dies",
        "die",
        1,
        /^adj: agent `acp` failed: the agent exited with 3: out of memory; see .*\n$/,
      ],
      [
        "floods",
        "flood",
        1,
        /^adj: agent `acp` failed: the agent printed a line of more than .*\n$/,
      ],
      ["fails", "fail", 1, /^adj: agent `acp` failed: slow down; see .*\n$/],
      ["answers nothing", "say", 0, /^adj: acp ended the turn without a word\n$/],
      ["says what nobody understands", "noise", 0, /^$/],
    ] as const),
  )("%s costs one line, and the next prompt is answered", async (_, prompt, exitCode, line) => {
    const { home, send } = openOddSession();
    const odd = await send(prompt);
    expect({ exitCode: odd.exitCode, stderr: odd.stderr }).toEqual({
      exitCode,
      stderr: expect.stringMatching(line),
    });
    expect(await send("say still here")).toMatchObject({ exitCode: 0, stdout: "still here\n" });
    await home.adj("serve", "stop");
    await waitUntil(() => findLeft(home.project).length === 0);
  });

  longTest(
    "hangs and hears no cancel is ended by Ctrl-C, and the next prompt is answered",
    async () => {
      const { home, send, startSend } = openOddSession();
      const hanging = startSend("deaf");
      await hanging.printed("I wait.");
      const [first] = findLeft(home.project);
      hanging.child.kill("SIGINT");
      expect((await hanging.ended).exitCode).toBe(130);
      expect((await send("say still here")).stdout).toBe("still here\n");
      expect(findLeft(home.project)).not.toContain(first);
    },
  );

  test("asks and is left by a window whose terminal goes away waits for the next window", async () => {
    const { home, startSend } = openOddSession();
    const asking = startSend("ask touch it");
    const question = await home.question();
    asking.child.kill("SIGHUP");
    await asking.ended;
    expect((await home.adj("answer", question, "no")).exitCode).toBe(0);
    await waitUntil(() => home.store.turns.list(home.sessionId, 1)[0]?.endedAt !== null);
    expect(home.store.turns.list(home.sessionId, 1)[0]?.status).toBe("done");
  });
});

test("a secret in the words of an answer reaches the agent whole, and no file of the state folder", async () => {
  const own = "my-own-of-no-known-form-2718";
  const key = `sk-ant-api03-${"Ab1".repeat(31)}`;
  const home = makeSessionHome({ MY_TOKEN: own });
  const sending = home.startSend("please write a file");
  await home.adj("answer", await home.question(), "no", `take ${own} and ${key}`);
  const { stdout } = await sending.ended;
  expect(stdout).toContain(`take ${own} and ${key}`);
  await home.adj("serve", "stop");
  const found = await run("grep", ["-rlE", `${own}|${key}`, home.stateDir], {
    cwd: home.folder,
    env: home.env,
  });
  expect(found.stdout).toBe("");
});
