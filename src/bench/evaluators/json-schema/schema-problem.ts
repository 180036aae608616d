// What is wrong with a schema, said before it decides anything: a keyword that is not known would ask for nothing.
import { isRecord } from "../../../agents/json-fields.ts";
import { nearestNames } from "../../../command/nearest-names.ts";
import { FORMATS } from "./formats.ts";
import { resolvePointer } from "./pointer.ts";

export interface SchemaProblem {
  readonly path: readonly string[];
  readonly problem: string;
}

const TYPES: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer",
]);

type Check = (argument: unknown, root: unknown) => string | null;

const demand =
  (problem: string, holds: (argument: unknown) => boolean): Check =>
  (argument) =>
    holds(argument) ? null : problem;

const isPattern = (argument: unknown): boolean => {
  try {
    return typeof argument === "string" && new RegExp(argument, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

const isCount = (argument: unknown) => Number.isInteger(argument) && Number(argument) >= 0;
const areNames = (argument: unknown) =>
  Array.isArray(argument) && argument.every((name) => typeof name === "string");
const number = demand("must be a number", (argument) => typeof argument === "number");
const count = demand("must be a whole number from 0", isCount);
const map = demand("must be a map", isRecord);
const schemas = demand(
  "must be a list of schemas",
  (given) => Array.isArray(given) && given.length > 0,
);
const anything: Check = () => null;

const refersInside: Check = (argument, root) =>
  typeof argument === "string" && resolvePointer(root, argument) !== undefined
    ? null
    : `\`${argument}\` is not in the schema, and nothing is fetched`;

const each = (keywords: string, check: Check): Record<string, Check> =>
  Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, check]));

/** Those whose argument is a schema or a list of them, and those with a map of them by name. */
const INNER =
  "items additionalItems contains additionalProperties propertyNames not if then else allOf anyOf oneOf prefixItems";
const INNER_MAPS = "properties patternProperties dependentSchemas dependencies $defs definitions";
const ANNOTATIONS =
  "$schema $id $comment title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType";

/** Every keyword there is, and what may stand behind it. */
const KEYWORDS: Readonly<Record<string, Check>> = {
  ...each(ANNOTATIONS, anything),
  ...each(INNER, anything),
  ...each(INNER_MAPS, map),
  ...each("allOf anyOf oneOf prefixItems", schemas),
  ...each("minimum maximum exclusiveMinimum exclusiveMaximum", number),
  ...each("minLength maxLength minItems maxItems minContains maxContains", count),
  ...each("minProperties maxProperties", count),
  type: demand("must be a type of JSON", (given) => [given].flat().every((one) => TYPES.has(one))),
  const: anything,
  enum: demand("must be a list", Array.isArray),
  multipleOf: demand("must be a number above 0", (given) => typeof given === "number" && given > 0),
  pattern: demand("is not a regular expression", isPattern),
  format: demand(
    `is not checked; known are ${Object.keys(FORMATS).join(", ")}`,
    (given) => typeof given === "string" && Object.hasOwn(FORMATS, given),
  ),
  uniqueItems: demand("must be true or false", (given) => typeof given === "boolean"),
  required: demand("must be a list of names", areNames),
  dependentRequired: demand(
    "must be a map of lists of names",
    (given) => isRecord(given) && Object.values(given).every(areNames),
  ),
  patternProperties: demand(
    "must be a map by regular expressions",
    (given) => isRecord(given) && Object.keys(given).every(isPattern),
  ),
  $ref: refersInside,
};

export function findSchemaProblem(
  schema: unknown,
  root: unknown = schema,
  path: readonly string[] = [],
): SchemaProblem | null {
  if (typeof schema === "boolean") return null;
  if (!isRecord(schema)) return { path, problem: "must be a schema" };
  for (const [keyword, argument] of Object.entries(schema)) {
    const here = [...path, keyword];
    const check = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (check === undefined) return { path: here, problem: sayUnknown(keyword) };
    const problem = check(argument, root);
    if (problem !== null) return { path: here, problem };
    for (const [step, inner] of innerSchemas(keyword, argument)) {
      const found = findSchemaProblem(inner, root, [...here, ...step]);
      if (found !== null) return found;
    }
  }
  return null;
}

function sayUnknown(keyword: string): string {
  const [nearest] = nearestNames(keyword, Object.keys(KEYWORDS));
  return `is no keyword that is checked${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`;
}

function innerSchemas(keyword: string, argument: unknown): [string[], unknown][] {
  if (INNER.split(" ").includes(keyword))
    return Array.isArray(argument)
      ? argument.map((inner, at) => [[String(at)], inner])
      : [[[], argument]];
  if (!INNER_MAPS.split(" ").includes(keyword) || !isRecord(argument)) return [];
  return Object.entries(argument)
    .filter(([, inner]) => keyword !== "dependencies" || !Array.isArray(inner))
    .map(([name, inner]) => [[name], inner]);
}
