import { type Fault, fault } from "../../../command/fault.ts";
import type { FileImport, UrlImport } from "../body.ts";

/** A problem of one import, at its place; `problem` continues the import as it was written. */
export const importFault = (
  { written, where }: Pick<FileImport | UrlImport, "written" | "where">,
  problem: string,
  hint: string,
): Fault => fault("FileInvalid", { problem: `\`${written}\` ${problem}` }, { where, hint });
