// One entry of a list in a suite, after matrix and variables, that still knows where in which file each part stands.

import { readFileSync } from "node:fs";
import type { ZodMiniType } from "zod/mini";
import { Fault, type Where } from "../../core/command/fault.ts";
import { asRecord } from "../../core/project/json-value.ts";
import { describeIssues, fileFault } from "../../core/project/schema-problem.ts";
import type { YamlFile, YamlPath } from "../../core/project/yaml-file.ts";
import { MATRIX } from "./schema.ts";

export interface LocatedEntry {
  readonly entry: RawEntry;
  /** What the matrix chose, for the id. */
  readonly label: string;
  at(path: YamlPath, part?: "key" | "value"): Where;
}

const MAX_COMBINATIONS = 1_000;

/** What is in a list of one file, and the matrix that counts for all of it. */
interface EntryList {
  readonly yaml: YamlFile;
  pathOf(index: number): YamlPath;
  readonly entries: readonly RawEntry[];
  readonly matrix: { readonly yaml: YamlFile; readonly key: YamlPath; readonly values: Matrix };
}

export function locateEntries(list: EntryList): LocatedEntry[] {
  return list.entries.flatMap((entry, index) => locateEntry(list, entry, list.pathOf(index)));
}

function locateEntry(list: EntryList, entry: RawEntry, path: YamlPath): LocatedEntry[] {
  const { matrix: own, ...plain } = entry;
  const ownMatrix = checkBy(MATRIX, own ?? {}, (inner) =>
    list.yaml.at([...path, "matrix", ...inner]),
  );
  const matrix = { ...list.matrix.values, ...ownMatrix };
  const count = countCombinations(matrix);
  if (count > MAX_COMBINATIONS)
    throw fileFault(
      `the matrix makes ${count} of one entry, at most ${MAX_COMBINATIONS} are allowed`,
      list.yaml.at([...path, "matrix"], "key"),
    );
  return expandMatrix(plain, matrix).map(({ entry: combined, label, chosen }) => ({
    entry: combined,
    label,
    at: (inner, part) => {
      const field = [...chosen.keys()].find((name) => `${inner.join(".")}.`.startsWith(`${name}.`));
      if (field === undefined) return list.yaml.at([...path, ...inner], part);
      const at = chosen.get(field) ?? 0;
      return field in ownMatrix
        ? list.yaml.at([...path, "matrix", field, at])
        : list.matrix.yaml.at([...list.matrix.key, field, at]);
    },
  }));
}

/** The value by its schema, or its problems as faults at their places. */
export function checkBy<Value>(
  schema: ZodMiniType<Value>,
  value: unknown,
  at: (path: YamlPath, part?: "key" | "value") => Where,
): Value {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const unknown = issues.filter(({ code }) => code === "unrecognized_keys");
  const others = issues.filter(({ code }) => code !== "unrecognized_keys");
  // A misspelt key also makes another one missing, which is then not told.
  const reported = unknown.length > 0 ? others.filter(({ input }) => input !== undefined) : others;
  const problems = new ProblemList();
  for (const issue of [...unknown, ...reported]) {
    const { path, part, message, hint } = describeIssues([issue], schema);
    problems.add(fileFault(message, at(path, part), hint));
  }
  problems.throwFirst();
  throw new TypeError("a failed check has at least one issue");
}

/** Where a text can be nothing but a name, what looks like a variable is one. */
export function checkFilled(
  texts: Readonly<Record<string, string | null | undefined>>,
  at: (key: string) => Where,
) {
  for (const [key, text] of Object.entries(texts)) {
    const name = findUndeclared(text ?? "");
    if (name !== null)
      throw fileFault(
        `\`\${${name}}\` is not declared`,
        at(key),
        `add \`${name}\` to \`variables\``,
      );
  }
}

// One entry with a matrix becomes an entry for every combination. Pure.

export type RawEntry = Readonly<Record<string, unknown>>;
/** Values to try, by the path of the field: `config.max_turns: [5, 20]`, `evaluators.0.weight: [1, 2]`. */
type Matrix = Readonly<Record<string, readonly unknown[]>>;

interface Combination {
  readonly entry: RawEntry;
  /** `max_turns=5,model=opus`, empty without a matrix. */
  readonly label: string;
  /** Which value of the matrix each field got. */
  readonly chosen: ReadonlyMap<string, number>;
}

const countCombinations = (matrix: Matrix): number =>
  Object.values(matrix).reduce((count, values) => count * values.length, 1);

function expandMatrix(entry: RawEntry, matrix: Matrix): readonly Combination[] {
  let combinations: readonly Combination[] = [{ entry, label: "", chosen: new Map() }];
  for (const [path, values] of Object.entries(matrix))
    combinations = combinations.flatMap((before) =>
      values.map((value, at) => ({
        entry: asRecord(withField(before.entry, path.split("."), value)),
        label: [before.label, `${path.split(".").at(-1)}=${showValue(value, at)}`]
          .filter(Boolean)
          .join(","),
        chosen: new Map(before.chosen).set(path, at),
      })),
    );
  return combinations;
}

/** A value that makes no name is known by its place in the list. */
const showValue = (value: unknown, at: number): string => {
  const text = String(value);
  const isName = typeof value !== "object" && text.length <= 40 && /^[^\s[\],]+$/.test(text);
  return isName ? text : `#${at + 1}`;
};

function withField(within: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (!Array.isArray(within) || !/^\d+$/.test(first)) {
    const map = asRecord(within);
    return { ...map, [first]: withField(map[first], rest, value) };
  }
  const items: readonly unknown[] = within;
  const at = Number(first);
  const changed = withField(items[at], rest, value);
  return at < items.length ? items.with(at, changed) : [...items, changed];
}

// `${NAME}` of declared variables in the texts of an entry. Never in what a shell will read: data is not code.

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** A column of a table may have any words for its name. */
const VALUE = /\$\{([\p{L}_][\p{L}\p{N}_ .-]*)\}/gu;

export type Values = Pick<ReadonlyMap<string, string>, "get">;

const SHELL_FIELDS: ReadonlySet<string> = new Set(["setup", "teardown", "evaluators", "solution"]);

export function fillVariables(value: unknown, variables: Values): unknown {
  if (typeof value === "string")
    return value.replaceAll(VALUE, (whole, name: string) => variables.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      SHELL_FIELDS.has(key) ? item : fillVariables(item, variables),
    ]),
  );
}

export const fillEntry = (entry: RawEntry, variables: Values): RawEntry =>
  asRecord(fillVariables(entry, variables));

/** A reference that nothing was filled in for; the id of the case comes later. */
const findUndeclared = (text: string): string | null =>
  [...text.matchAll(REFERENCE)].map(([, name = ""]) => name).find((name) => name !== "case") ??
  null;

/** Throws where the bytes are no UTF-8: another encoding would reach the agent as rubbish, unseen. */
export function readUtf8(file: string): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it is not UTF-8 text", { cause });
  }
}

// Everything that is wrong with a suite, and not only the first of it. Whoever shows one line has the first as a fault;
// whoever shows all asks for the others.

const further = new WeakMap<Fault, readonly Fault[]>();

/** The fault itself, then what was found beside it. */
export const listProblems = (first: Fault): readonly Fault[] => [
  first,
  ...(further.get(first) ?? []),
];

/** Goes on after a fault, and keeps it. */
export class ProblemList {
  readonly #problems: Fault[] = [];

  /** What `read` gives; null where it is at fault. */
  attempt<Result>(read: () => Result): Result | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      for (const problem of listProblems(error)) this.add(problem);
      return null;
    }
  }

  /** Several entries may come from one place, with the same mistake. */
  add(problem: Fault): void {
    if (!this.#problems.some(({ message }) => message === problem.message))
      this.#problems.push(problem);
  }

  get hasAny(): boolean {
    return this.#problems.length > 0;
  }

  throwFirst(): void {
    const [first, ...others] = this.#problems;
    if (first === undefined) return;
    further.set(first, others);
    throw first;
  }
}
