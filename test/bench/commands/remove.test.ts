import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { makeBenchHome } from "../run/bench-home.ts";

const makeHome = () =>
  makeBenchHome({ plain: { agent: "echo hello > file\necho done\n", evaluators: [{ diff: {} }] } });

test("a run is removed with the workspaces that were kept of it, and only that one", async () => {
  const home = makeHome();
  const first = String((await home.bench("suite.yaml", "--keep", "always")).metadata.run);
  const second = String(
    (await home.bench("suite.yaml", "--keep", "always", "--fresh")).metadata.run,
  );
  const { stdout } = await home.adj("bench", "remove", first);
  expect(stdout).toBe(`removed ${first.slice(0, 8)}\n`);
  const { runs } = (await home.bench("history")).metadata;
  expect(runs).toMatchObject([{ id: second }]);
  expect(readdirSync(join(home.stateDir, "bench", "kept"))).toEqual([second.slice(0, 8)]);
});

test("`--older` leaves what is younger, and what is not over", async () => {
  const home = makeHome();
  const ids = [];
  for (let at = 0; at < 3; at++)
    ids.push(String((await home.bench("suite.yaml", "--fresh")).metadata.run));
  const database = new DatabaseSync(join(home.stateDir, "bench.db"));
  const age = database.prepare(
    "UPDATE run SET started_at = ?1, finished_at = ?1, state = ?2 WHERE id = ?3",
  );
  age.run("2020-01-01T00:00:00.000Z", "done", String(ids[0]));
  age.run("2020-01-01T00:00:00.000Z", "running", String(ids[1]));
  database.close();
  expect((await home.bench("remove", "--older", "30d")).metadata.removed).toEqual([ids[0]]);
  expect((await home.adj("bench", "remove", "--older", "30d")).stdout).toBe("no run is that old\n");
  // On the clock of whoever looks, like every other list.
  const tokyo = await home.adjIn({ env: { ...home.env, TZ: "Asia/Tokyo" } }, "bench", "history");
  expect(tokyo.stdout).toContain(" 2020-01-01 09:00 ");
  const open = await home.adj("bench", "remove", String(ids[1]));
  expect(open.exitCode).toBe(2);
  expect(open.stderr).toContain("is not over; go on with it, or end it with `adj bench cancel");
});

test.each([
  [["remove"], "`bench remove` needs runs, or `--older` with a time such as `30d`"],
  [["remove", "--older", "old"], "`--older` must be a time such as `30d`, not `old`"],
  [["remove", "nothing"], "there is no run `nothing`"],
])("%j is refused", async (words, problem) => {
  const { stderr, exitCode } = await makeHome().adj("bench", ...words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(problem);
});
