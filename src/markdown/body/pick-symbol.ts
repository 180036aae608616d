// A declaration of a TypeScript or JavaScript file, by its name, with the comment above it.
import { stripTypeScriptTypes } from "node:module";
import {
  type Comment,
  type ModuleDeclaration,
  type Node,
  type Pattern,
  type Program,
  parse,
  type Statement,
} from "acorn";
import { nearestNames, quoteNames } from "../../core/command/names.ts";
import type { Picked } from "./pick-part.ts";

export function pickSymbol(text: string, name: string, isTypeScript: boolean): Picked {
  const reading = readDeclarations(text, isTypeScript);
  if (typeof reading === "string") return unreadable(reading);
  const found = reading.declarations.find((declaration) => declaration.names.includes(name));
  if (found === undefined) return missingSymbol(name, reading.declarations);
  const begin = beginWithComment(text, found.begin, reading.comments);
  return { kind: "picked", text: `${text.slice(begin, found.end)}\n`, label: name };
}

interface Reading {
  readonly declarations: readonly Declaration[];
  readonly comments: readonly Comment[];
}

/** What a text declares, or in words why it cannot be read. */
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
export function stripTypes(text: string): string {
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

function missingSymbol(name: string, declarations: readonly Declaration[]): Picked {
  const names = [...new Set(declarations.flatMap((declaration) => declaration.names))];
  const near = nearestNames(name, names);
  const some = near.length > 0 ? near : names.slice(0, 10);
  return {
    kind: "missing",
    problem: "names nothing that the file declares at its top level",
    hint: some.length === 0 ? "import its lines, as in `:10-50`" : `it has ${quoteNames(some)}`,
  };
}

interface Declaration {
  readonly names: readonly string[];
  readonly begin: number;
  readonly end: number;
}

/** What a module declares at its top level, `export` included; what it exports by default is `default` too. */
function listDeclarations({ body }: Program): Declaration[] {
  return body.flatMap((node) => {
    const names = listNames(node);
    return names.length === 0 ? [] : [{ names, begin: node.start, end: node.end }];
  });
}

function listNames(node: Statement | ModuleDeclaration): string[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return [node.id.name];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => listBound(id));
    case "ExportNamedDeclaration":
      return node.declaration ? listNames(node.declaration) : [];
    case "ExportDefaultDeclaration": {
      const { declaration } = node;
      const own = "id" in declaration && declaration.id ? [declaration.id.name] : [];
      return ["default", ...own];
    }
    default:
      return [];
  }
}

function listBound(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        listBound(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element === null ? [] : listBound(element)));
    case "RestElement":
      return listBound(pattern.argument);
    case "AssignmentPattern":
      return listBound(pattern.left);
    default:
      return [];
  }
}

// Interfaces and type aliases leave nothing behind when types are stripped: they are looked for in
// the gaps between statements, where only they and comments can stand.

interface Gap {
  readonly begin: number;
  readonly end: number;
}

const HEAD =
  /(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:(interface)|type|(?:abstract\s+)?class|function|const|let|var|namespace|module)\s+([\p{L}_$][\p{L}\p{N}_$]*)/uy;
// Everything in which a bracket or a semicolon means nothing.
const SKIPPED =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|=>/y;

function listTypes(text: string, gaps: readonly Gap[]): Declaration[] {
  return gaps.flatMap((gap) => listInGap(text, gap));
}

function listInGap(text: string, { begin, end }: Gap): Declaration[] {
  const found: Declaration[] = [];
  let at = begin;
  while (at < end) {
    const head = matchHead(text, at, end);
    if (head !== null) {
      const stop = findEnd(text, at + head[0].length, { end, isBlock: head[1] !== undefined });
      found.push({ names: [head[2] ?? ""], begin: at, end: stop });
      at = stop;
    } else at += matchAt(SKIPPED, text, at, end)?.[0].length ?? 1;
  }
  return found;
}

interface Limits {
  readonly end: number;
  readonly isBlock: boolean;
}

/** An interface ends with its braces, any other with a semicolon or where the next one begins. */
function findEnd(text: string, from: number, { end, isBlock }: Limits): number {
  let depth = 0;
  let last = from;
  let isLineStart = false;
  for (let at = from; at < end; ) {
    const char = text.charAt(at);
    if (depth === 0 && isLineStart && matchHead(text, at, end) !== null) return last;
    const skipped = matchAt(SKIPPED, text, at, end)?.[0];
    if (skipped === undefined) depth += changeDepth(char);
    at += skipped?.length ?? 1;
    if (!isBlank(char) && !/^\/[/*]/.test(skipped ?? "")) last = at;
    isLineStart = char === "\n" || (isLineStart && isBlank(char));
    if (depth === 0 && (char === ";" || (isBlock && char === "}"))) return at;
  }
  return last;
}

const isBlank = (char: string): boolean => /\s/.test(char);

function changeDepth(char: string): number {
  if ("{([<".includes(char)) return 1;
  return "})]>".includes(char) ? -1 : 0;
}

/** Not in the middle of a word. */
function matchHead(text: string, at: number, end: number): RegExpExecArray | null {
  return /[\p{L}\p{N}_$.]/u.test(text.charAt(at - 1)) ? null : matchAt(HEAD, text, at, end);
}

function matchAt(pattern: RegExp, text: string, at: number, end: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null || pattern.lastIndex > end ? null : match;
}
