// A user's YAML file as plain data that remembers where in the file each part stands.
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { type Fault, fault, type Where } from "../command/fault.ts";

export type YamlPath = readonly PropertyKey[];

export interface YamlFile {
  readonly value: unknown;
  /** Where the value at this path begins, or its key; the nearest place above it where it has none. */
  at(path: YamlPath, part?: "key" | "value"): Where;
}

const MAX_YAML_LENGTH = 4 * 1024 * 1024;
// Each alias of an anchor may be a copy of a large tree of copies.
const MAX_ALIASES = 100;

/** Throws `FileInvalid` at the first thing that is not YAML as Adjutant reads it. */
export function parseYaml(text: string, file: string): YamlFile {
  if (text.length > MAX_YAML_LENGTH)
    throw invalid({ file }, `the file is larger than ${MAX_YAML_LENGTH / 1024 / 1024} MB`);
  const lines = new LineCounter();
  // `uniqueKeys` compares every key with every other: 3 s for 10,000 of them, so that is done below.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const whereIs = (offset: number): Where => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  // Read leniently, a path that a guard is for would be another one.
  const foreign = text.indexOf("\ufffd");
  if (foreign >= 0) throw invalid(whereIs(foreign), "not UTF-8 from here on; save it as UTF-8");
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw invalid(whereIs(problem.pos[0]), describe(problem.message));
  refuseKeys(document, whereIs);
  return {
    value: plainValue(document, file),
    at: (path, part) => whereIs(offsetOf(document, path, part)),
  };
}

const invalid = (where: Where, problem: string): Fault =>
  fault("FileInvalid", { problem }, { where });

const describe = (message: string): string =>
  message.startsWith("Source contains multiple documents")
    ? "more than one YAML document"
    : `not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

function refuseKeys(document: Document, whereIs: (offset: number) => Where): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name: unknown = isScalar(key) ? key.value : undefined;
        const where = whereIs(isScalar(key) ? (key.range?.[0] ?? 0) : (map.range?.[0] ?? 0));
        if (typeof name !== "string") throw invalid(where, "a key must be text");
        if (name === "__proto__") throw invalid(where, "the key `__proto__` is not allowed");
        if (seen.has(name)) throw invalid(where, `the key \`${name}\` is there twice`);
        seen.add(name);
      }
    },
  });
}

function plainValue(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    // An alias inside its own anchor makes a circle, which no later step expects.
    JSON.stringify(value);
    return value;
  } catch (error) {
    const problem = error instanceof ReferenceError ? error.message : "an alias refers to itself";
    throw fault("FileInvalid", { problem: describe(problem) }, { where: { file }, cause: error });
  }
}

function offsetOf(document: Document, path: YamlPath, part: "key" | "value" = "value"): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    const item = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === step)
      : undefined;
    const key: unknown = item?.key;
    node = isSeq(node) ? node.items[Number(step)] : item?.value;
    const wanted = part === "key" && depth === path.length - 1 ? key : node;
    offset = startOf(wanted) ?? startOf(key) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | null {
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
  return node.range?.[0] ?? null;
}
