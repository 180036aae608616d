// What Node says about a module it could not load, in our words and with the place in the file.
import { fileURLToPath } from "node:url";
import { Fault, fault, type Where } from "../command/fault.ts";
import { type LayerSource, showFile, showPaths } from "./layer-source.ts";
import { findSyntaxError, placeInStack } from "./syntax-place.ts";

export interface FailedImport {
  readonly source: LayerSource;
  readonly path: string;
  /** For the place of a syntax error; null where the file was parsed before without one. */
  readonly text: string | null;
}

export function describeImport(error: unknown, failed: FailedImport): Fault {
  if (error instanceof Fault) return error;
  const details = { where: findPlace(error, failed), cause: error };
  return fault("FileInvalid", { problem: showPaths(failed.source, problemOf(error)) }, details);
}

function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [line = ""] = message.split("\n");
  if (error instanceof SyntaxError) return `syntax error: ${line}`;
  return isMissing(error) ? line.replace(/^C/, "c") : `it threw while it was loaded: ${line}`;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";

/** The reason may lie elsewhere: an import that is missing, a variable that is not set. */
export const isReasonElsewhere = (error: unknown): boolean =>
  !(error instanceof SyntaxError) && (!(error instanceof Fault) || error.code === "ImportOutside");

function findPlace(error: unknown, { source, path, text }: FailedImport): Where {
  const file = showFile(source, path);
  if (!(error instanceof Error)) return { file };
  if (!(error instanceof SyntaxError)) return placeOfThrow(error, source) ?? { file };
  const place = placeInStack(error);
  if (place !== null) return { file: fileInStack(error, source) ?? file, ...place };
  return { file, ...(text === null ? null : findSyntaxError(text)) };
}

/** A syntax error's stack begins with the file it is in, which may be an imported one. */
function fileInStack({ stack = "" }: Error, source: LayerSource): string | null {
  const url = /^(file:[^\n?]*?)(?:\?[^\n]*)?:\d+\n/.exec(stack)?.[1];
  return url === undefined ? null : showFile(source, fileURLToPath(url));
}

/** The first frame of the stack that lies in the layer. */
function placeOfThrow({ stack = "" }: Error, source: LayerSource): Where | null {
  for (const [, url = "", line, column] of stack.matchAll(
    /(file:\/\/[^\s?)]+?)(?:\?[^\s:]*)?:(\d+):(\d+)/g,
  )) {
    const path = fileURLToPath(url);
    if (path.startsWith(source.folder))
      return { file: showFile(source, path), line: Number(line), column: Number(column) };
  }
  return null;
}
