// Cases from a table: one entry with `from: ./cases.csv` is as many as the file has rows, `${column}` its values.
import { extname, resolve } from "node:path";
import { messageOf } from "../../core/command/fault.ts";
import { nearestNames, quoteNames } from "../../core/command/names.ts";
import { describeFileError } from "../../core/project/files.ts";
import { asRecord, isRecord, textOrJson } from "../../core/project/json-value.ts";
import { fillEntry, fillVariables, type RawEntry, readUtf8, type Values } from "./entries.ts";
import { isId } from "./schema.ts";

interface Row {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly values: ReadonlyMap<string, string>;
}

const MAX_ROWS = 10_000;

export interface RowsOptions {
  readonly folder: string;
  readonly variables: ReadonlyMap<string, string>;
  /** What the suite's matrix multiplies all cases by: a row fills that in, too. */
  readonly matrix: RawEntry;
  /** A fault at the place where the file is named. */
  complain(problem: string): Error;
}

/** The entry itself where it is from no file. */
export function expandRows(entry: RawEntry, options: RowsOptions): RawEntry[] {
  const { from, ...own } = entry;
  if (from === undefined) return [fillEntry(entry, options.variables)];
  if (typeof from !== "string") throw options.complain("`from` must be a file of cases");
  const template: RawEntry = isRecord(own.matrix ?? {})
    ? { ...own, matrix: { ...options.matrix, ...asRecord(own.matrix) } }
    : own;
  const rows = readRows(from, options);
  if (rows.length === 0) throw options.complain(`\`${from}\` has no rows`);
  if (rows.length > MAX_ROWS)
    throw options.complain(`\`${from}\` has ${rows.length} rows, at most ${MAX_ROWS} are allowed`);
  const complainAt = (line: number, problem: string) =>
    options.complain(`${from}:${line}: ${problem}`);
  return rows.map(({ line, values }, at) => {
    const unknown = listReferences(template).find((name) => !isKnown(name, options, values));
    if (unknown !== undefined) throw complainAt(line, noSuchColumn(unknown, values));
    const named = { ...template, id: template.id ?? values.get("id") ?? "row" };
    const filled = fillRow(named, options.variables, values);
    // An id that no column is part of would be that of every row.
    const isSame = filled.id === template.id || filled.id === "row";
    const id = isSame ? `${String(filled.id)}-${at + 1}` : filled.id;
    if (!isId(id))
      throw complainAt(
        line,
        `the id ${JSON.stringify(id)} must be letters, digits, \`.\`, \`_\` and \`-\``,
      );
    return { ...filled, id };
  });
}

const isKnown = (name: string, { variables }: RowsOptions, values: Row["values"]): boolean =>
  name === "case" || variables.has(name) || values.has(name);

/** A prompt that keeps its `${question}` would be paid for and say nothing. */
function noSuchColumn(name: string, values: Row["values"]): string {
  const columns = [...values.keys()];
  const [nearest] = nearestNames(name, columns);
  const next =
    nearest === undefined ? `there are ${quoteNames(columns)}` : `did you mean \`${nearest}\`?`;
  return `there is no column \`${name}\`; ${next}`;
}

/** What a program of the shell would read stays as it is written: data is not code. */
const PROGRAMS: ReadonlySet<string> = new Set(["run", "command"]);

/** Of everything that a row fills in. */
const listReferences = (template: RawEntry): string[] => {
  const names: string[] = [];
  const note = { get: (name: string) => void names.push(name) };
  fillRow(template, note, note);
  return names;
};

function fillRow(entry: RawEntry, variables: Values, row: Values): RawEntry {
  const all = { get: (name: string) => row.get(name) ?? variables.get(name) };
  const filled = fillEntry(entry, all);
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
  const complainAt = (line: number, problem: string) => complain(`${from}:${line}: ${problem}`);
  const kind = extname(from).toLowerCase();
  if (kind === ".csv") return readCsv(text, complainAt);
  if (kind === ".jsonl" || kind === ".ndjson") return readJsonLines(text, complainAt);
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
      textOrJson(value),
    ]);
    return [{ line: at + 1, values: new Map(values) }];
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
  const names = head.fields.map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw complain(head.line, `the column \`${twice}\` is there twice`);
  return records.map(({ fields, line }) => {
    if (fields.length !== head.fields.length)
      throw complain(line, `${fields.length} fields, the first line has ${head.fields.length}`);
    return { line, values: new Map(names.map((name, at) => [name, fields[at] ?? ""])) };
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
