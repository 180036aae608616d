// One entry of a list in a suite, after the matrix, that still knows where in which file each part stands.

import type { ZodMiniType } from "zod/mini";
import { type Fault, fault, type Where } from "../../command/fault.ts";
import { describeIssues } from "../../config/schema-problem.ts";
import type { YamlFile, YamlPath } from "../../config/yaml-file.ts";
import { countCombinations, type Entry, expandMatrix, type Matrix } from "./expand-matrix.ts";
import { findUndeclared } from "./fill-variables.ts";
import { MATRIX } from "./suite-schema.ts";

export interface PlacedEntry {
  readonly entry: Entry;
  /** What the matrix chose, for the id. */
  readonly label: string;
  at(path: YamlPath, part?: "key" | "value"): Where;
}

const MOST_COMBINATIONS = 1_000;

/** What is in a list of one file, and the matrix that counts for all of it. */
export interface EntryList {
  readonly yaml: YamlFile;
  pathOf(index: number): YamlPath;
  readonly entries: readonly Entry[];
  readonly matrix: { readonly yaml: YamlFile; readonly key: YamlPath; readonly values: Matrix };
}

export function placeEntries(list: EntryList): PlacedEntry[] {
  return list.entries.flatMap((entry, index) => placeEntry(list, entry, list.pathOf(index)));
}

function placeEntry(list: EntryList, entry: Entry, path: YamlPath): PlacedEntry[] {
  const { matrix: own, ...plain } = entry;
  const ownMatrix = checkBy(MATRIX, own ?? {}, (inner) =>
    list.yaml.at([...path, "matrix", ...inner]),
  );
  const matrix = { ...list.matrix.values, ...ownMatrix };
  const count = countCombinations(matrix);
  if (count > MOST_COMBINATIONS)
    throw invalid(
      `the matrix makes ${count} of one entry, at most ${MOST_COMBINATIONS} are allowed`,
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

/** The value by its schema, or the first problem as a fault at its place. */
export function checkBy<Value>(
  schema: ZodMiniType<Value>,
  value: unknown,
  at: (path: YamlPath, part?: "key" | "value") => Where,
): Value {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  const { path, part, message, hint } = describeIssues(checked.error.issues, schema);
  throw invalid(message, at(path, part), hint);
}

/** Where a text can be nothing but a name, what looks like a variable is one. */
export function checkFilled(
  texts: Readonly<Record<string, string | null | undefined>>,
  at: (key: string) => Where,
) {
  for (const [key, text] of Object.entries(texts)) {
    const name = findUndeclared(text ?? "");
    if (name !== null)
      throw invalid(`\`\${${name}}\` is not declared`, at(key), `add \`${name}\` to \`variables\``);
  }
}

export const invalid = (problem: string, where: Where, hint: string | null = null): Fault =>
  fault("FileInvalid", { problem }, { where, ...(hint === null ? {} : { hint }) });
