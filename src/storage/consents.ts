// What a person allowed once and for all. A root of null is every place outside a project.
import { textIn, textOrNullIn } from "./row.ts";
import { consult, type Database, transact } from "./sqlite.ts";
import type { ConsentStore } from "./stores.ts";

export function keepConsents(database: Database): ConsentStore {
  return {
    isApproved: (root, command) =>
      consult(database, () => {
        const query = "SELECT 1 FROM consent WHERE root IS ? AND command = ?";
        return database.statement(query).get(root, command) !== undefined;
      }),
    approve: (root, command) =>
      transact(database, () => {
        const insert = "INSERT OR IGNORE INTO consent (root, command, at) VALUES (?, ?, ?)";
        database.statement(insert).run(root, command, new Date().toISOString());
      }),
    forget: (root, command) =>
      transact(database, () => {
        const remove = "DELETE FROM consent WHERE root IS ? AND command = ?";
        return Number(database.statement(remove).run(root, command).changes) > 0;
      }),
    listApproved: () =>
      consult(database, () =>
        database
          .statement("SELECT root, command, at FROM consent ORDER BY root, command")
          .all()
          .map((row) => ({
            root: textOrNullIn(row, "root"),
            command: textIn(row, "command"),
            at: textIn(row, "at"),
          })),
      ),
  };
}
