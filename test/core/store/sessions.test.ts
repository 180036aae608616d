import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { EMPTY_SESSION, type SessionState } from "../../../src/core/command/context.ts";
import { identifySelf } from "../../../src/core/process/identity.ts";
import { openState } from "../../../src/core/store/state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function openFresh(folder = temporaryFolder()) {
  const store = openState(folder);
  onTestFinished(() => store.close());
  return { store, folder };
}

const { signal } = new AbortController();
const STATE: SessionState = {
  agent: "claude-code",
  model: "opus",
  params: { "sampling.temperature": 0.2, secret: "env:TOKEN" },
  workflow: null,
  mode: null,
  allow: [],
};

describe("a session", () => {
  test("ensuring one that is there changes nothing", async () => {
    const { store } = openFresh();
    store.ensure("s1", "/project");
    const lease = await store.acquire("s1", signal);
    store.commit(lease, { state: STATE });
    store.ensure("s1", "/elsewhere");
    expect(store.read("s1")).toEqual(STATE);
    expect(store.list()[0]?.root).toBe("/project");
  });
});

describe("what a session holds", () => {
  test("is empty at first, also for a session that nobody made", () => {
    const { store } = openFresh();
    store.ensure("s1", null);
    expect(store.read("s1")).toEqual(EMPTY_SESSION);
    expect(store.read("nobody")).toEqual(EMPTY_SESSION);
    expect(store.readSlot("s1", "deploy")).toBeUndefined();
  });

  test("is what was committed, for every process", async () => {
    const { store, folder } = openFresh();
    store.ensure("s1", null);
    const lease = await store.acquire("s1", signal);
    const slots = new Map([
      ["deploy", { count: 1 }],
      ["test", null],
    ]);
    store.commit(lease, { state: STATE, slots });
    const { store: other } = openFresh(folder);
    expect(other.read("s1")).toEqual(STATE);
    expect(other.readSlot("s1", "deploy")).toEqual({ count: 1 });
    expect(other.readSlot("s1", "test")).toBeNull();
    expect(other.readSlot("s2", "deploy")).toBeUndefined();
  });

  test("keeps the rest when only a part is committed", async () => {
    const { store } = openFresh();
    const lease = await store.acquire("s1", signal);
    store.commit(lease, { state: STATE, slots: new Map([["deploy", 1]]) });
    store.commit(lease, { slots: new Map([["test", 2]]) });
    store.commit(lease, { state: { ...STATE, model: "haiku" } });
    expect(store.read("s1").model).toBe("haiku");
    expect([store.readSlot("s1", "deploy"), store.readSlot("s1", "test")]).toEqual([1, 2]);
  });

  test.each([
    "{oops",
    "null",
    "[]",
    '{"agent":null}',
    '{"agent":1,"model":null,"params":{},"workflow":null,"turns":[]}',
    '{"agent":null,"model":null,"params":[],"workflow":null}',
  ])("is a fault when the disk holds %s instead", (text) => {
    const { store, folder } = openFresh();
    store.ensure("s1", null);
    const database = new DatabaseSync(join(folder, "state.db"));
    database.prepare("UPDATE session SET state = ?").run(text);
    database.prepare("INSERT INTO slot VALUES ('s1', 'deploy', '{oops')").run();
    database.close();
    const unavailable = expect.objectContaining({ code: "StoreUnavailable" });
    expect(() => store.read("s1")).toThrow(unavailable);
    expect(() => store.readSlot("s1", "deploy")).toThrow(unavailable);
  });
});

test("a state that version 0.3.0 wrote is read, without the turns that it never had", () => {
  const { store, folder } = openFresh();
  store.ensure("s1", null);
  const database = new DatabaseSync(join(folder, "state.db"));
  const old = { agent: "codex", model: null, params: { a: 1 }, workflow: null, turns: [] };
  database.prepare("UPDATE session SET state = ?").run(JSON.stringify(old));
  database.close();
  expect(store.read("s1")).toEqual({ ...EMPTY_SESSION, agent: "codex", params: { a: 1 } });
});

describe("the list", () => {
  test("shows who holds a session and how many wait", async () => {
    const { store } = openFresh();
    store.ensure("s1", "/project");
    expect(store.list()).toMatchObject([{ id: "s1", name: null, holder: null, waiting: 0 }]);
    const lease = await store.acquire("s1", signal);
    const waiting = [store.acquire("s1", signal), store.acquire("s1", signal)];
    expect(store.list()).toMatchObject([{ holder: identifySelf(), waiting: 2 }]);
    lease.release();
    for (const next of waiting) (await next).release();
    expect(store.list()).toMatchObject([{ holder: null, waiting: 0 }]);
  });

  test("shows names and times but no contents, the last used first", async () => {
    const { store } = openFresh();
    store.ensure("s1", null);
    store.ensure("s2", null);
    const createdAt = store.list()[0]?.createdAt ?? "";
    const lease = await store.acquire("s1", signal);
    while (new Date().toISOString() === createdAt);
    store.commit(lease, { state: STATE });
    const [first, second] = store.list();
    expect([first?.id, second?.id]).toEqual(["s1", "s2"]);
    expect(String(first?.updatedAt) > createdAt).toBe(true);
    expect(Object.keys(first ?? {}).sort()).toEqual(
      ["createdAt", "holder", "id", "name", "root", "updatedAt", "waiting"].sort(),
    );
  });
});

describe("a name", () => {
  test("finds its session, also after it was changed", () => {
    const { store } = openFresh();
    store.ensure("s1", null);
    store.rename("s1", "release");
    expect(store.findByName("release")).toBe("s1");
    store.rename("s1", "release-2");
    expect(store.findByName("release")).toBeNull();
    expect(store.findByName("release-2")).toBe("s1");
    expect(store.list()[0]?.name).toBe("release-2");
  });

  test("of another session is refused, and both stay as they are", () => {
    const { store } = openFresh();
    store.rename("s1", "release");
    store.rename("s2", "hotfix");
    expect(() => store.rename("s2", "release")).toThrow(
      expect.objectContaining({ code: "InputInvalid", hint: "choose another name" }),
    );
    store.rename("s1", "release");
    expect([store.findByName("release"), store.findByName("hotfix")]).toEqual(["s1", "s2"]);
  });
});
