// `commands.yaml`: commands that start a program. What is wrong with one entry harms no other.
import { resolve } from "node:path";
import * as z from "zod/mini";
import type { JSONSchema } from "zod/v4/core";
import type { CommandSummary } from "../command/definition.ts";
import { Fault, type FaultReport, reportFault, type Where } from "../command/fault.ts";
import { describeIssues, fileFault } from "../project/schema-problem.ts";
import { parseYaml, type YamlFile } from "../project/yaml-file.ts";
import { nameProblem } from "./command-file.ts";
import * as field from "./field-schemas.ts";
import { type ProgramDefinition, takesAnyWords } from "./program-definition.ts";
import { summaryOf } from "./summary.ts";

const program = field.word.check(z.minLength(1));
const words = z.array(field.word);
// Only the first word must say something.
const argv = words.check(
  z.minLength(1),
  z.refine((list) => list[0] !== "", "begins with an empty word"),
);

const ENTRY = z.strictObject({
  description: field.description,
  argv: z.optional(argv),
  argv_windows: z.optional(argv),
  shell: z.optional(
    z.union(
      [z.enum(["sh", "bash", "pwsh", "cmd"]), z.strictObject({ program, args: words })],
      "must be one of `sh`, `bash`, `pwsh`, `cmd`, or a map with `program` and `args`",
    ),
  ),
  command: z.optional(program),
  cwd: z.optional(program),
  version: z.optional(field.version),
  effect: z.optional(field.effect),
  safety: z.optional(field.safety),
  aliases: z.optional(field.aliases),
  category: z.optional(field.category),
  argument_hint: z.optional(field.argumentHint),
  examples: z.optional(field.examples),
  timeout: z.optional(field.duration),
  env: z.optional(field.env),
  inherit_env: z.optional(z.boolean()),
  hold_lease_while_asking: z.optional(z.boolean()),
  critical: z.optional(z.boolean()),
  person: z.optional(z.boolean()),
  agents: z.optional(z.boolean()),
});
type Entry = z.infer<typeof ENTRY>;

const DISABLE = z.strictObject({ disable: z.literal(true) });

export type YamlEntry =
  | {
      readonly kind: "command";
      readonly name: string;
      readonly summary: CommandSummary;
      readonly program: ProgramDefinition;
    }
  | {
      readonly kind: "broken";
      readonly name: string;
      readonly fault: FaultReport;
      readonly critical: boolean;
    }
  | { readonly kind: "disable"; readonly name: string };

interface CommandsFile {
  /** As its owner knows it. */
  readonly file: string;
  /** Where its programs are looked for. */
  readonly folder: string;
  /** What a relative `cwd` starts from. */
  readonly workingFolder: string;
}

/** Throws `FileInvalid` for what is wrong with the file as a whole. */
export function parseCommandsYaml(text: string, file: CommandsFile): YamlEntry[] {
  const yaml = parseYaml(text, file.file);
  const value = yaml.value ?? {};
  if (typeof value !== "object" || Array.isArray(value))
    throw fileFault("the file must be a map of names to commands", yaml.at([]));
  return Object.entries(value).flatMap(([name, entry]: [string, unknown]): YamlEntry[] => {
    if (name !== "adjutant") return [readEntry({ yaml, name, entry, file })];
    if (entry === 1) return [];
    throw fileFault("`adjutant` must be `1`", yaml.at([name]));
  });
}

interface EntryInput {
  readonly yaml: YamlFile;
  readonly name: string;
  readonly entry: unknown;
  readonly file: CommandsFile;
}

function readEntry(reading: EntryInput): YamlEntry {
  try {
    return checkEntry(reading);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { name, entry } = reading;
    const critical =
      typeof entry === "object" && entry !== null && "critical" in entry && entry.critical === true;
    return { kind: "broken", name, fault: reportFault(error), critical };
  }
}

function checkEntry({ yaml, name, entry, file }: EntryInput): YamlEntry {
  // Finding a place is a search through the file, so only a problem pays for it.
  const where = (): Where => yaml.at([name], "key");
  const problem = nameProblem(name, where);
  if (problem !== null) throw problem;
  const isDisabling = typeof entry === "object" && entry !== null && "disable" in entry;
  const schema = isDisabling ? DISABLE : ENTRY;
  const checked = schema.safeParse(entry, { reportInput: true });
  if (!checked.success) {
    const { path, part, message, hint } = describeIssues(checked.error.issues, schema);
    const whole = path.length === 0 ? `\`${name}\` must be a map` : message;
    throw fileFault(whole, yaml.at([name, ...path], part), hint);
  }
  if ("disable" in checked.data) return { kind: "disable", name };
  const program = toProgram(checked.data, file, (problem, key) =>
    fileFault(problem, key === null ? where() : yaml.at([name, key], "key")),
  );
  const summary = toSummary(checked.data, name);
  const isOpen = takesAnyWords(program);
  return {
    kind: "command",
    name,
    summary: isOpen ? { ...summary, takesAnyWords: true } : summary,
    program,
  };
}

type EntryFault = (problem: string, key: keyof Entry | null) => Fault;

function toProgram(entry: Entry, file: CommandsFile, complain: EntryFault): ProgramDefinition {
  const { argv, shell, command } = entry;
  const cwd = entry.cwd === undefined ? null : resolve(file.workingFolder, entry.cwd);
  const folders = { cwd, folder: file.folder };
  if (argv !== undefined) {
    const other = shell === undefined ? (command === undefined ? null : "command") : "shell";
    if (other !== null)
      throw complain("give either `argv` or `shell` with `command`, not both", other);
    return { kind: "argv", argv, argvWindows: entry.argv_windows ?? null, ...folders };
  }
  if (entry.argv_windows !== undefined)
    throw complain("`argv_windows` goes with `argv`, which is missing", "argv_windows");
  if (shell === undefined && command === undefined)
    throw complain("it starts nothing: give `argv`, or `shell` with `command`", null);
  if (shell === undefined)
    throw complain("`command` goes with `shell`, which is missing", "command");
  if (command === undefined)
    throw complain("`shell` goes with `command`, which is missing", "shell");
  return { kind: "shell", shell, command, ...folders };
}

function toSummary(entry: Entry, name: string): CommandSummary {
  const fields = {
    ...entry,
    argumentHint: entry.argument_hint,
    env: field.plainEnv(entry.env),
    inheritEnv: entry.inherit_env,
    holdLeaseWhileAsking: entry.hold_lease_while_asking,
  };
  return summaryOf(fields, name, null);
}

export async function commandsJsonSchema(): Promise<JSONSchema.BaseSchema> {
  const { describeFile } = await import("./file-schema.ts");
  const file = z.catchall(
    z.object({ adjutant: z.optional(z.literal(1)) }),
    z.union([ENTRY, DISABLE]),
  );
  return describeFile(file);
}
