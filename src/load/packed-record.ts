// How the index keeps one command. A layer may hold 10,000 of them and a dispatch needs one, so a
// record stays text until it is asked for: one JSON.parse of strings takes half the time of one of
// objects, and building all summaries as much again (Node 24, 3 MB).
import type { CommandSummary } from "../command/command.ts";
import type { FaultReport } from "../command/fault.ts";
import type { CommandEntry, LayerEntry } from "../command/registry.ts";
import type { ProgramDefinition } from "./program-definition.ts";
import { UNSAID } from "./summary.ts";

export interface PackedRecord {
  readonly name: string;
  /** `command` and its aliases, `broken` and its marks, or `disable`, separated by spaces. */
  readonly head: string;
  readonly text: string;
}

interface BrokenRecord {
  readonly fault: FaultReport;
  /** Nothing may run while this one cannot. */
  readonly isCritical: boolean;
  /** The reason may lie outside the file, so it is worth another try. */
  readonly isWorthRetrying: boolean;
}

export function packCommand(
  { name, ...summary }: CommandSummary,
  program: ProgramDefinition | null = null,
): PackedRecord {
  const said = Object.entries(summary).filter(
    ([field, value]) => JSON.stringify(value) !== UNSAID_TEXT.get(field),
  );
  return {
    name,
    head: ["command", ...summary.aliases].join(" "),
    text: JSON.stringify({ ...Object.fromEntries(said), ...(program === null ? {} : { program }) }),
  };
}

const UNSAID_TEXT = new Map(
  Object.entries(UNSAID).map(([field, value]) => [field, JSON.stringify(value)]),
);

export function packBroken(name: string, record: BrokenRecord): PackedRecord {
  const marks = [
    ...(record.isCritical ? ["critical"] : []),
    ...(record.isWorthRetrying ? ["retry"] : []),
  ];
  return { name, head: ["broken", ...marks].join(" "), text: JSON.stringify(record.fault) };
}

export const packDisable = (name: string): PackedRecord => ({ name, head: "disable", text: "" });

const isBroken = ({ head }: PackedRecord): boolean => head.startsWith("broken");

export const isCriticalBroken = (record: PackedRecord): boolean =>
  isBroken(record) && record.head.includes(" critical");

export const isWorthRetrying = (record: PackedRecord): boolean =>
  isBroken(record) && record.head.includes(" retry");

/** The name and the aliases under which a record is found. */
export const keysOf = ({ name, head }: PackedRecord): string[] =>
  head.startsWith("command ") ? [...new Set([name, ...head.split(" ").slice(1)])] : [name];

/** The same question without making the list, for 10,000 records in a row. */
export const answersTo = ({ name, head }: PackedRecord, asked: string): boolean =>
  name === asked || (head.startsWith("command ") && head.split(" ").includes(asked, 1));

export function unpackEntry(record: PackedRecord, file: string): LayerEntry {
  const { name, head, text } = record;
  if (head.startsWith("command")) return new PackedEntry(record, file);
  if (head === "disable") return { kind: "disable", name, file };
  return { kind: "broken", name, file, fault: JSON.parse(text) };
}

/** What a command of `commands.yaml` starts. */
export function unpackProgram({ text }: PackedRecord): ProgramDefinition | null {
  const said: { program?: ProgramDefinition } = JSON.parse(text);
  return said.program ?? null;
}

class PackedEntry implements CommandEntry {
  readonly kind = "command";
  readonly name: string;
  readonly file: string;
  readonly #text: string;
  #summary: CommandSummary | null = null;

  constructor({ name, text }: PackedRecord, file: string) {
    this.name = name;
    this.file = file;
    this.#text = text;
  }

  get summary(): CommandSummary {
    this.#summary ??= unpackSummary(this.name, this.#text);
    return this.#summary;
  }
}

function unpackSummary(name: string, text: string): CommandSummary {
  const { program: _, ...said } = JSON.parse(text);
  return { ...UNSAID, ...said, name };
}
