// What windows with different secrets leave on the disk of one conversation, whose process stays.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programVariable } from "../../../src/agents/run/availability.ts";
import { openHost } from "../../../src/session/host/open-host.ts";
import type { HostEvent } from "../../../src/session/host/session-host.ts";
import { sendWatched } from "../../../src/session/host/watch-turn.ts";
import { Threads } from "../../../src/session/turns/threads.ts";
import { makeProgram } from "../../agents/run/scripted-agent.ts";
import { openTestProgram } from "../../support/program-of-commands.ts";
import { sessionIdOf } from "../ended-turn.ts";

const PROTOCOLS = join(import.meta.dirname, "../../agents/protocol");
const ACP_AGENT = join(PROTOCOLS, "acp/fixtures/staying-agent.ts");
const STREAM_AGENT = join(PROTOCOLS, "stream-json/fixtures/stream-json-agent.ts");
/** None has a form by which it would be known. */
const [FIRST, LATER] = ["first word of the day 271828", "later word of the day 314159"];

async function openSession(agent: string) {
  const opened = openTestProgram();
  const place = { folder: opened.folder, workspace: opened.root, home: opened.folder };
  const version = `[ "$1" = --version ] && { echo 2.1.325; exit; }`;
  const start = `exec '${process.execPath}' '${STREAM_AGENT}' "$@"`;
  const program = makeProgram(place, `${version}\n${start}`);
  const own = { [programVariable("claude-code")]: program, ANTHROPIC_API_KEY: "x" };
  const env = { PATH: process.env.PATH ?? "", HOME: opened.folder, ...own };
  const { host, close } = await openHost({
    ...{ program: opened.program, env, surface: "cli", waitsForOthers: false },
    stop: () => undefined,
  });
  let isOpen = true;
  const closeOnce = async () => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(closeOnce);
  const params = agent === "acp" ? { argv: [process.execPath, ACP_AGENT] } : {};
  return {
    close: closeOnce,
    /** From another window, into the turn that runs. */
    steer: (text: string, more: Readonly<Record<string, string>>) =>
      host.steer(sessionIdOf(opened), text, { ...env, ...more }),
    stateDir: opened.stateDir,
    /** From a window with these variables; gives how it ended and what was shown of it. */
    send: async (
      text: string,
      more: Readonly<Record<string, string>>,
      onEvent: (event: HostEvent) => void = () => undefined,
    ) => {
      const { root } = opened;
      const options = { cwd: root, root, agent, model: null, params, via: null };
      const request = { sessionId: sessionIdOf(opened), text, options, env: { ...env, ...more } };
      const watched = await sendWatched(host, request);
      const shown: string[] = [];
      const turn = await watched.untilEnded((event) => {
        shown.push(JSON.stringify(event));
        onEvent(event);
      });
      await watched.leave();
      return { turn, shown: shown.join("\n") };
    },
  };
}

function filesWith(words: string, folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(words));
}

test.each([["acp"], ["claude-code"], ["replay"]])(
  "%s: a secret that comes with a later window, or came with an earlier one, is in no file",
  async (agent) => {
    const { send, close, stateDir } = await openSession(agent);
    const first = await send("say hello", { MY_TOKEN: FIRST });
    expect(first.turn).toMatchObject({ problem: null, status: "done" });
    const second = await send(`say ${LATER} and ${FIRST}`, { OTHER_TOKEN: LATER });
    expect(second.turn).toMatchObject({ problem: null, status: "done" });
    // The same conversation, and the person sees the words as they are.
    expect(second.turn.conversation).toBe(first.turn.conversation);
    expect(second.shown).toContain(LATER);
    await close();
    expect(filesWith("[secret]", join(stateDir, "runs")).length).toBeGreaterThan(0);
    for (const secret of [LATER, FIRST]) expect(filesWith(secret, stateDir)).toEqual([]);
  },
);

test("a secret of a window that puts words into the turn is in no file", async () => {
  const { send, steer, close, stateDir } = await openSession("replay");
  let steered: Promise<boolean> | null = null;
  const { turn, shown } = await send("hello", {}, ({ kind }) => {
    if (kind === "progress") steered ??= steer(`and ${LATER}`, { OTHER_TOKEN: LATER });
  });
  expect(await steered).toBe(true);
  expect(turn).toMatchObject({ problem: null, status: "done" });
  expect(shown).toContain(LATER);
  await close();
  expect(filesWith(LATER, stateDir)).toEqual([]);
});

test("what a host remembers of its sessions has an end", () => {
  const threads = new Threads(openTestProgram().program.sessions().turns);
  for (let at = 0; at < 1_000; at++) {
    threads.learnSecrets(`session ${at}`, ["of one session"]);
    threads.learnSecrets("in use", ["the same in each turn", `of turn ${at}`]);
  }
  const remembered = Array.from({ length: 1_000 }, (_, at) => threads.secretsOf(`session ${at}`));
  expect(remembered[0]).toEqual([]);
  expect(remembered[999]).toEqual(["of one session"]);
  expect(remembered.filter(({ length }) => length > 0).length).toBeLessThan(200);
  const inUse = threads.secretsOf("in use");
  expect(inUse).toContain("the same in each turn");
  expect(inUse).toContain("of turn 999");
  expect(inUse.length).toBe(500);
  threads.learnSecrets("in use", ["the same in each turn"]);
  expect(threads.secretsOf("in use")).toBe(inUse);
});
