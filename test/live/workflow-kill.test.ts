// A workflow of real agents whose host is killed again and again: what the scripted model counted is what was paid.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openJournal } from "../../src/workflow/journal/sqlite-journal.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { waitUntil } from "../support/wait-until.ts";
import { findLabCli, missingMessage } from "./lab.ts";
import { openLiveSession } from "./sessions/live-session.ts";

const CALLS = Number(process.env.ADJ_TEST_CALLS ?? 12);
const KILLS = Number(process.env.ADJ_TEST_KILLS ?? 6);
const SEED = Number(process.env.ADJ_TEST_SEED ?? 7);

const nameOf = (call: number): string => `CALL-${String(call).padStart(3, "0")}-`;

const SCRIPT = `export const meta = { name: "fan", description: "many calls" };
const names = ${JSON.stringify(Array.from({ length: CALLS }, (_, call) => nameOf(call)))};
return await parallel(names.map((name) => () => agent(name + " say one")));
`;

describe("a workflow of real agents whose host is killed", () => {
  const codex = findLabCli("codex");
  if (codex === null) return test.skip(missingMessage("codex"));

  test("pays for every call once, and again only for what a kill met under way", {
    timeout: 240_000 + KILLS * 15_000,
  }, async () => {
    // What is gone on with in its thread is a further turn of it.
    const turns = Array.from({ length: KILLS + 1 }, () => "{ text: One. }");
    const scenario = `turns: [${turns.join(", ")}]`;
    const session = await openLiveSession({ clis: [codex], via: "process", scenario });
    const { workspace, stateDir, adj } = session;
    const file = join(workspace, "fan.js");
    writeFileSync(file, SCRIPT);
    const hash = createHash("sha256").update(SCRIPT).digest("hex");
    const words = [`--hash=${hash}`, "--agent=codex", "--at-once=4"];
    const started = await adj("workflow", "run", file, "--detach", ...words);
    expect(started, started.stderr).toMatchObject({ exitCode: 0 });
    const journal = openJournal(stateDir);
    const status = () => journal.listRuns({})[0]?.status;
    const random = seededRandom(SEED);
    let kills = 0;
    while (kills < KILLS && status() !== "done") {
      await pause(200 + random() * 1_500);
      const pid = Number(readFileSync(join(stateDir, "host"), "utf8").split(" ")[2]);
      process.kill(pid, "SIGKILL");
      kills += 1;
      const resumed = await adj("workflow", "resume", "last", "--detach");
      expect(resumed, `seed ${SEED}, kill ${kills}: ${resumed.stderr}`).toMatchObject({
        exitCode: 0,
      });
    }
    await waitUntil(() => status() === "done", 200_000);
    const [run] = journal.listRuns({});
    expect(run?.result).toEqual(Array.from({ length: CALLS }, () => "One."));
    const entries = journal.listEntries(run?.id ?? "");
    journal.close();
    const bodies = session.requests().map(({ body }) => body);
    for (const [call, { starts }] of entries.entries()) {
      const paid = bodies.filter((body) => body.includes(nameOf(call))).length;
      const account = `${nameOf(call)} began ${starts} times and was paid ${paid} times`;
      expect(paid, account).toBeGreaterThanOrEqual(1);
      expect(paid, account).toBeLessThanOrEqual(starts);
    }
    const again = entries.filter(({ starts }) => starts > 1).length;
    console.log(
      `${CALLS} calls, ${kills} kills, ${bodies.length} paid, ${again} begun again; seed ${SEED}`,
    );
  });
});
