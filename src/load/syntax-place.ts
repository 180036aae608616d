// Where in a module a syntax error is. For TypeScript Node says it; for JavaScript it keeps it to
// itself (24.21), so the text is parsed again by something that does say it.
import { stripTypeScriptTypes } from "node:module";
import { Script } from "node:vm";

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Null where a second parse finds nothing wrong. */
export function findSyntaxError(text: string): Place | null {
  try {
    return findEarlyError(stripTypeScriptTypes(text));
  } catch (error) {
    return placeInStack(error);
  }
}

/** What only V8 finds, such as a name declared twice; it tells the place for scripts alone. */
function findEarlyError(text: string): Place | null {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, " ");
  const script = text
    .replaceAll(/^[ \t]*import\b[^;'"]*['"][^'"\n]*['"]/gm, blank)
    .replaceAll(/^[ \t]*export\s+default\b/gm, (code) => `void${blank(code).slice(4)}`)
    .replaceAll(/^[ \t]*export\b/gm, blank);
  const opening = "async () => {";
  try {
    new Script(`${opening}${script}\n}`, { columnOffset: -opening.length });
    return null;
  } catch (error) {
    return placeInStack(error);
  }
}

/** Node begins the stack of a syntax error with `file:line`, the source, and a caret below it. */
export function placeInStack(error: unknown): Place | null {
  if (!(error instanceof SyntaxError)) return null;
  const match = /^[^\n]*:(\d+)\n(?:[^\n]*\n)*?(\s*)\^/.exec(error.stack ?? "");
  if (match === null) return null;
  return { line: Number(match[1]), column: (match[2] ?? "").length + 1 };
}
