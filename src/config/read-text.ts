import { fault } from "../command/fault.ts";
import { errorCode, problemOf } from "./file-problem.ts";
import { readLinkedFile } from "./regular-file.ts";

/** Null when there is no such file; `shown` is the path that a problem names. */
export function readText(file: string, shown: string = file): string | null {
  try {
    return readLinkedFile(file).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw fault(
      "FileInvalid",
      { problem: `it cannot be read: ${problemOf(error)}` },
      { where: { file: shown }, cause: error },
    );
  }
}
