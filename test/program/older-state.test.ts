import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { type Home, makeHome } from "./adj.ts";

const COMMAND = `import { defineCommand, ok, z } from "adjutant";
export default defineCommand({
  description: "Say hello",
  effect: "write",
  args: z.object({ name: z.string().meta({ positional: 0, plain: true }) }),
  run: async ({ name }, { session }) => {
    const times = Number(await session.slot().update((value) => Number(value ?? 0) + 1));
    return ok(\`hello \${name}, \${times}\`);
  },
});
`;

/** A home whose state folder was written by that version: its tables and rows, as it left them. */
function homeOf(version: string): Home {
  const home = makeHome();
  mkdirSync(home.stateDir);
  for (const name of ["audit", "state", "bench"]) {
    const database = new DatabaseSync(join(home.stateDir, `${name}.db`));
    database.exec("PRAGMA journal_mode = WAL");
    const dump = join(import.meta.dirname, "fixtures", `state-${version}`, `${name}.sql`);
    database.exec(readFileSync(dump, "utf8"));
    database.close();
  }
  home.write({ "config/commands/greet.ts": COMMAND });
  return home;
}

test.each(["0.1.0"])("a state folder of %s opens, and what was in it goes on", async (version) => {
  const home = homeOf(version);
  const env = { ...home.env, ADJ_SESSION_ID: "spring" };
  const adj = (...words: string[]) => home.adjIn({ env }, ...words);
  expect(await adj("greet", "Eve")).toMatchObject({ stdout: "hello Eve, 3\n", stderr: "" });
  expect((await adj("params")).stdout).toContain("0.2");
  expect((await adj("sessions")).stdout).toContain("/home/ada/project");
  const log = await adj("log", "--command", "greet");
  expect(log.stdout.match(/CommandResulted.*greet ok 0/g)).toHaveLength(3);
  const history = await adj("bench", "history", "small-repairs");
  expect(history).toMatchObject({ exitCode: 0, stderr: "" });
  expect(history.stdout).toContain("senior");
  const shown = await adj("bench", "show", "empty-list/senior");
  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
});
