import { expect, onTestFinished, test } from "vitest";
import { startFilePostgres } from "../bench/store/file-postgres.ts";
import { PASSWORD } from "../bench/store/postgres-server.ts";
import { makeHome } from "./adj.ts";

const server = await startFilePostgres();

test("a suite begun on one machine is worked off on another, its files with it, and the password goes nowhere", async () => {
  const store = await server.makeDatabase();
  const here = makeHome();
  const there = makeHome();
  here.write({
    "project/case/given.txt": "from here\n",
    "project/suite.yaml": JSON.stringify({
      name: "travels",
      agents: [{ id: "reader", agent: "command", config: { argv: ["cat", "given.txt"] } }],
      cases: [
        {
          id: "read",
          prompt: "go",
          labels: ["far"],
          workspace: { template: "./case" },
          evaluators: [{ contains: "from here" }],
        },
        {
          id: "miss",
          prompt: "go",
          labels: ["far"],
          workspace: { template: "./case" },
          evaluators: [{ contains: "no" }],
        },
      ],
      repeat: 3,
      limits: { timeout: "1m", concurrency: 2 },
    }),
  });
  const worker = there.start("bench", "worker", "--store", store, "--labels", "far");
  onTestFinished(() => void worker.child.kill("SIGKILL"));
  const printed = await here.adj("bench", "suite.yaml", "--store", store);
  expect(printed.stdout, printed.stderr).toContain("3/3");
  expect(printed.exitCode).toBe(0);
  // It did none of them itself: progress is that of all workers, and what to type next names the store.
  expect(printed.stderr).toMatch(/6\/6 (read|miss)\/reader\/\d (passed|failed)/);
  const address = store.replace(`:${PASSWORD}@`, "@");
  expect(printed.stdout).toMatch(/why: `adj bench show miss\/reader \w{8} --store /);
  expect(printed.stdout.replaceAll(/\s+/g, " ")).toContain(`--store ${address}`);
  const unknown = await here.adj("bench", "show", "miss/nobody", "--store", store);
  expect(unknown.stderr).toContain(`\`adj bench report --store ${address}\` lists its cases`);
  const noRun = await here.adj("bench", "compare", "zzz", "yyy", "--store", store);
  expect(noRun.stderr).toContain(`\`adj bench history --store ${address}\` lists them`);
  const noSuite = await here.adj("bench", "history", "other", "--store", store);
  expect(noSuite.stdout).toBe(
    `no run of \`other\` yet; \`adj bench other --store ${address}\` makes one\n`,
  );
  worker.child.kill("SIGTERM");
  const worked = await worker.ended;
  expect(worked.stderr).toContain("read/reader/3 passed");
  const recorded = JSON.stringify([await here.events(), await there.events(), printed, worked]);
  expect(recorded).not.toContain(PASSWORD);
}, 60_000);
