// The evaluators of a case, each checked by its own schema.

import { accessSync, constants } from "node:fs";
import { relative, resolve } from "node:path";
import { nearestNames, quoteNames, suggestNames } from "../../core/command/names.ts";
import { describeFileError } from "../../core/project/files.ts";
import { mapTexts } from "../../core/project/json-value.ts";
import { fileFault } from "../../core/project/schema-problem.ts";
import { type LocatedEntry, ProblemList, type RawEntry } from "./entries.ts";
import type { Evaluator } from "./evaluator.ts";
import { isId } from "./schema.ts";
import type { EvaluatorEntry } from "./suite.ts";

/** The evaluators there are. */
export interface EvaluatorTable {
  find(type: string): Evaluator | null;
  types(): readonly string[];
}

export interface EvaluatorReading {
  readonly evaluators: EvaluatorTable;
  /** Of the file that the case is written in. */
  readonly folder: string;
  readonly suiteFolder: string;
  readonly at: LocatedEntry["at"];
}

export function readEvaluators(
  entries: readonly RawEntry[],
  reading: EvaluatorReading,
): EvaluatorEntry[] {
  const counts = new Map<string, number>();
  const ids = new Set<string>();
  const problems = new ProblemList();
  const read = (entry: RawEntry, index: number): EvaluatorEntry => {
    const at: LocatedEntry["at"] = (path, part) => reading.at(["evaluators", index, ...path], part);
    const { id, type, weight, raw } = readParts(entry, { ...reading, at });
    const options = readOptions(type, raw, { ...reading, at: (path) => at([type, ...path]) });
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    const name = id ?? (count === 1 ? type : `${type}-${count}`);
    if (ids.has(name)) throw fileFault(`evaluator \`${name}\` is there twice`, at([]));
    ids.add(name);
    return { id: name, type, weight, options };
  };
  const found = entries.flatMap((entry, index) => problems.attempt(() => read(entry, index)) ?? []);
  problems.throwFirst();
  return found;
}

function readParts(entry: RawEntry, { evaluators, at }: EvaluatorReading) {
  const { weight = 1, id, ...rest } = entry;
  const [type, second] = Object.keys(rest);
  if (type === undefined || second !== undefined)
    throw fileFault(
      "an evaluator is a map with exactly one type, beside `weight` and `id`",
      second === undefined ? at([]) : at([second], "key"),
      listTypes(evaluators),
    );
  if (typeof weight !== "number" || !Number.isFinite(weight) || weight < 0)
    throw fileFault("`weight` must be a number from 0", at(["weight"]));
  if (id !== undefined && !isId(id))
    throw fileFault("`id` must be letters, digits, `.`, `_` and `-`", at(["id"]));
  if (evaluators.find(type) === null) throw unknownType(type, { evaluators, at });
  return { id, type, weight, raw: rest[type] };
}

const listTypes = (evaluators: EvaluatorTable): string =>
  `known are ${quoteNames(evaluators.types())}`;

function unknownType(
  type: string,
  { evaluators, at }: Pick<EvaluatorReading, "evaluators" | "at">,
): Error {
  const nearest = nearestNames(type, evaluators.types()).slice(0, 1);
  return fileFault(
    `unknown evaluator \`${type}\`${suggestNames(nearest)}`,
    at([type], "key"),
    nearest.length === 0 ? listTypes(evaluators) : null,
  );
}

function readOptions(type: string, raw: unknown, reading: EvaluatorReading): unknown {
  const { evaluators, folder, suiteFolder, at } = reading;
  const evaluator = evaluators.find(type);
  const read = evaluator?.readOptions(raw);
  if (read?.kind !== "options") throw fileFault(read?.problem ?? "", at(read?.path ?? []));
  const files = evaluator?.files(read.options) ?? [];
  for (const file of files) {
    const path = findValue(raw, file) ?? [];
    try {
      accessSync(resolve(folder, file), constants.R_OK);
    } catch (error) {
      throw fileFault(`\`${file}\` cannot be read: ${describeFileError(error)}`, at(path));
    }
  }
  // Whatever comes later reads them from the suite's folder.
  return folder === suiteFolder
    ? read.options
    : mapTexts(read.options, (text) =>
        files.includes(text) ? relative(suiteFolder, resolve(folder, text)) : text,
      );
}

/** The way to a text within what is written. */
function findValue(within: unknown, wanted: string): readonly string[] | null {
  if (within === wanted) return [];
  if (typeof within !== "object" || within === null) return null;
  for (const [key, value] of Object.entries(within)) {
    const path = findValue(value, wanted);
    if (path !== null) return [key, ...path];
  }
  return null;
}
