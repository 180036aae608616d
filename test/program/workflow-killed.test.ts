// A workflow whose host is killed in the middle of a call, by the built program alone.
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJournal } from "../../src/workflow/journal/sqlite-journal.ts";
import { waitUntil } from "../support/wait-until.ts";
import { makeSessionHome } from "./session-home.ts";

const SCRIPT = `export const meta = { name: "panel", description: "two calls" };
const first = await agent("one", { label: "first" });
const second = await agent("two", { label: "second" });
return [first, second];
`;

/** The second call asks whether it may run its line, and is under way until somebody answers. */
const CASSETTE = {
  adjutant: 1,
  steps: [{ shell: "touch made.txt" }, { say: "before" }, { prompt: "again" }, { say: "after" }],
};

test("a killed host's run is gone on with: what is finished stays, what was under way goes on in its thread", async () => {
  const home = makeSessionHome();
  home.write({
    "project/.adjutant/workflows/panel.js": SCRIPT,
    "config/cassette.json": JSON.stringify(CASSETTE),
    "config/config.yaml": `params:\n  cassette: ${join(home.configDir, "cassette.json")}\n`,
  });
  await home.trust();
  const started = await home.adj("workflow", "run", "panel", "--agent", "replay", "--detach");
  expect(started).toMatchObject({ exitCode: 0, stderr: "" });
  const answerFirst = await home.question();
  await home.adj("answer", answerFirst, "yes");
  await waitUntil(() => home.store.questions.listOpen().some(({ id }) => id !== answerFirst));
  const killed = home.hostPid();
  process.kill(killed, "SIGKILL");
  const resumed = await home.adj("workflow", "resume", "last", "--json");
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(home.hostPid()).not.toBe(killed);
  const journal = openJournal(home.stateDir);
  const [run] = journal.listRuns({});
  const entries = journal.listEntries(run?.id ?? "");
  journal.close();
  expect(run).toMatchObject({ status: "done", result: ["before", "after"] });
  expect(entries.map(({ starts, runIds }) => [starts, runIds.length])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  const turns = home.store.turns.list(entries[1]?.sessionId ?? "", 5);
  expect(turns.map(({ status, problem }) => [status, problem?.code ?? null])).toEqual([
    ["failed", "ProcessLost"],
    ["done", null],
  ]);
  expect(turns[1]?.prompt).toContain("You were interrupted in the middle of this.");
  expect(turns[1]?.conversation).toBe(turns[0]?.conversation);
});
