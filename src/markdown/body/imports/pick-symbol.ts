// A declaration of a TypeScript or JavaScript file, by its name, with the comment above it.
import { stripTypeScriptTypes } from "node:module";
import { type Comment, type Node, type Program, parse } from "acorn";
import { nearestNames } from "../../../command/nearest-names.ts";
import { type Declaration, listDeclarations } from "./declarations.ts";
import type { Picked } from "./pick-lines.ts";
import { listTypes } from "./type-declarations.ts";

export function pickSymbol(text: string, name: string, isTypeScript: boolean): Picked {
  const reading = readDeclarations(text, isTypeScript);
  if (typeof reading === "string") return unreadable(reading);
  const found = reading.declarations.find((declaration) => declaration.names.includes(name));
  if (found === undefined) return missing(name, reading.declarations);
  const begin = beginWithComment(text, found.begin, reading.comments);
  return { kind: "picked", text: `${text.slice(begin, found.end)}\n`, label: name };
}

interface Reading {
  readonly declarations: readonly Declaration[];
  readonly comments: readonly Comment[];
}

/** Or the problem. */
function readDeclarations(text: string, isTypeScript: boolean): Reading | string {
  const comments: Comment[] = [];
  try {
    const plain = isTypeScript ? stripTypes(text) : text;
    const program = parseModule(plain, comments);
    const gaps = isTypeScript ? listTypes(text, listGaps(program, text.length)) : [];
    return { declarations: [...listDeclarations(program), ...gaps], comments };
  } catch (error) {
    if (error instanceof SyntaxError) return error.message.split("\n")[0] ?? "";
    throw error;
  }
}

/** Types become blanks, so every place stays where it is. */
function stripTypes(text: string): string {
  const { emitWarning } = process;
  // Node warns once that stripping may change; what we rely on is checked right here.
  process.emitWarning = () => {};
  try {
    const plain = stripTypeScriptTypes(text, { mode: "strip" });
    if (plain.length !== text.length)
      throw new SyntaxError("its types cannot be taken out in place");
    return plain;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function parseModule(text: string, comments: Comment[]): Program {
  return parse(text, {
    ecmaVersion: "latest",
    sourceType: "module",
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    onComment: comments,
  });
}

/** What stands between statements: comments, and types that were taken out. */
function listGaps({ body }: Program, length: number): { begin: number; end: number }[] {
  const ends = [0, ...body.map((node: Node) => node.end)];
  const begins = [...body.map((node: Node) => node.start), length];
  return ends.map((begin, index) => ({ begin, end: begins[index] ?? length }));
}

function beginWithComment(text: string, begin: number, comments: readonly Comment[]): number {
  let start = begin;
  for (const comment of comments.toReversed()) {
    if (comment.end > start) continue;
    if (!/^[ \t]*\r?\n?[ \t]*$/.test(text.slice(comment.end, start))) break;
    start = comment.start;
  }
  return start;
}

const unreadable = (problem: string): Picked => ({
  kind: "missing",
  problem: `cannot be found: the file cannot be read as code: ${problem}`,
  hint: "import its lines, as in `:10-50`",
});

function missing(name: string, declarations: readonly Declaration[]): Picked {
  const names = [...new Set(declarations.flatMap((declaration) => declaration.names))];
  const near = nearestNames(name, names);
  const some = (near.length > 0 ? near : names.slice(0, 10)).map((known) => `\`${known}\``);
  return {
    kind: "missing",
    problem: "names nothing that the file declares at its top level",
    hint: some.length === 0 ? "import its lines, as in `:10-50`" : `it has ${some.join(", ")}`,
  };
}
