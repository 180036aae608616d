// `export const meta = { … }` of a script, read as data: what is not a literal is refused, nothing is evaluated.
import type { Expression as Code, Node, ObjectExpression, Property, SpreadElement } from "acorn";
import type { JsonValue } from "../../core/command/context.ts";
import type { Fault } from "../../core/command/fault.ts";
import type { ScriptWorkflow } from "./workflow.ts";

type Complain = (at: number, problem: string, hint?: string) => Fault;

export interface ReadMeta {
  readonly meta: Pick<ScriptWorkflow, "name" | "description" | "whenToUse" | "phases">;
  /** Up to here it is the word `export`. */
  readonly exportEnd: number;
  readonly warnings: readonly string[];
}

const FIRST_HINT = "begin with `export const meta = { name: …, description: … }`";

export function readMeta(statement: Node | null, complain: Complain): ReadMeta {
  const found = findMeta(statement);
  if (found === null)
    throw complain(statement?.start ?? 0, "the first statement is not `meta`", FIRST_HINT);
  const fields = readObject(found.value, complain);
  const at = found.value.start;
  const text = (key: string): string | null => {
    const value = fields.get(key)?.value;
    if (value === undefined) return null;
    if (typeof value === "string") return value;
    throw complain(fields.get(key)?.at ?? at, `\`${key}\` of \`meta\` must be text`);
  };
  const name = text("name");
  if (name === null || name.trim() === "")
    throw complain(fields.get("name")?.at ?? at, "`meta` has no `name`", FIRST_HINT);
  const description = text("description") ?? "";
  return {
    meta: {
      name,
      description,
      whenToUse: text("whenToUse"),
      phases: readPhases(fields.get("phases"), complain),
    },
    exportEnd: found.exportEnd,
    warnings: description.trim() === "" ? ["`meta` has no `description`"] : [],
  };
}

function findMeta(
  statement: Node | null,
): { readonly value: ObjectExpression; readonly exportEnd: number } | null {
  if (statement === null || !isExport(statement)) return null;
  const { declaration } = statement;
  if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") return null;
  const [only, ...more] = declaration.declarations;
  if (only?.id.type !== "Identifier" || only.id.name !== "meta" || more.length > 0) return null;
  return only.init?.type === "ObjectExpression"
    ? { value: only.init, exportEnd: declaration.start }
    : null;
}

const isExport = (node: Node): node is import("acorn").ExportNamedDeclaration =>
  node.type === "ExportNamedDeclaration";

interface Field {
  readonly at: number;
  readonly value: JsonValue;
}

/** They would be more than data in the hands of whoever copies them. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function readObject(object: ObjectExpression, complain: Complain): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const property of object.properties) {
    const { key, value } = readProperty(property, complain);
    if (REFUSED_KEYS.has(key))
      throw complain(property.start, `the key \`${key}\` is not allowed in \`meta\``);
    if (fields.has(key)) throw complain(property.start, `the key \`${key}\` is there twice`);
    fields.set(key, { at: value.start, value: readLiteral(value, complain) });
  }
  return fields;
}

function readProperty(property: Property | SpreadElement, complain: Complain) {
  const isPlain =
    property.type === "Property" &&
    property.kind === "init" &&
    !property.computed &&
    !property.method &&
    !property.shorthand;
  const key = property.type === "Property" ? property.key : null;
  if (!isPlain || key === null) throw notLiteral(property, complain);
  if (key.type === "Identifier") return { key: key.name, value: property.value };
  if (key.type === "Literal") return { key: String(key.value), value: property.value };
  throw notLiteral(property, complain);
}

const notLiteral = ({ start }: Node, complain: Complain): Fault =>
  complain(start, "`meta` holds plain values only", "it is read and never run");

function readLiteral(code: Code, complain: Complain): JsonValue {
  if (code.type === "Literal") {
    const { value } = code;
    if (value === null && code.raw === "null") return null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return value;
  }
  if (code.type === "TemplateLiteral" && code.expressions.length === 0)
    return code.quasis[0]?.value.cooked ?? "";
  if (code.type === "UnaryExpression" && (code.operator === "-" || code.operator === "+")) {
    const value = readLiteral(code.argument, complain);
    if (typeof value === "number") return code.operator === "-" ? -value : value;
  }
  if (code.type === "ArrayExpression")
    return code.elements.map((element) => {
      if (element === null || element.type === "SpreadElement")
        throw notLiteral(element ?? code, complain);
      return readLiteral(element, complain);
    });
  if (code.type === "ObjectExpression")
    return Object.fromEntries(
      Array.from(readObject(code, complain), ([key, { value }]) => [key, value]),
    );
  throw notLiteral(code, complain);
}

function readPhases(field: Field | undefined, complain: Complain): ScriptWorkflow["phases"] {
  if (field === undefined) return [];
  const { value, at } = field;
  const problem = "`phases` of `meta` must be a list of `{ title, detail }`";
  if (!Array.isArray(value)) throw complain(at, problem);
  const entries: readonly JsonValue[] = value;
  return entries.map((entry) => {
    // Some write the title alone.
    if (typeof entry === "string") return { title: entry, detail: null };
    if (typeof entry !== "object" || entry === null || !("title" in entry))
      throw complain(at, problem);
    const { title, detail } = entry;
    if (typeof title !== "string") throw complain(at, problem);
    return { title, detail: typeof detail === "string" ? detail : null };
  });
}
