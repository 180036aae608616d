// Cases from a table: one entry with `from: ./cases.csv` is as many as the file has rows, `${column}` its values.
import { extname, resolve } from "node:path";
import { isRecord } from "../../agents/log/json-fields.ts";
import { messageOf } from "../../core/command/fault.ts";
import { describeFileError } from "../../core/project/files.ts";
import { fillEntry, fillVariables, type RawEntry, readUtf8 } from "./entries.ts";

type Row = ReadonlyMap<string, string>;

const MAX_ROWS = 10_000;

export interface RowsOptions {
  readonly folder: string;
  readonly variables: ReadonlyMap<string, string>;
  /** A fault at the place where the file is named. */
  complain(problem: string): Error;
}

/** The entry itself where it is from no file. */
export function expandRows(entry: RawEntry, options: RowsOptions): RawEntry[] {
  const { from, ...template } = entry;
  if (from === undefined) return [fillEntry(entry, options.variables)];
  if (typeof from !== "string") throw options.complain("`from` must be a file of cases");
  const rows = readRows(from, options);
  if (rows.length === 0) throw options.complain(`\`${from}\` has no rows`);
  if (rows.length > MAX_ROWS)
    throw options.complain(`\`${from}\` has ${rows.length} rows, at most ${MAX_ROWS} are allowed`);
  return rows.map((row, at) => {
    const named = { ...template, id: template.id ?? row.get("id") ?? "row" };
    const filled = fillRow(named, options.variables, row);
    // An id that no column is part of would be that of every row.
    const isSame = filled.id === template.id || filled.id === "row";
    return isSame ? { ...filled, id: `${String(filled.id)}-${at + 1}` } : filled;
  });
}

/** What a program of the shell would read stays as it is written: data is not code. */
const PROGRAMS: ReadonlySet<string> = new Set(["run", "command"]);

function fillRow(entry: RawEntry, variables: ReadonlyMap<string, string>, row: Row): RawEntry {
  const filled = fillEntry(entry, new Map([...variables, ...row]));
  const { evaluators } = filled;
  if (!Array.isArray(evaluators)) return filled;
  const grade = (one: unknown): unknown =>
    isRecord(one)
      ? Object.fromEntries(
          Object.entries(one).map(([type, options]) => [
            type,
            PROGRAMS.has(type) ? options : fillVariables(options, row),
          ]),
        )
      : one;
  return { ...filled, evaluators: evaluators.map(grade) };
}

function readRows(from: string, { folder, complain }: RowsOptions): Row[] {
  let text: string;
  try {
    text = readUtf8(resolve(folder, from));
  } catch (error) {
    throw complain(`\`${from}\` cannot be read: ${describeFileError(error)}`);
  }
  const told = (line: number, problem: string) => complain(`${from}:${line}: ${problem}`);
  const kind = extname(from).toLowerCase();
  if (kind === ".csv") return readCsv(text, told);
  if (kind === ".jsonl" || kind === ".ndjson") return readJsonLines(text, told);
  throw complain(`\`${from}\` is neither \`.csv\` nor \`.jsonl\``);
}

type Complain = (line: number, problem: string) => Error;

function readJsonLines(text: string, complain: Complain): Row[] {
  return text.split("\n").flatMap((line, at): Row[] => {
    if (line.trim() === "") return [];
    const row = parseJson(line, (problem) => complain(at + 1, problem));
    if (!isRecord(row)) throw complain(at + 1, "it is no object");
    const values = Object.entries(row).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    return [new Map(values)];
  });
}

function parseJson(line: string, complain: (problem: string) => Error): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    // Node counts within the text that it was given, which is this line alone.
    throw complain(`not JSON: ${messageOf(error).replace(/ \(line \d+ column \d+\)$/, "")}`);
  }
}

/** As RFC 4180 has it: a field in quotes holds commas, line ends, and quotes that are doubled. */
function readCsv(text: string, complain: Complain): Row[] {
  const [head, ...records] = splitCsv(text.replace(/^\ufeff/, ""), complain);
  if (head === undefined) return [];
  return records.map(({ fields, line }) => {
    if (fields.length !== head.fields.length)
      throw complain(line, `${fields.length} fields, the first line has ${head.fields.length}`);
    return new Map(head.fields.map((name, at) => [name.trim(), fields[at] ?? ""]));
  });
}

interface CsvRecord {
  readonly fields: string[];
  /** Where it begins, from 1. */
  readonly line: number;
}

function splitCsv(text: string, complain: Complain): CsvRecord[] {
  const field = /"((?:[^"]|"")*)"(?=[,\r\n]|$)|([^",\r\n]*)(?=[,\r\n]|$)/y;
  const records: CsvRecord[] = [];
  let record: CsvRecord = { fields: [], line: 1 };
  let line = 1;
  for (let at = 0; at < text.length || record.fields.length > 0; ) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (found === null) throw complain(line, "a quote is not closed, or stands within a field");
    const [whole, quoted, plain = ""] = found;
    record.fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    at += whole.length;
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    const end = text.startsWith("\r\n", at) ? 2 : 1;
    // A line with nothing on it is no record.
    if (record.fields.length > 1 || record.fields[0] !== "") records.push(record);
    at += end;
    line += 1;
    record = { fields: [], line };
  }
  return records;
}
