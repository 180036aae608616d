import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openState } from "../../src/core/store/state.ts";
import { type FixtureProcess, startFixture } from "../core/store/fixture-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

function openFresh() {
  const folder = temporaryFolder();
  const store = openState(folder);
  onTestFinished(() => store.close());
  store.ensure("s1", null);
  return { store, folder };
}

const { signal } = new AbortController();

async function kill(process: FixtureProcess): Promise<void> {
  process.child.kill("SIGKILL");
  await process.ended;
}

test("the next proceeds after the holder was killed", async () => {
  const { store, folder } = openFresh();
  const holder = startFixture("hold-lease.ts", { args: [folder, "s1"] });
  expect(await holder.nextLine()).toMatch(/^held \d+$/);
  const waiting = store.acquire("s1", signal);
  expect(store.list()).toMatchObject([{ holder: { pid: holder.child.pid }, waiting: 1 }]);
  holder.child.kill("SIGKILL");
  const lease = await waiting;
  store.commit(lease, { slots: new Map([["holder", "next"]]) });
  lease.release();
});

test("a lease left by a process that is long gone is free at once", async () => {
  const { store, folder } = openFresh();
  const holder = startFixture("hold-lease.ts", { args: [folder, "s1"] });
  await holder.nextLine();
  await kill(holder);
  expect(store.list()).toMatchObject([{ holder: null, waiting: 0 }]);
  (await store.acquire("s1", signal)).release();
});

test("killed waiters hold up nobody", async () => {
  const { store, folder } = openFresh();
  const lease = await store.acquire("s1", signal);
  const waiters = [1, 2, 3].map(() => startFixture("hold-lease.ts", { args: [folder, "s1"] }));
  await waitUntil(() => store.list()[0]?.waiting === 3);
  const last = store.acquire("s1", signal);
  await Promise.all(waiters.map(kill));
  expect(store.list()).toMatchObject([{ waiting: 1 }]);
  lease.release();
  (await last).release();
});

const NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const;

function canMakeNamespace(): boolean {
  const [program, ...args] = NAMESPACE;
  try {
    execFileSync(program, [...args, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canMakeNamespace())(
  "an owner in another pid namespace keeps the lease while it is heard, loses it by silence, and cannot overwrite (needs the right to unshare)",
  async () => {
    const { store, folder } = openFresh();
    const owner = startFixture("hold-lease.ts", { args: [folder, "s1"], under: NAMESPACE });
    const generation = Number((await owner.nextLine()).split(" ")[1]);
    let isHeld = false;
    const waiting = store.acquire("s1", signal).finally(() => {
      isHeld = true;
    });

    ageHeartbeat(folder, generation, 7_000);
    await waitUntil(() => silenceOf(folder, generation) < 3_000);
    expect(isHeld).toBe(false);

    const pid = Number(readFileSync(childrenOf(owner), "latin1").trim());
    process.kill(pid, "SIGSTOP");
    ageHeartbeat(folder, generation, 8_000);
    const lease = await waiting;
    store.commit(lease, { slots: new Map([["holder", "next"]]) });

    process.kill(pid, "SIGCONT");
    owner.send("commit stale");
    expect(await owner.nextLine()).toBe("LeaseLost");
    expect(store.readSlot("s1", "holder")).toBe("next");
    lease.release();
  },
);

const childrenOf = ({ child }: FixtureProcess) => `/proc/${child.pid}/task/${child.pid}/children`;

/** Stands for waiting: the last sign of life moves into the past. */
function ageHeartbeat(folder: string, ticket: number, milliseconds: number): void {
  const database = new DatabaseSync(join(folder, "state.db"), { timeout: 5_000 });
  const age = "UPDATE ticket SET heartbeat_at = heartbeat_at - ? WHERE ticket = ?";
  database.prepare(age).run(milliseconds, ticket);
  database.close();
}

function silenceOf(folder: string, ticket: number): number {
  const database = new DatabaseSync(join(folder, "state.db"), { timeout: 5_000 });
  const row = database.prepare("SELECT heartbeat_at FROM ticket WHERE ticket = ?").get(ticket);
  database.close();
  return Date.now() - Number(row?.heartbeat_at);
}
