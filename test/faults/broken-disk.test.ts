import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAudit } from "../../src/core/store/audit.ts";
import { openState } from "../../src/core/store/state.ts";
import { sampleEvent } from "../core/store/sample-event.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { canMount, fillDisk, makeReadOnly, mountTmpfs } from "./tmpfs.ts";

const { signal } = new AbortController();
const STORES = [
  ["audit.db", openAudit],
  ["state.db", openState],
] as const;

const unavailable = (path: string, problem: string, hint: string) =>
  expect.objectContaining({
    class: "Storage",
    code: "StoreUnavailable",
    message: `\`${path}\` cannot be used: ${problem}`,
    hint: expect.stringContaining(hint),
  });

describe.skipIf(!canMount())("a read-only folder (needs root to mount one)", () => {
  test.each(STORES)("without a %s is a fault and stays empty", (file, open) => {
    const folder = mountTmpfs("size=1m");
    makeReadOnly(folder);
    const problem = "it or its folder is read-only";
    expect(() => open(folder)).toThrow(unavailable(join(folder, file), problem, "ADJ_STATE_DIR"));
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(STORES)("with a %s of before is a fault", (file, open) => {
    const folder = mountTmpfs("size=1m");
    open(folder).close();
    makeReadOnly(folder);
    expect(() => open(folder)).toThrow(
      expect.objectContaining({
        code: "StoreUnavailable",
        facts: expect.objectContaining({ path: join(folder, file) }),
        hint: expect.stringContaining("make it writable"),
      }),
    );
  });
});

describe.skipIf(!canMount())("a full disk (needs root to mount a small one)", () => {
  const large = "x".repeat(200_000);

  test("refuses a commit whole, and takes it again when there is space", async () => {
    const folder = mountTmpfs("size=1m");
    const store = openState(folder);
    onTestFinished(() => store.close());
    const lease = await store.acquire("s1", signal);
    store.commit(lease, { slots: new Map([["a", "old"]]) });
    const ballast = fillDisk(folder);

    const change = {
      slots: new Map([
        ["a", "new"],
        ["b", large],
      ]),
    };
    const full = unavailable(join(folder, "state.db"), "the disk is full", "free some space");
    expect(() => store.commit(lease, change)).toThrow(full);
    expect(store.readSlot("s1", "a")).toBe("old");
    expect(store.readSlot("s1", "b")).toBeUndefined();

    rmSync(ballast);
    store.commit(lease, change);
    expect(store.readSlot("s1", "a")).toBe("new");
    lease.release();
    expect(checkIntegrity(join(folder, "state.db"))).toBe("ok");
  });

  test("refuses an event, and a dispatch leaves neither event nor trace", () => {
    const folder = mountTmpfs("size=1m");
    const audit = openAudit(folder);
    onTestFinished(() => audit.close());
    audit.append(sampleEvent());
    const ballast = fillDisk(folder);

    const event = sampleEvent({ data: { name: "deploy", text: large } });
    const full = unavailable(join(folder, "audit.db"), "the disk is full", "free some space");
    expect(() => audit.append(event)).toThrow(full);
    expect(() => audit.openDispatch(event)).toThrow(full);
    expect([...audit.read({})]).toHaveLength(1);

    rmSync(ballast);
    expect(audit.openDispatch(event).seq).toBe(2);
    expect(checkIntegrity(join(folder, "audit.db"))).toBe("ok");
  });

  test.each(STORES)("leaves no %s half made", (file, open) => {
    const folder = mountTmpfs("size=256k");
    const ballast = fillDisk(folder);
    const problem = "the disk is full";
    expect(() => open(folder)).toThrow(unavailable(join(folder, file), problem, "free some space"));
    rmSync(ballast);
    open(folder).close();
  });

  test("that has space again lets go of a lease that could not be released", async () => {
    const folder = mountTmpfs("size=1m");
    const store = openState(folder);
    onTestFinished(() => store.close());
    const lease = await store.acquire("s1", signal);
    const ballast = fillDisk(folder);
    expect(() => lease.release()).toThrow(expect.objectContaining({ code: "StoreUnavailable" }));
    rmSync(ballast);
    (await store.acquire("s1", AbortSignal.timeout(10_000))).release();
  });
});

describe("a damaged file", () => {
  test.each(STORES)("%s that is no database is named, with what to do", (file, open) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, file), "no database at all ".repeat(500));
    const problem = "the file is not a database";
    expect(() => open(folder)).toThrow(unavailable(join(folder, file), problem, "move it aside"));
  });

  test("with broken pages is found out when they are read or written", async () => {
    const folder = temporaryFolder();
    const before = { audit: openAudit(folder), state: openState(folder) };
    before.audit.append(sampleEvent());
    const lease = await before.state.acquire("s1", signal);
    before.state.commit(lease, { slots: new Map([["a", 1]]) });
    before.audit.close();
    before.state.close();
    for (const [file] of STORES) breakPages(join(folder, file));

    const { audit, state } = { audit: openAudit(folder), state: openState(folder) };
    onTestFinished(() => audit.close());
    onTestFinished(() => state.close());
    const damaged = (file: string) =>
      unavailable(join(folder, file), "the file is damaged", "move it aside");
    expect(() => [...audit.read({})]).toThrow(damaged("audit.db"));
    expect(() => audit.append(sampleEvent())).toThrow(damaged("audit.db"));
    expect(() => state.readSlot("s1", "a")).toThrow(damaged("state.db"));
    await expect(state.acquire("s1", signal)).rejects.toThrow(damaged("state.db"));
  });
});

describe("a newer version's file", () => {
  test.each(STORES)("%s is refused and stays as it is", (file, open) => {
    const folder = temporaryFolder();
    const path = join(folder, file);
    open(folder).close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const bytes = readFileSync(path);
    expect(() => open(folder)).toThrow(
      expect.objectContaining({
        class: "Storage",
        code: "StoreTooNew",
        facts: { path, found: 99, known: file === "state.db" ? 5 : 1 },
      }),
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });
});

/** Leaves the first page, which holds the header and the schema. */
function breakPages(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xee, 4096));
}

function checkIntegrity(path: string): unknown {
  const database = new DatabaseSync(path);
  const result = database.prepare("PRAGMA integrity_check").get()?.integrity_check;
  database.close();
  return result;
}
