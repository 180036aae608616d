import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/core/store/state.ts";
import type { SessionStore } from "../../../src/core/store/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startFixture } from "./fixture-process.ts";

function openFresh(folder = temporaryFolder()) {
  const store = openState(folder);
  onTestFinished(() => store.close());
  store.ensure("s1", null);
  return { store, folder };
}

function edit(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "state.db"), { timeout: 5_000 });
  database.exec(sql);
  database.close();
}

const { signal } = new AbortController();
const waitingIn = (store: SessionStore) => store.list()[0]?.waiting ?? 0;
const slot = (value: number) => ({ slots: new Map([["count", value]]) });
const leaseLost = expect.objectContaining({ class: "Storage", code: "LeaseLost" });

describe("within one process", () => {
  test("everybody gets the lease once, in the order of asking", async () => {
    const { store } = openFresh();
    const order: number[] = [];
    const asked = Array.from({ length: 200 }, async (_, number) => {
      const lease = await store.acquire("s1", signal);
      order.push(number);
      await Promise.resolve();
      lease.release();
    });
    await Promise.all(asked);
    expect(order).toEqual(Array.from({ length: 200 }, (_, number) => number));
  });

  test("one waits while another holds it, and generations grow", async () => {
    const { store } = openFresh();
    const first = await store.acquire("s1", signal);
    let isHeld = false;
    const second = store.acquire("s1", signal).then((lease) => {
      isHeld = true;
      return lease;
    });
    await store.acquire("another session", signal);
    expect(isHeld).toBe(false);
    first.release();
    expect((await second).generation).toBeGreaterThan(first.generation);
  });

  test("two stores on one folder share the queue", async () => {
    const { store, folder } = openFresh();
    const { store: other } = openFresh(folder);
    const first = await store.acquire("s1", signal);
    const second = other.acquire("s1", signal);
    await waitUntil(() => waitingIn(store) === 1);
    first.release();
    (await second).release();
  });

  test("releasing twice does not take the lease from the next", async () => {
    const { store } = openFresh();
    const first = await store.acquire("s1", signal);
    const waiting = store.acquire("s1", signal);
    first.release();
    const second = await waiting;
    first.release();
    store.commit(second, slot(1));
    expect(() => store.commit(first, slot(2))).toThrow(leaseLost);
    expect(store.readSlot("s1", "count")).toBe(1);
  });
});

describe("an abort", () => {
  test("before asking leaves no trace", async () => {
    const { store } = openFresh();
    const reason = new Error("too late");
    await expect(store.acquire("s1", AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(store.list()).toMatchObject([{ holder: null, waiting: 0 }]);
  });

  test.each(["by this process", "by another process"])(
    "while it is held %s rejects with the reason and leaves the queue",
    async (by) => {
      const { store, folder } = openFresh();
      const holder = by === "by this process" ? store : openFresh(folder).store;
      const lease = await holder.acquire("s1", signal);
      const controller = new AbortController();
      const aborted = store.acquire("s1", controller.signal);
      const next = store.acquire("s1", signal);
      expect(waitingIn(store)).toBe(2);
      const reason = new Error("the person changed their mind");
      controller.abort(reason);
      await expect(aborted).rejects.toBe(reason);
      expect(waitingIn(store)).toBe(1);
      lease.release();
      (await next).release();
    },
  );
});

describe("a pause", () => {
  test("lets others in, and what they wrote is there after it", async () => {
    const { store } = openFresh();
    const asking = await store.acquire("s1", signal);
    const before = asking.generation;
    asking.pause();
    const other = await store.acquire("s1", signal);
    store.commit(other, slot(7));
    const resumed = asking.resume(signal);
    other.release();
    await resumed;
    expect(store.readSlot("s1", "count")).toBe(7);
    expect(asking.generation).toBeGreaterThan(before);
    store.commit(asking, slot(8));
    asking.release();
    expect(store.readSlot("s1", "count")).toBe(8);
  });

  test("means that nothing can be written", async () => {
    const { store } = openFresh();
    const lease = await store.acquire("s1", signal);
    lease.pause();
    lease.pause();
    expect(() => store.commit(lease, slot(1))).toThrow(leaseLost);
    expect(store.readSlot("s1", "count")).toBeUndefined();
  });

  test("that is cancelled leaves the queue and the lease free", async () => {
    const { store } = openFresh();
    const asking = await store.acquire("s1", signal);
    asking.pause();
    const other = await store.acquire("s1", signal);
    const controller = new AbortController();
    const resumed = asking.resume(controller.signal);
    controller.abort(new Error("cancelled"));
    await expect(resumed).rejects.toThrow("cancelled");
    asking.release();
    expect(waitingIn(store)).toBe(0);
    other.release();
    expect(store.list()[0]?.holder).toBeNull();
  });

  test("ends once even if several ask for it", async () => {
    const { store } = openFresh();
    const lease = await store.acquire("s1", signal);
    await lease.resume(signal);
    lease.pause();
    await Promise.all([lease.resume(signal), lease.resume(signal)]);
    store.commit(lease, slot(1));
    lease.release();
    expect(store.list()[0]).toMatchObject({ holder: null, waiting: 0 });
  });

  test("of a lease that was released meanwhile does not take it again", async () => {
    const { store } = openFresh();
    const lease = await store.acquire("s1", signal);
    lease.pause();
    const other = await store.acquire("s1", signal);
    const resumed = lease.resume(signal);
    lease.release();
    other.release();
    await expect(resumed).rejects.toThrow(leaseLost);
    await expect(lease.resume(signal)).rejects.toThrow(leaseLost);
    expect(store.list()[0]).toMatchObject({ holder: null, waiting: 0 });
  });
});

describe("across processes", () => {
  test("the order of asking holds", async () => {
    const { store, folder } = openFresh();
    const lease = await store.acquire("s1", signal);
    const ends: Promise<unknown>[] = [];
    for (const [place, name] of ["first", "second", "third"].entries()) {
      ends.push(startFixture("sign-list.ts", { args: [folder, "s1", name] }).ended);
      await waitUntil(() => waitingIn(store) === 2 * place + 1);
      ends.push(signList(store, `${name} here`));
    }
    lease.release();
    await Promise.all(ends);
    const names = ["first", "first here", "second", "second here", "third", "third here"];
    expect(store.readSlot("s1", "list")).toEqual(names);
  });

  test("one whose silence was too long cannot overwrite what came after it", async () => {
    const { store, folder } = openFresh();
    const { store: other } = openFresh(folder);
    const slow = await store.acquire("s1", signal);
    edit(folder, "UPDATE ticket SET host = 'elsewhere', heartbeat_at = heartbeat_at - 10001");
    const next = await other.acquire("s1", signal);
    other.commit(next, slot(2));
    expect(() => store.commit(slow, slot(1))).toThrow(leaseLost);
    slow.release();
    other.commit(next, slot(3));
    expect(store.readSlot("s1", "count")).toBe(3);
  });

  test("one that lost its place in the queue takes a new one", async () => {
    const { store, folder } = openFresh();
    const lease = await store.acquire("s1", signal);
    const waiting = [store.acquire("s1", signal), store.acquire("s1", signal)];
    edit(folder, `DELETE FROM ticket WHERE ticket = ${lease.generation + 1}`);
    lease.release();
    const [first, second] = await Promise.all(
      waiting.map(async (next) => {
        const held = await next;
        store.commit(held, slot(held.generation));
        held.release();
        return held.generation;
      }),
    );
    expect(second).toBe(lease.generation + 2);
    expect(first).toBe(lease.generation + 3);
  });

  test("closing the store gives everything back", async () => {
    const folder = temporaryFolder();
    const store = openState(folder);
    await store.acquire("s1", signal);
    const { store: other } = openFresh(folder);
    const waiting = other.acquire("s1", signal);
    store.close();
    (await waiting).release();
  });
});

async function signList(store: SessionStore, name: string): Promise<void> {
  const lease = await store.acquire("s1", signal);
  const list = store.readSlot("s1", "list");
  store.commit(lease, { slots: new Map([["list", [...(Array.isArray(list) ? list : []), name]]]) });
  lease.release();
}
