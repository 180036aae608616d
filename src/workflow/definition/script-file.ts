// A script in the dialect: `export const meta` first, then the body of an async function. It is parsed, never run here.
import { extname } from "node:path";
import type { Node, Program } from "acorn";
import { type Fault, fault, messageOf } from "../../core/command/fault.ts";
import { positionInStack } from "../../core/load/import-problem.ts";
import { sha256 } from "../../core/project/fingerprint.ts";
import { stripTypes } from "../../markdown/body/pick-symbol.ts";
import { readMeta } from "./script-meta.ts";
import { findFirstNode, isNode, readSyntax } from "./script-syntax.ts";
import { whereIs } from "./source-position.ts";
import type { ScriptWorkflow } from "./workflow.ts";

export const SCRIPT_EXTENSIONS: readonly string[] = [".js", ".mjs", ".ts"];

/** As the dialect has it. */
const MAX_BYTES = 512 * 1024;

export interface ReadScript {
  readonly workflow: ScriptWorkflow;
  /** What a person should know and nothing fails for. */
  readonly warnings: readonly string[];
}

/** Throws `FileInvalid` with file, line and column. */
export function readScriptWorkflow(source: string, file: string): ReadScript {
  if (Buffer.byteLength(source) > MAX_BYTES)
    throw fault(
      "FileInvalid",
      { problem: `the script is larger than ${MAX_BYTES / 1024} KiB` },
      { where: { file } },
    );
  const script: ScriptText = { file, source, plain: toJavaScript(source, file) };
  const program = parseScript(script);
  const [first] = program.body;
  const statement = first ?? null;
  const { meta, exportEnd, warnings } = readMeta(statement, (at, problem, hint) =>
    complain(script, at, problem, hint),
  );
  refuseModules(script, program.body.slice(1));
  const body = blank(script.plain, statement?.start ?? 0, exportEnd);
  return {
    workflow: { ...meta, form: "script", file, source, hash: sha256(source), body },
    warnings,
  };
}

interface ScriptText {
  readonly file: string;
  readonly source: string;
  /** JavaScript; every character stands where it stood in the source. */
  readonly plain: string;
}

const complain = (
  { file, source }: ScriptText,
  at: number,
  problem: string,
  hint?: string,
): Fault =>
  fault(
    "FileInvalid",
    { problem },
    { where: whereIs(source, at, file), ...(hint === undefined ? {} : { hint }) },
  );

/** Blanks in place of the text between two places; lines stay. */
const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n\r]/g, " ") + text.slice(to);

/** A byte order mark and a first line for the shell mean nothing within a function. */
function toJavaScript(source: string, file: string): string {
  const start = /^\uFEFF?(?:#![^\n]*)?/.exec(source)?.[0] ?? "";
  const text = blank(source, 0, start.length);
  return extname(file) === ".ts" ? stripScript(text, file) : text;
}

// The types are taken out of a function: a `return` may stand there, and `export` may not.
const OPENING = "async()=>{";
const LEADING_EXPORT = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*export(?=\s+const\s+meta\b)/;

function stripScript(text: string, file: string): string {
  const lead = LEADING_EXPORT.exec(text)?.[0];
  const from = (lead?.length ?? 0) - "export".length;
  const inner = lead === undefined ? text : blank(text, from, lead.length);
  try {
    const plain = stripTypes(`${OPENING}${inner}\n}`).slice(OPENING.length, -2);
    return lead === undefined ? plain : `${plain.slice(0, from)}export${plain.slice(lead.length)}`;
  } catch (error) {
    // What goes too deep for it ends the parser itself, with an error of another kind.
    const position = positionInStack(error);
    const shift = position?.line === 1 ? OPENING.length : 0;
    const where =
      position === null
        ? { file }
        : { file, line: position.line, column: Math.max(1, position.column - shift) };
    throw fault(
      "FileInvalid",
      { problem: describeSyntax(messageOf(error)) },
      { where, cause: error },
    );
  }
}

function describeSyntax(problem: string): string {
  const [line = ""] = problem.split("\n");
  return `not a script: ${line.charAt(0).toLowerCase()}${line.slice(1)}`;
}

function parseScript(script: ScriptText): Program {
  const reading = readSyntax(script.plain, { takesExports: true });
  if (reading.kind === "wrong") throw complain(script, reading.at, describeSyntax(reading.problem));
  return reading.program;
}

const MODULE_PARTS: ReadonlyMap<string, string> = new Map([
  ["ImportDeclaration", "`import`"],
  ["ImportExpression", "`import()`"],
  ["ExportNamedDeclaration", "a second `export`"],
  ["ExportDefaultDeclaration", "`export default`"],
  ["ExportAllDeclaration", "`export`"],
]);

/** A script reaches nothing but what it is given. */
function refuseModules(script: ScriptText, statements: readonly Node[]): void {
  const first = findFirstNode(statements, (node) => modulePartOf(node) !== null);
  if (first !== null)
    throw complain(
      script,
      first.start,
      `${modulePartOf(first)} is not for workflows`,
      "a script has `agent`, `parallel`, `pipeline`, `phase`, `log`, `workflow`, `args`, `budget` and `adj`",
    );
}

const modulePartOf = (node: Node): string | null =>
  MODULE_PARTS.get(node.type) ?? (isImportMeta(node) ? "`import.meta`" : null);

const isImportMeta = (node: Node): boolean =>
  node.type === "MetaProperty" &&
  "meta" in node &&
  isNode(node.meta) &&
  "name" in node.meta &&
  node.meta.name === "import";
