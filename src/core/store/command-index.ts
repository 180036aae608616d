// The command index: what the files of each layer define, so that a start neither imports modules nor
// parses YAML. It is a cache: a damaged one is made anew, and where none can be kept one in memory does.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../command/fault.ts";
import { isTextList } from "../project/json-value.ts";
import { jsonIn, numberIn, type Row, textIn, textOrNullIn } from "./row.ts";
import { consult, type Database, openDatabase, openInMemory, transact } from "./sqlite.ts";
import { explainFailure, RowDamaged } from "./storage-fault.ts";

/** A layer as it was when its files were last looked at. */
export interface IndexedLayer {
  /** A layer that was indexed under another key says nothing. */
  readonly key: string;
  /** Fingerprint of the folder of commands; null where that proves nothing. */
  readonly listing: string | null;
  readonly yaml: string | null;
  readonly settings: string | null;
  readonly fileCount: number;
  /** JSON: settings, and what is wrong with whole files. */
  readonly content: string;
}

export interface IndexedCommand {
  readonly name: string;
  /** In the folder of commands; empty for `commands.yaml`. */
  readonly file: string;
  /** The file's fingerprint. */
  readonly stamp: string;
  readonly kind: string;
  /** Of a command its aliases, of a broken one what else is true of it; separated by spaces. */
  readonly marks: string;
  readonly description: string;
  /** JSON. It stays text until it is asked for: a layer may hold 10,000 commands and a dispatch needs one. */
  readonly rest: string;
}

export interface CommandIndex {
  readLayer(folder: string): IndexedLayer | null;
  /** By name or alias, those of files first. */
  find(folder: string, name: string): IndexedCommand[];
  listBroken(folder: string): IndexedCommand[];
  /** Without stamps it takes two thirds of the time; they are empty then. */
  list(folder: string, stamps?: boolean): IndexedCommand[];
  replace(folder: string, layer: IndexedLayer, commands: readonly IndexedCommand[]): void;
}

const MIGRATIONS = [
  `CREATE TABLE layer (
     folder TEXT PRIMARY KEY,
     key TEXT NOT NULL,
     listing TEXT,
     yaml TEXT,
     settings TEXT,
     file_count INTEGER NOT NULL,
     content TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE command (
     folder TEXT NOT NULL,
     is_yaml INTEGER NOT NULL,
     name TEXT NOT NULL,
     file TEXT NOT NULL,
     stamp TEXT NOT NULL,
     kind TEXT NOT NULL,
     marks TEXT NOT NULL,
     description TEXT NOT NULL,
     rest TEXT NOT NULL,
     PRIMARY KEY (folder, is_yaml, file, name)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX command_name ON command (folder, name);
   CREATE INDEX broken_command ON command (folder) WHERE kind = 'broken';
   CREATE TABLE alias (
     folder TEXT NOT NULL,
     alias TEXT NOT NULL,
     name TEXT NOT NULL,
     file TEXT NOT NULL,
     PRIMARY KEY (folder, alias, name, file)
   ) STRICT, WITHOUT ROWID;`,
];

// One connection for each state folder, as long as the process lives: every catalog asks it.
const opened = new Map<string, CommandIndex>();

/** Asks the index of a state folder; `work` is done again with a new one where that is damaged. */
export function useCommandIndex<Result>(
  stateDir: string,
  work: (index: CommandIndex) => Result,
): Result {
  try {
    const index = opened.get(stateDir) ?? openIndex(stateDir);
    opened.set(stateDir, index);
    return work(index);
  } catch (error) {
    const raised = explainFailure(fileOf(stateDir), error);
    if (!(raised instanceof Fault) || raised.class !== "Storage") throw error;
    const index = replaceIndex(stateDir, raised.code);
    opened.set(stateDir, index);
    return work(index);
  }
}

const fileOf = (stateDir: string): string => join(stateDir, "index.db");

const openIndex = (stateDir: string): CommandIndex =>
  wrapDatabase(openDatabase({ path: fileOf(stateDir), migrations: MIGRATIONS }));

function replaceIndex(stateDir: string, code: string): CommandIndex {
  // A newer Adjutant made it, which goes on with it.
  if (code === "StoreTooNew") return wrapDatabase(openInMemory(MIGRATIONS));
  try {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(fileOf(stateDir) + suffix, { force: true });
    return openIndex(stateDir);
  } catch {
    // Whatever is in the way, the index is worked out again in each process.
    return wrapDatabase(openInMemory(MIGRATIONS));
  }
}

const COLUMNS = ["name", "file", "stamp", "kind", "marks", "description", "rest"] as const;
const SELECTED = COLUMNS.join(", ");
const FILES_FIRST = "ORDER BY is_yaml, file, name";

// Without `INDEXED BY` SQLite reads the whole layer in the order that is wanted: 12 ms for 10,000 commands.
const FIND = `SELECT is_yaml, ${SELECTED} FROM command INDEXED BY command_name
    WHERE folder = ?1 AND name = ?2
  UNION
  SELECT is_yaml, ${SELECTED} FROM alias
    CROSS JOIN command INDEXED BY command_name USING (folder, name, file)
    WHERE folder = ?1 AND alias = ?2
  ${FILES_FIRST}`;

const LIST_BROKEN = `SELECT ${SELECTED} FROM command INDEXED BY broken_command
  WHERE folder = ? AND kind = 'broken' ${FILES_FIRST}`;

// A column at a time as JSON: 10,000 rows are read in half the time that as many objects take.
const listSql = (stamps: boolean): string => {
  const column = (name: string): string =>
    name === "stamp" && !stamps ? "'[]' AS stamp" : `json_group_array(${name}) AS ${name}`;
  return `SELECT ${COLUMNS.map(column).join(", ")}
    FROM (SELECT ${SELECTED} FROM command WHERE folder = ? ${FILES_FIRST})`;
};

function wrapDatabase(database: Database): CommandIndex {
  const { statement } = database;
  return {
    readLayer: (folder) => {
      const row = consultRows(database, "SELECT * FROM layer WHERE folder = ?", folder)[0];
      return row === undefined ? null : layerIn(row);
    },
    find: (folder, name) => consultRows(database, FIND, folder, name).map(commandIn),
    listBroken: (folder) => consultRows(database, LIST_BROKEN, folder).map(commandIn),
    list: (folder, stamps = true) =>
      consultRows(database, listSql(stamps), folder).flatMap(commandsIn),
    replace: (folder, layer, commands) =>
      transact(database, () => {
        for (const table of ["layer", "command", "alias"])
          statement(`DELETE FROM ${table} WHERE folder = ?`).run(folder);
        const { key, listing, yaml, settings, fileCount, content } = layer;
        statement("INSERT INTO layer VALUES (?, ?, ?, ?, ?, ?, ?)").run(
          ...[folder, key, listing, yaml, settings, fileCount, content],
        );
        for (const command of commands) insertCommand(database, folder, command);
      }),
  };
}

function insertCommand({ statement }: Database, folder: string, command: IndexedCommand): void {
  const { name, file, kind, marks } = command;
  statement("INSERT INTO command VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    ...[folder, Number(file === ""), ...COLUMNS.map((column) => command[column])],
  );
  if (kind !== "command" || marks === "") return;
  for (const alias of new Set(marks.split(" ")))
    statement("INSERT INTO alias VALUES (?, ?, ?, ?)").run(folder, alias, name, file);
}

const consultRows = (database: Database, sql: string, ...values: readonly string[]): Row[] =>
  consult(database, () => database.statement(sql).all(...values));

const layerIn = (row: Row): IndexedLayer => ({
  key: textIn(row, "key"),
  listing: textOrNullIn(row, "listing"),
  yaml: textOrNullIn(row, "yaml"),
  settings: textOrNullIn(row, "settings"),
  fileCount: numberIn(row, "file_count"),
  content: textIn(row, "content"),
});

const commandIn = (row: Row): IndexedCommand => ({
  name: textIn(row, "name"),
  file: textIn(row, "file"),
  stamp: textIn(row, "stamp"),
  kind: textIn(row, "kind"),
  marks: textIn(row, "marks"),
  description: textIn(row, "description"),
  rest: textIn(row, "rest"),
});

function commandsIn(row: Row): IndexedCommand[] {
  const [
    names = [],
    files = [],
    stamps = [],
    kinds = [],
    marks = [],
    descriptions = [],
    rests = [],
  ] = COLUMNS.map((column) => textsIn(row, column));
  return names.map((name, at) => ({
    name,
    file: files[at] ?? "",
    stamp: stamps[at] ?? "",
    kind: kinds[at] ?? "",
    marks: marks[at] ?? "",
    description: descriptions[at] ?? "",
    rest: rests[at] ?? "",
  }));
}

function textsIn(row: Row, column: string): readonly string[] {
  const value = jsonIn(row, column);
  if (isTextList(value)) return value;
  throw new RowDamaged(`the column ${column} holds something else than texts`);
}
