import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inTier } from "../support/tier.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Home, makeHome, run } from "./adj.ts";

const LIBRARY = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "library.js")).href;
const DRIVER = join(import.meta.dirname, "fixtures", "dispatch-often.ts");

const WRITERS = inTier(3, 10);
const TIMES = inTier(15, 1_000);

function makeCounters(): Home {
  const home = makeHome();
  home.write({
    "config/commands/count.js": `import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Count up by one",
  effect: "write",
  run: async (_, { session }) => ok(String(await session.slot().update((value) => Number(value ?? 0) + 1))),
});
`,
    "config/commands/hold.js": `import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Keep the lease",
  effect: "write",
  run: async (_, { session, write }) => {
    await session.slot("hold").update(() => "half done");
    await write("holding\\n");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
    return ok();
  },
});
`,
  });
  return home;
}

test(`${WRITERS} writers in as many processes lose nothing`, async () => {
  const home = makeCounters();
  const place = { cwd: home.project, env: home.env };
  const words = [DRIVER, LIBRARY, "count", String(TIMES)];
  const writers = Array.from({ length: WRITERS }, () => run(process.execPath, words, place));
  for (const printed of await Promise.all(writers))
    expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await home.adj("count")).toMatchObject({ stdout: `${WRITERS * TIMES + 1}\n`, stderr: "" });
}, 180_000);

test("the lease of a killed process is free, and its dispatch is not left open", async () => {
  const home = makeCounters();
  await home.adj("count");
  const { child, printed, ended } = home.start("hold");
  await printed("holding");
  const waiting = home.start("count");
  await waitUntil(() => ticketsIn(home) === 2);
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ signal: "SIGKILL", stdout: "holding\n", stderr: "" });
  expect(await waiting.ended).toMatchObject({ exitCode: 0, stdout: "2\n", stderr: "" });
  await home.adj("env");
  const events = await home.events();
  const opened = events.find(
    ({ type, data }) => type === "CommandDispatched" && data.name === "hold",
  );
  const closed = events.filter(({ correlationId }) => correlationId === opened?.correlationId);
  expect(closed).toMatchObject([
    { type: "CommandDispatched" },
    {
      type: "CommandResulted",
      causationId: String(opened?.seq),
      data: {
        name: "hold",
        outcome: { kind: "failed", exitCode: 1, class: "Internal", code: "ProcessLost" },
      },
    },
  ]);
});

/** How many stand in the queue of the session. */
function ticketsIn({ stateDir }: Home): number {
  const database = new DatabaseSync(join(stateDir, "state.db"), { readOnly: true });
  try {
    return Number(database.prepare("SELECT count(*) AS tickets FROM ticket").get()?.tickets);
  } finally {
    database.close();
  }
}
