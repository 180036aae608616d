// A script's text as acorn reads it: the body of a function, so that nothing is stricter than it will be when it runs.
import { type Node, type Program, parse } from "acorn";

type SyntaxReading =
  | { readonly kind: "program"; readonly program: Program }
  | { readonly kind: "wrong"; readonly problem: string; readonly at: number };

export function readSyntax(
  text: string,
  options: { readonly takesExports: boolean },
): SyntaxReading {
  try {
    const program = parse(text, {
      ecmaVersion: "latest",
      sourceType: "script",
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowImportExportEverywhere: options.takesExports,
    });
    return { kind: "program", program };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
    return { kind: "wrong", problem: error.message.replace(/ \(\d+:\d+\)$/, ""), at };
  }
}

/** The node that stands first in the text of those that are meant; null where there is none. */
export function findFirstNode(
  root: Node | readonly Node[],
  isMeant: (node: Node) => boolean,
): Node | null {
  const pending: unknown[] = [root];
  let first: Node | null = null;
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const one of next) pending.push(one);
    else if (isNode(next)) {
      if (isMeant(next) && (first === null || next.start < first.start)) first = next;
      for (const part of Object.values(next)) pending.push(part);
    }
  }
  return first;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
