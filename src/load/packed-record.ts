// How the index keeps one command. A layer may hold 10,000 of them and a dispatch needs one, so a
// record stays text until it is asked for.
import type { CommandSummary } from "../command/command.ts";
import type { FaultReport } from "../command/fault.ts";
import type { CommandEntry, LayerEntry } from "../command/registry.ts";
import { maskSecrets, secretValues } from "../command/secrets.ts";
import type { ProgramDefinition } from "./program-definition.ts";
import { UNSAID } from "./summary.ts";

export interface PackedRecord {
  readonly name: string;
  /** `command` and its aliases, `broken` and its marks, or `disable`, separated by spaces. */
  readonly head: string;
  /** Of a command its description, and on the next line as JSON what else it says. */
  readonly text: string;
}

/** The head of a command without an alias. */
export const PLAIN = "command";

interface BrokenRecord {
  readonly fault: FaultReport;
  /** Nothing may run while this one cannot. */
  readonly isCritical: boolean;
  /** The reason may lie outside the file, so it is worth another try. */
  readonly isWorthRetrying: boolean;
}

const UNSAID_TEXT = new Map(
  Object.entries(UNSAID).map(([field, value]) => [field, JSON.stringify(value)]),
);

export function packCommand(
  { name, description, ...summary }: CommandSummary,
  program: ProgramDefinition | null = null,
): PackedRecord {
  const said = Object.entries(summary).filter(
    ([field, value]) => JSON.stringify(value) !== UNSAID_TEXT.get(field),
  );
  const rest = { ...Object.fromEntries(said), ...(program === null ? {} : { program }) };
  return {
    name,
    head: [PLAIN, ...summary.aliases].join(" "),
    text: `${description}\n${JSON.stringify(rest)}`,
  };
}

export function packBroken(name: string, record: BrokenRecord): PackedRecord {
  const marks = [
    ...(record.isCritical ? ["critical"] : []),
    ...(record.isWorthRetrying ? ["retry"] : []),
  ];
  const text = JSON.stringify(withoutSecrets(record.fault));
  return { name, head: ["broken", ...marks].join(" "), text };
}

/** The index is kept on disk, and what a file threw may hold what it found in the environment. */
function withoutSecrets({ message, hint, ...rest }: FaultReport): FaultReport {
  const mask = (text: string) => maskSecrets(text, secretValues(process.env));
  return { ...rest, message: mask(message), hint: hint === null ? null : mask(hint) };
}

export const packDisable = (name: string): PackedRecord => ({ name, head: "disable", text: "" });

export const isCriticalBroken = (head: string): boolean => head.startsWith("broken critical");

export const isWorthRetrying = (head: string): boolean =>
  head.startsWith("broken") && head.endsWith(" retry");

/** The aliases under which a record is found besides its name. */
export const aliasesOf = (head: string): readonly string[] =>
  head.startsWith("command ") ? head.slice("command ".length).split(" ") : [];

export function unpackEntry({ name, head, text }: PackedRecord, file: string): LayerEntry {
  if (head.startsWith("command")) return new PackedEntry(name, file, text);
  if (head === "disable") return { kind: "disable", name, file };
  return { kind: "broken", name, file, fault: JSON.parse(text) };
}

/** What a command of `commands.yaml` starts. */
export function unpackProgram({ text }: PackedRecord): ProgramDefinition | null {
  return readRest(text).program;
}

class PackedEntry implements CommandEntry {
  readonly kind = "command";
  readonly name: string;
  readonly file: string;
  readonly #text: string;

  constructor(name: string, file: string, text: string) {
    this.name = name;
    this.file = file;
    this.#text = text;
  }

  get summary(): CommandSummary {
    const description = this.#text.slice(0, this.#text.indexOf("\n"));
    return { ...readRest(this.#text).summary, name: this.name, description };
  }
}

interface Rest {
  readonly summary: Omit<CommandSummary, "name" | "description">;
  readonly program: ProgramDefinition | null;
}

// Most commands of a layer say the same beside their description.
const known = new Map<string, Rest>();

function readRest(text: string): Rest {
  const json = text.slice(text.indexOf("\n") + 1);
  const before = known.get(json);
  if (before !== undefined) return before;
  const { program = null, ...said } = JSON.parse(json);
  const rest = { summary: { ...UNSAID, ...said }, program };
  known.set(json, rest);
  return rest;
}
