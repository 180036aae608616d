import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { type Database, openDatabase, transact } from "../../../src/core/store/sqlite.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { inTier } from "../../support/tier.ts";
import { startFixture } from "./fixture-process.ts";

const FIRST = "CREATE TABLE note (text TEXT NOT NULL) STRICT";
const SECOND = "ALTER TABLE note ADD COLUMN at TEXT";

const open = (folder: string, migrations = [FIRST]): Database =>
  openDatabase({ path: join(folder, "notes.db"), migrations });
const modeOf = (path: string) => statSync(path).mode & 0o777;
const countNotes = (database: Database) =>
  database.connection.prepare("SELECT count(*) AS count FROM note").get()?.count;
const addNote = (database: Database, text: string) =>
  database.statement("INSERT INTO note (text) VALUES (?)").run(text);

test("folder and files are made for the owner alone", () => {
  const folder = join(temporaryFolder(), "state", "adjutant");
  const database = open(folder);
  transact(database, () => addNote(database, "one"));
  expect(modeOf(folder)).toBe(0o700);
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["notes.db", "notes.db-shm", "notes.db-wal"]);
  expect(files.map((file) => modeOf(join(folder, file)))).toEqual([0o600, 0o600, 0o600]);
  database.close();
});

test("a connection waits for locks, writes ahead and survives a killed process without syncing each time", () => {
  const database = open(temporaryFolder());
  const pragma = (name: string) => Object.values(database.statement(`PRAGMA ${name}`).get() ?? {});
  expect(pragma("journal_mode")).toEqual(["wal"]);
  expect(pragma("synchronous")).toEqual([1]);
  expect(pragma("busy_timeout")).toEqual([5000]);
  database.close();
});

describe("a transaction", () => {
  test("is kept whole when its work returns, with what it returned", () => {
    const database = open(temporaryFolder());
    expect(transact(database, () => addNote(database, "one").changes)).toBe(1);
    expect(countNotes(database)).toBe(1);
    database.close();
  });

  test("leaves nothing when its work throws, and the error is the one thrown", () => {
    const database = open(temporaryFolder());
    const bug = new TypeError("a bug");
    const work = () => {
      addNote(database, "one");
      throw bug;
    };
    expect(() => transact(database, work)).toThrow(bug);
    expect(countNotes(database)).toBe(0);
    transact(database, () => addNote(database, "two"));
    expect(countNotes(database)).toBe(1);
    database.close();
  });

  test("takes the lock before it reads", () => {
    const folder = temporaryFolder();
    const database = open(folder);
    const other = new DatabaseSync(join(folder, "notes.db"), { timeout: 0 });
    transact(database, () => {
      expect(() => other.exec("BEGIN IMMEDIATE")).toThrow("locked");
    });
    other.close();
    database.close();
  });
});

describe("migrations", () => {
  test("lead forward and keep what is there", () => {
    const folder = temporaryFolder();
    const before = open(folder);
    addNote(before, "kept");
    before.close();
    const after = open(folder, [FIRST, SECOND]);
    expect(after.statement("SELECT text, at FROM note").get()).toEqual({ text: "kept", at: null });
    after.close();
  });

  test("that fail leave the old schema and version", () => {
    const folder = temporaryFolder();
    open(folder).close();
    expect(() => open(folder, [FIRST, SECOND, "CREATE TABLE note (x)"])).toThrow("already exists");
    const database = open(folder);
    expect(database.statement("SELECT * FROM note").columns()).toHaveLength(1);
    database.close();
  });

  test("refuse a database of a newer version and do not touch it", () => {
    const folder = temporaryFolder();
    open(folder, [FIRST, SECOND]).close();
    const path = join(folder, "notes.db");
    const bytes = readFileSync(path);
    expect(() => open(folder)).toThrow(
      expect.objectContaining({
        code: "StoreTooNew",
        facts: { path, found: 2, known: 1 },
        hint: "update Adjutant, or set `ADJ_STATE_DIR` to another folder",
      }),
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(["notes.db"]);
  });
});

describe("a file that cannot be used", () => {
  test("because it is not a database is named and left as it is", () => {
    const folder = temporaryFolder();
    const path = join(folder, "notes.db");
    writeFileSync(path, "these are my notes\n".repeat(100));
    expect(() => open(folder)).toThrow(
      expect.objectContaining({
        class: "Storage",
        code: "StoreUnavailable",
        message: `\`${path}\` cannot be used: the file is not a database`,
        hint: expect.stringContaining("move it aside"),
      }),
    );
    expect(readFileSync(path, "utf8")).toMatch(/^these are my notes/);
  });

  test("because a file lies where the folder should be is said so", () => {
    const folder = join(temporaryFolder(), "state");
    writeFileSync(folder, "");
    expect(() => open(folder)).toThrow(
      expect.objectContaining({
        code: "StoreUnavailable",
        message: expect.stringContaining("lies where"),
      }),
    );
  });

  test("because another process keeps it locked is said so", () => {
    const folder = temporaryFolder();
    const database = open(folder);
    database.connection.exec("PRAGMA busy_timeout = 10");
    const other = new DatabaseSync(join(folder, "notes.db"));
    other.exec("BEGIN IMMEDIATE");
    expect(() => transact(database, () => addNote(database, "one"))).toThrow(
      expect.objectContaining({
        code: "StoreUnavailable",
        message: expect.stringContaining("locked"),
      }),
    );
    other.exec("COMMIT");
    other.close();
    transact(database, () => addNote(database, "two"));
    expect(countNotes(database)).toBe(1);
    database.close();
  });
});

test("opening waits for a process that is just making the same database", async () => {
  const folder = temporaryFolder();
  const maker = startFixture("lock-fresh.ts", { args: [join(folder, "notes.db")] });
  await maker.nextLine();
  const database = open(folder);
  expect(countNotes(database)).toBe(0);
  database.close();
});

const OPENERS = inTier(5, 10);

test.each(inTier([1], [1, 2, 3]))(
  `${OPENERS} processes open fresh databases at once, round %i`,
  async () => {
    const folder = join(temporaryFolder(), "state");
    const processes = Array.from({ length: OPENERS }, () =>
      startFixture("open-at-once.ts", { args: [folder] }),
    );
    await Promise.all(processes.map((process) => process.nextLine()));
    for (const process of processes) process.send("go");
    const sequence = await Promise.all(processes.map((process) => process.nextLine()));
    const sessions = await Promise.all(processes.map((process) => process.nextLine()));
    const codes = await Promise.all(processes.map((process) => process.ended));
    expect(codes).toEqual(Array.from({ length: OPENERS }, () => 0));
    expect(sequence.map(Number).sort((a, b) => a - b)).toEqual(codes.map((_, at) => at + 1));
    expect(new Set(sessions).size).toBe(1);
  },
);
