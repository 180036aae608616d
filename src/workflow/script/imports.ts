// `import()` is the one thing in a script's text by which something else could be loaded; text that is made while it runs is
// no code here. So it is looked for before the script is started.
import { type Node, parse } from "acorn";

export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** Where a script's text imports, or cannot be read; null where all is well. */
export function findTextProblem(body: string): TextProblem | null {
  try {
    const program = parse(body, {
      ecmaVersion: "latest",
      sourceType: "script",
      locations: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
    const found = findImport(program);
    const message = "`import()` is refused: a script has only the names of the dialect";
    return found === null ? null : { message, ...positionOf(found) };
  } catch (error) {
    if (error instanceof RangeError)
      return { message: "the script is nested too deeply", line: 1, column: 1 };
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = readPosition(error);
    return { message: error.message.replace(/ \(\d+:\d+\)$/, ""), line, column: column + 1 };
  }
}

function findImport(program: Node): Node | null {
  const rest: Node[] = [program];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (node.type === "ImportExpression") return node;
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) rest.push(child);
  }
  return null;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const positionOf = ({ loc }: Node) => ({
  line: loc?.start.line ?? 1,
  column: (loc?.start.column ?? 0) + 1,
});

function readPosition(error: SyntaxError): { line: number; column: number } {
  const at: unknown = "loc" in error ? error.loc : null;
  if (typeof at !== "object" || at === null || !("line" in at) || !("column" in at))
    return { line: 1, column: 0 };
  return { line: Number(at.line), column: Number(at.column) };
}
