// The state folder breaks in the middle of a turn, on the built program with a host of its own.
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../src/core/store/state.ts";
import { ADJ, makeHome, start } from "../program/adj.ts";
import { longTest } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { canMount, coverReadOnly, fillDisk, mountTmpfs, uncover } from "./tmpfs.ts";

const AGENT = join(import.meta.dirname, "../agents/protocol/acp/fixtures/staying-agent.ts");

/** A session with an agent that waits for a file before it goes on. */
async function beginTurn(stateDir?: string) {
  const home = makeHome();
  const env = {
    ...home.env,
    ADJ_HOST_IDLE: "60s",
    ...(stateDir === undefined ? {} : { ADJ_STATE_DIR: stateDir }),
  };
  const place = { cwd: home.project, env };
  const folder = stateDir ?? home.stateDir;
  const argv = `argv=${JSON.stringify([process.execPath, AGENT])}`;
  const startSend = (text: string) =>
    start(ADJ, ["send", "--agent", "acp", "--param", argv, text], place);
  onTestFinished(async () => {
    await start(ADJ, ["serve", "stop"], place).ended;
  });
  expect((await startSend("say hello").ended).stdout).toContain("hello");
  const go = join(home.folder, "go");
  const sending = startSend(`go-on-after ${go}`);
  await sending.printed("I wait.");
  const turns = () => {
    const store = openState(folder);
    const list = store.turns.list(`project:${home.project}`, 10);
    store.close();
    return list;
  };
  return {
    folder,
    project: home.project,
    sending,
    startSend,
    turns,
    goOn: () => writeFileSync(go, ""),
  };
}

/** The agent's own word is on the disk up to where it broke. */
function recordedText(folder: string, runId: string | null): string {
  return readFileSync(join(folder, "runs", runId ?? "", "events.ndjson"), "utf8");
}

/** The agents that run in this project. */
function findAgents(project: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return (
        words.includes(AGENT) && words[0] !== ADJ && readlinkSync(`/proc/${pid}/cwd`) === project
      );
    } catch {
      return false;
    }
  });
}

describe.skipIf(!canMount())("in the middle of a turn (needs root to mount)", () => {
  test.each<[string, (folder: string) => () => void]>([
    [
      "full",
      (folder) => {
        const ballast = fillDisk(folder);
        return () => rmSync(ballast);
      },
    ],
    [
      "read-only",
      (folder) => {
        coverReadOnly(folder);
        return () => uncover(folder);
      },
    ],
  ])(
    "a disk that is %s ends the turn with one line, and the next works when it is mended",
    async (_, breakIt) => {
      const begun = await beginTurn(mountTmpfs("size=8m"));
      const { folder, project, sending, startSend, turns, goOn } = begun;
      const mend = breakIt(folder);
      goOn();
      const { exitCode, stderr } = await sending.ended;
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/^adj: [^\n]*(the disk is full|is read-only)[^\n]*\n$/);
      mend();
      await waitUntil(() => turns()[1]?.status === "failed");
      expect(recordedText(folder, turns()[1]?.runId ?? null)).toContain("I wait.");
      const next = await startSend("say and on").ended;
      expect([next.stdout, next.exitCode]).toEqual(["and on\n", 0]);
      expect(turns().map(({ status }) => status)).toEqual(["done", "failed", "done"]);
      // The one that stays is the conversation's.
      expect(findAgents(project)).toHaveLength(1);
    },
  );
});

longTest(
  "a database that is locked while the turn ends costs nothing: the answer is there when it is free",
  async () => {
    const { folder, sending, startSend, turns, goOn } = await beginTurn();
    const other = new DatabaseSync(join(folder, "state.db"));
    other.exec("BEGIN IMMEDIATE");
    goOn();
    const { exitCode, stderr, stdout } = await sending.ended;
    expect(exitCode).toBe(1);
    expect(stdout).toContain("199 words");
    expect(stderr).toMatch(/^adj: [^\n]*another process kept it locked[^\n]*\n$/);
    other.exec("ROLLBACK");
    other.close();
    await waitUntil(() => turns()[1]?.status === "done");
    expect(turns()[1]?.answer).toContain("199 words");
    expect((await startSend("say and on").ended).stdout).toBe("and on\n");
  },
  60_000,
);
