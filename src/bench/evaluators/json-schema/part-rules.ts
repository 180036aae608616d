// Keywords about the parts of lists and maps.
import { isRecord, type JsonRecord } from "../../../agents/json-fields.ts";
import type { Mismatch, Place, Rule } from "./mismatch.ts";

const aboutLists =
  (rule: (wanted: unknown, list: readonly unknown[], place: Place) => ReturnType<Rule>): Rule =>
  (wanted, value, place) =>
    Array.isArray(value) ? rule(wanted, value, place) : null;

const aboutMaps =
  (rule: (wanted: unknown, map: JsonRecord, place: Place) => ReturnType<Rule>): Rule =>
  (wanted, value, place) =>
    isRecord(value) ? rule(wanted, value, place) : null;

const entriesOf = (value: unknown): [string, unknown][] =>
  isRecord(value) ? Object.entries(value) : [];
const namesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The first that is not null; the rest is not looked at. */
function findFirst<Part>(
  parts: Iterable<Part>,
  look: (part: Part) => Mismatch | string | null,
): Mismatch | string | null {
  for (const part of parts) {
    const found = look(part);
    if (found !== null) return found;
  }
  return null;
}

const missing = (map: JsonRecord, names: readonly string[]): string | null => {
  const name = names.find((one) => !Object.hasOwn(map, one));
  return name === undefined ? null : `must have \`${name}\``;
};

function checkItems(wanted: unknown, list: readonly unknown[], place: Place): ReturnType<Rule> {
  // A list of schemas was the tuple of older drafts.
  if (Array.isArray(wanted)) return checkTuple(wanted, list, place);
  const { prefixItems } = place.schema;
  const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
  return findFirst(list.slice(from).entries(), ([at, item]) =>
    place.check(wanted, item, from + at),
  );
}

const checkTuple = (wanted: unknown, list: readonly unknown[], { check }: Place) =>
  findFirst((Array.isArray(wanted) ? wanted : []).slice(0, list.length).entries(), ([at, schema]) =>
    check(schema, list[at], at),
  );

function checkAdditionalItems(wanted: unknown, list: readonly unknown[], place: Place) {
  const { items } = place.schema;
  if (!Array.isArray(items)) return null;
  return findFirst(list.slice(items.length).entries(), ([at, item]) =>
    place.check(wanted, item, items.length + at),
  );
}

function checkContains(wanted: unknown, list: readonly unknown[], { schema, check }: Place) {
  const { minContains = 1, maxContains = list.length } = schema;
  const count = list.filter((item) => check(wanted, item) === null).length;
  return count >= Number(minContains) && count <= Number(maxContains)
    ? null
    : `must contain other parts than these: ${count} are as wanted`;
}

function checkUnique(wanted: unknown, list: readonly unknown[]): string | null {
  const texts = new Set(list.map((item) => JSON.stringify(item, sortKeys)));
  return wanted !== true || texts.size === list.length ? null : "must have no part twice";
}

const sortKeys = (_: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function checkAdditional(wanted: unknown, map: JsonRecord, { schema, check }: Place) {
  const patterns = entriesOf(schema.patternProperties).map(([name]) => new RegExp(name, "u"));
  const known = isRecord(schema.properties) ? schema.properties : {};
  const others = Object.keys(map).filter(
    (name) => !Object.hasOwn(known, name) && !patterns.some((pattern) => pattern.test(name)),
  );
  if (wanted === false) return others.length === 0 ? null : `must not have \`${others[0]}\``;
  return findFirst(others, (name) => check(wanted, map[name], name));
}

const checkByPattern = (wanted: unknown, map: JsonRecord, { check }: Place) =>
  findFirst(entriesOf(wanted), ([pattern, schema]) =>
    findFirst(
      Object.keys(map).filter((name) => new RegExp(pattern, "u").test(name)),
      (name) => check(schema, map[name], name),
    ),
  );

const checkDependents = (wanted: unknown, map: JsonRecord, { check }: Place) =>
  findFirst(
    entriesOf(wanted).filter(([name]) => Object.hasOwn(map, name)),
    ([, needed]) => (Array.isArray(needed) ? missing(map, namesOf(needed)) : check(needed, map)),
  );

const count =
  (problem: string, holds: (count: number, bound: number) => boolean) =>
  (wanted: unknown, value: object) => {
    const length = Object.keys(value).length;
    return holds(length, Number(wanted)) ? null : `${problem} ${wanted}, it has ${length}`;
  };
const atLeast = count("must have at least so many parts:", (length, least) => length >= least);
const atMost = count("must have at most so many parts:", (length, most) => length <= most);

export const PART_RULES: Readonly<Record<string, Rule>> = {
  items: aboutLists(checkItems),
  prefixItems: aboutLists(checkTuple),
  additionalItems: aboutLists(checkAdditionalItems),
  contains: aboutLists(checkContains),
  uniqueItems: aboutLists(checkUnique),
  minItems: aboutLists(atLeast),
  maxItems: aboutLists(atMost),
  minProperties: aboutMaps(atLeast),
  maxProperties: aboutMaps(atMost),
  required: aboutMaps((wanted, map) => missing(map, namesOf(wanted))),
  properties: aboutMaps((wanted, map, { check }) =>
    findFirst(
      entriesOf(wanted).filter(([name]) => Object.hasOwn(map, name)),
      ([name, schema]) => check(schema, map[name], name),
    ),
  ),
  patternProperties: aboutMaps(checkByPattern),
  additionalProperties: aboutMaps(checkAdditional),
  propertyNames: aboutMaps((wanted, map, { check }) =>
    findFirst(Object.keys(map), (name) => check(wanted, name)),
  ),
  dependentRequired: aboutMaps(checkDependents),
  dependentSchemas: aboutMaps(checkDependents),
  dependencies: aboutMaps(checkDependents),
};
