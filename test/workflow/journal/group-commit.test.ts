import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/core/store/sqlite.ts";
import { GroupCommit } from "../../../src/workflow/journal/group-commit.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const [NORMAL, FULL] = [1, 2];

function open() {
  const path = join(temporaryFolder(), "test.db");
  const database = openDatabase({ path, migrations: ["SELECT 1"], synchronous: "FULL" });
  onTestFinished(() => database.close());
  const level = () => database.connection.prepare("PRAGMA synchronous").get()?.synchronous;
  return { group: new GroupCommit(database), level, database };
}

test("what is finished waits for the disk, what only begins does not, and then it does again", async () => {
  const { group, level } = open();
  expect(level()).toBe(FULL);
  expect(group.unsynchronised(level)).toBe(NORMAL);
  expect(group.now(level)).toBe(FULL);
  expect(await group.soon(level)).toBe(FULL);
});

test("a beginning that fails leaves the next transaction waiting for the disk", () => {
  const { group, level } = open();
  const bug = new TypeError("a bug");
  const fail = () => {
    throw bug;
  };
  expect(() => group.unsynchronised(fail)).toThrow(bug);
  expect(group.now(level)).toBe(FULL);
});

test("a write inside another is part of it", () => {
  const { group, database } = open();
  group.now(() => database.connection.exec("CREATE TABLE note (text TEXT)"));
  const write = () => database.connection.exec("INSERT INTO note VALUES ('one')");
  const both = () =>
    group.now(() => {
      group.unsynchronised(write);
      throw new TypeError("a bug");
    });
  expect(both).toThrow("a bug");
  expect(database.connection.prepare("SELECT count(*) AS count FROM note").get()?.count).toBe(0);
});
