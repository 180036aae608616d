// Whether a value fits a JSON Schema, draft 7 to 2020-12. Nothing is fetched: a schema refers to itself alone.
import { isRecord } from "../../../agents/json-fields.ts";
import type { JsonPath, Mismatch, Place, Rule } from "./mismatch.ts";
import { PART_RULES } from "./part-rules.ts";
import { resolvePointer } from "./pointer.ts";
import { VALUE_RULES } from "./value-rules.ts";

const DEEPEST = 300;

/** Null where it fits. The schema is one that `findSchemaProblem` has nothing against. */
export const checkJson = (root: unknown, value: unknown): Mismatch | null =>
  checkBy({ root, path: [], depth: 0 }, root, value);

interface Spot {
  readonly root: unknown;
  readonly path: JsonPath;
  readonly depth: number;
}

function checkBy(spot: Spot, schema: unknown, value: unknown): Mismatch | null {
  const { root, path, depth } = spot;
  if (schema === false) return { path, problem: "must not be there" };
  if (depth > DEEPEST) return { path, problem: "lies too deep to be checked" };
  if (!isRecord(schema)) return null;
  const place: Place = {
    path,
    schema,
    check: (inner, part, step) =>
      checkBy(
        { root, path: step === undefined ? path : [...path, step], depth: depth + 1 },
        inner,
        part,
      ),
  };
  for (const [keyword, wanted] of Object.entries(schema)) {
    const rule = keyword === "$ref" ? refer(root) : RULES.get(keyword);
    const found = rule?.(wanted, value, place) ?? null;
    if (found !== null) return typeof found === "string" ? { path, problem: found } : found;
  }
  return null;
}

const refer =
  (root: unknown): Rule =>
  (wanted, value, { check }) =>
    check(resolvePointer(root, String(wanted)), value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const countFits = (schemas: unknown, value: unknown, { check }: Place): number =>
  listOf(schemas).filter((schema) => check(schema, value) === null).length;

const COMPOSITIONS: Readonly<Record<string, Rule>> = {
  allOf: (wanted, value, { check }) => {
    for (const schema of listOf(wanted)) {
      const found = check(schema, value);
      if (found !== null) return found;
    }
    return null;
  },
  anyOf: (wanted, value, place) =>
    countFits(wanted, value, place) > 0 ? null : "must fit one of several schemas",
  oneOf: (wanted, value, place) => {
    const fits = countFits(wanted, value, place);
    return fits === 1 ? null : `must fit one schema alone, it fits ${fits}`;
  },
  not: (wanted, value, { check }) =>
    check(wanted, value) === null ? "must not fit a schema that it fits" : null,
  if: (wanted, value, { schema, check }) => {
    const branch = check(wanted, value) === null ? schema.then : schema.else;
    return branch === undefined ? null : check(branch, value);
  },
};

const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...VALUE_RULES, ...PART_RULES, ...COMPOSITIONS }),
);
