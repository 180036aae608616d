// What Node says about a module it could not load, in our words and with the place in the file.
import { stripTypeScriptTypes } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Fault, fault, messageOf, systemCodeOf, type Where } from "../command/fault.ts";
import { readText } from "../project/files.ts";
import { type LayerSource, showFile, showPaths } from "./layer-source.ts";

interface FailedImport {
  readonly source: LayerSource;
  readonly path: string;
  /** For the place of a syntax error; null where the file was parsed before without one. */
  readonly text: string | null;
}

export function describeImport(error: unknown, failed: FailedImport): Fault {
  if (error instanceof Fault) return error;
  const missing = findMissing(error);
  if (missing !== null) return describeMissing(missing, failed, error);
  const details = { where: findPosition(error, failed), cause: error };
  return fault(
    "FileInvalid",
    { problem: showPaths(failed.source, problemOfImport(error)) },
    details,
  );
}

function problemOfImport(error: unknown): string {
  const message = messageOf(error);
  const [line = ""] = message.split("\n");
  if (error instanceof SyntaxError) return `syntax error: ${line}`;
  return `it threw while it was loaded: ${line}`;
}

// An import that leads nowhere is told at the line that has it.

interface MissingImport {
  readonly kind: string;
  readonly wanted: string;
  readonly importer: string;
}

function findMissing(error: unknown): MissingImport | null {
  if (!(error instanceof Error) || systemCodeOf(error) !== "ERR_MODULE_NOT_FOUND") return null;
  const found = /^Cannot find (package|module) '([^']*)' imported from (\S.*)$/m.exec(
    error.message,
  );
  const [, kind = "", wanted = "", importer = ""] = found ?? [];
  return found === null ? null : { kind, wanted, importer };
}

function describeMissing(missing: MissingImport, { source }: FailedImport, cause: unknown): Fault {
  const { kind, wanted, importer } = missing;
  const isPackage = kind === "package";
  const folder = source.layer === "project" ? dirname(source.shown) : source.shown;
  const name = isPackage ? wanted : showFile(source, wanted);
  return fault(
    "FileInvalid",
    { problem: isPackage ? `the package \`${name}\` is not installed` : `there is no \`${name}\`` },
    {
      where: { file: showFile(source, importer), ...findImport(missing) },
      ...(isPackage ? { hint: `install it: \`npm install --prefix ${folder} ${name}\`` } : {}),
      cause,
    },
  );
}

/** The word behind `from`, or in `import("…")`; Node has made an absolute path of one that began with a dot. */
function findImport({ kind, wanted, importer }: MissingImport): SourcePosition | null {
  const lines = (readText(importer) ?? "").split("\n");
  const isWanted = (word: string): boolean =>
    kind === "package"
      ? word === wanted || word.startsWith(`${wanted}/`)
      : resolve(dirname(importer), word) === wanted;
  for (const [at, line] of lines.entries())
    for (const found of line.matchAll(/\b(?:from|import)[\s(]*(["'])([^"']+)\1/g))
      if (isWanted(found[2] ?? ""))
        return {
          line: at + 1,
          column: found.index + found[0].lastIndexOf(found[1] ?? "", found[0].length - 2) + 1,
        };
  return null;
}

/** The reason may lie elsewhere: an import that is missing, a variable that is not set. */
export const isReasonElsewhere = (error: unknown): boolean =>
  !(error instanceof SyntaxError) && (!(error instanceof Fault) || error.code === "ImportOutside");

function findPosition(error: unknown, { source, path, text }: FailedImport): Where {
  const file = showFile(source, path);
  if (!(error instanceof Error)) return { file };
  if (!(error instanceof SyntaxError)) return positionOfThrow(error, source) ?? { file };
  const position = positionInStack(error);
  if (position !== null) return { file: fileInStack(error, source) ?? file, ...position };
  return { file, ...(text === null ? null : findSyntaxError(text)) };
}

/** A syntax error's stack begins with the file it is in, which may be an imported one. */
function fileInStack({ stack = "" }: Error, source: LayerSource): string | null {
  const url = /^(file:[^\n?]*?)(?:\?[^\n]*)?:\d+\n/.exec(stack)?.[1];
  return url === undefined ? null : showFile(source, fileURLToPath(url));
}

/** The first frame of the stack that lies in the layer. */
function positionOfThrow({ stack = "" }: Error, source: LayerSource): Where | null {
  for (const [, url = "", line, column] of stack.matchAll(
    /(file:\/\/[^\s?)]+?)(?:\?[^\s:]*)?:(\d+):(\d+)/g,
  )) {
    const path = fileURLToPath(url);
    if (path.startsWith(source.folder))
      return { file: showFile(source, path), line: Number(line), column: Number(column) };
  }
  return null;
}

// Where in a module a syntax error is. For TypeScript Node says it; for JavaScript it keeps it to
// itself (24.21), so the text is parsed again by something that does say it.

interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Null where a second parse finds nothing wrong. */
function findSyntaxError(text: string): SourcePosition | null {
  try {
    return findEarlyError(stripTypeScriptTypes(text));
  } catch (error) {
    return positionInStack(error);
  }
}

/** What only V8 finds, such as a name declared twice; it tells the place for scripts alone. */
function findEarlyError(text: string): SourcePosition | null {
  const blank = (code: string): string => code.replaceAll(/[^\n]/g, " ");
  const script = text
    .replaceAll(/^[ \t]*import\b[^;'"]*['"][^'"\n]*['"]/gm, blank)
    .replaceAll(/^[ \t]*export\s+default\b/gm, (code) => `void${blank(code).slice(4)}`)
    .replaceAll(/^[ \t]*export\b/gm, blank);
  const opening = "async () => {";
  const { Script } = process.getBuiltinModule("node:vm");
  try {
    new Script(`${opening}${script}\n}`, { columnOffset: -opening.length });
    return null;
  } catch (error) {
    return positionInStack(error);
  }
}

/** Node begins the stack of a syntax error with `file:line`, the source, and a caret below it. */
export function positionInStack(error: unknown): SourcePosition | null {
  if (!(error instanceof SyntaxError)) return null;
  const match = /^[^\n]*:(\d+)\n(?:[^\n]*\n)*?(\s*)\^/.exec(error.stack ?? "");
  if (match === null) return null;
  return { line: Number(match[1]), column: (match[2] ?? "").length + 1 };
}
